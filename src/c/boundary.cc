#include "c/boundary.h"

#include <fmt/format.h>

#include "c/codes.h"

namespace mintmark::c {
namespace {

int give(std::string_view content, std::size_t taken, void* out, std::size_t size,
         std::size_t* needed, mintmark_error* error) {
  if (needed != nullptr) *needed = taken;
  if (out == nullptr && size == 0) return MINTMARK_OK;
  if (out == nullptr) return refuse_null(error, "out");
  if (size < taken) return refuse(error, MINTMARK_BUFFER_TOO_SMALL, "");
  if (!content.empty()) std::memcpy(out, content.data(), content.size());
  if (taken > content.size()) static_cast<char*>(out)[content.size()] = '\0';
  return MINTMARK_OK;
}

int fill_in(mintmark_error* error, mintmark_error whole, std::string_view words) {
  if (error == nullptr) return whole.code;
  if (words.empty()) words = row_of(whole.code).sentence;
  words = words.substr(0, sizeof whole.detail - 1);
  std::memcpy(whole.detail, words.data(), words.size());
  copy_out(whole, *error);
  return whole.code;
}

}  // namespace

int refuse(mintmark_error* error, int code, std::string_view words) {
  mintmark_error whole{};
  whole.code = code;
  return fill_in(error, whole, words);
}

int refuse(mintmark_error* error, Fault fault, std::string_view words) {
  return refuse(error, code_of(fault), words);
}

int refuse(mintmark_error* error, const Failure& failure) {
  mintmark_error whole{};
  whole.code = code_of(failure.error.fault());
  if (failure.error.kind() == Kind::bad_input) whole.position = failure.error.position();
  whole.retry_after_us = failure.error.retry_after_us();
  return fill_in(error, whole, failure.detail);
}

int refuse_null(mintmark_error* error, const char* name) {
  return refuse(error, Fault::invalid_argument, fmt::format("{} is NULL", name));
}

int refuse_unmeasured(mintmark_error* error) {
  return refuse(error, Fault::invalid_argument, "the member size of the struct is not set");
}

std::optional<std::string_view> text_of(const char* text, std::size_t length) {
  if (text == nullptr) return std::nullopt;
  return std::string_view{text, length == MINTMARK_ZERO_ENDED ? std::strlen(text) : length};
}

int give_bytes(std::span<const std::byte> bytes, void* out, std::size_t size, std::size_t* needed,
               mintmark_error* error) {
  const std::string_view content{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  return give(content, content.size(), out, size, needed, error);
}

int give_text(std::string_view text, char* out, std::size_t size, std::size_t* needed,
              mintmark_error* error) {
  return give(text, text.size() + 1, out, size, needed, error);
}

}  // namespace mintmark::c
