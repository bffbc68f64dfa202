// The boundary to C: what every exported function does with its errors, texts and buffers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string_view>

#include "io/failure.h"
#include "mintmark/base/error.h"
#include "mintmark/c.h"

namespace mintmark::c {

/// A struct of c.h as this library knows it: what the caller's shorter one has, and zeros. Nothing if the
/// caller's is longer and says there what this library does not understand.
template <class Struct>
[[nodiscard]] std::optional<Struct> copy_in(const Struct& from) {
  Struct whole{};
  const std::size_t shared = std::min(from.size, sizeof whole);
  std::memcpy(&whole, &from, shared);
  const auto* const all = reinterpret_cast<const unsigned char*>(&from);
  for (std::size_t i = shared; i < from.size; ++i) {
    if (all[i] != 0) return std::nullopt;
  }
  return whole;
}

/// Fills as much of the caller's struct as it has room for.
template <class Struct>
void copy_out(Struct whole, Struct& to) {
  whole.size = to.size;
  std::memcpy(&to, &whole, std::min(to.size, sizeof whole));
}

/// Each fills in `error` unless it is null, and returns the code.
int refuse(mintmark_error* error, int code, std::string_view words);
int refuse(mintmark_error* error, Fault fault, std::string_view words);
int refuse(mintmark_error* error, const Failure& failure);
/// For an argument that is null and must not be.
int refuse_null(mintmark_error* error, const char* name);
/// For a struct whose size the caller forgot.
int refuse_unmeasured(mintmark_error* error);

/// The caller's text, or nothing for NULL.
[[nodiscard]] std::optional<std::string_view> text_of(const char* text, std::size_t length);

/// Gives bytes or a text by the rule of `out`, `size`, `needed`. A text gets its zero here.
int give_bytes(std::span<const std::byte> bytes, void* out, std::size_t size, std::size_t* needed,
               mintmark_error* error);
int give_text(std::string_view text, char* out, std::size_t size, std::size_t* needed,
              mintmark_error* error);

/// Runs the body of an exported function: nothing that is thrown may cross into C.
template <class Body>
int guarded(mintmark_error* error, Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return refuse(error, MINTMARK_OUT_OF_MEMORY, "");
  } catch (...) {
    return refuse(error, MINTMARK_INTERNAL_ERROR, "");
  }
}

}  // namespace mintmark::c
