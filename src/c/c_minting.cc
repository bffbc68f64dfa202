// The part of c.h that makes IDs: by the process's own mint, and by handles.
#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "c/boundary.h"
#include "c/open_mint.h"
#include "c/process_mint.h"
#include "mintmark/base/bytes.h"
#include "mintmark/c.h"
#include "mintmark/scheme/catalogue.h"
#include "mintmark/scheme/type_id.h"

struct mintmark_mint {
  std::unique_ptr<mintmark::c::OpenMint> open;
};

namespace mintmark::c {
namespace {

/// Makes `count` IDs and gives each to `use(id)`, a span of the space's width. Allocates nothing.
template <class Use>
Result<void> each_new(mint::Space& space, std::size_t count, Use use) {
  std::array<std::byte, 1024> batch;
  const std::size_t width = space.width();
  const std::size_t at_once = batch.size() / width;
  MINTMARK_CHECK(at_once > 0);
  while (count > 0) {
    const auto some = std::span{batch}.first(std::min(count, at_once) * width);
    if (auto filled = fill_all(space, some); !filled) return filled;
    for (std::size_t at = 0; at < some.size(); at += width) use(some.subspan(at, width));
    count -= some.size() / width;
  }
  return {};
}

/// Writes the text and its zero. REQUIRES: room for text_size() + 1.
void write_text(const mint::Space& space, std::span<const std::byte> id, char* out) {
  const std::size_t size = space.write(id, {out, space.text_size()});
  out[size] = '\0';
}

int new_texts(const char* scheme, std::size_t count, char* out, std::size_t stride,
              mintmark_error* error) {
  if (scheme == nullptr) return refuse_null(error, "scheme");
  if (out == nullptr) return refuse_null(error, "out");
  const auto space = process_space(scheme);
  if (!space) return refuse(error, space.error());
  if (stride <= (*space)->text_size()) {
    return refuse(error, MINTMARK_BUFFER_TOO_SMALL,
                  fmt::format("a text of {} needs {} bytes", scheme, (*space)->text_size() + 1));
  }
  const auto made = each_new(**space, count, [&](std::span<const std::byte> id) {
    write_text(**space, id, out);
    out += stride;
  });
  return made ? int{MINTMARK_OK} : refuse(error, Failure{made.error(), {}});
}

/// The binary form of the catalogue, also of what a space keeps as text.
Result<void> new_binaries(mint::Space& space, const CatalogueRow& row, std::size_t count,
                          std::byte* out) {
  const std::size_t width = row.scheme.bytes;
  if (space.width() == width) return fill_all(space, {out, count * width});
  return each_new(space, count, [&](std::span<const std::byte> id) {
    std::array<char, CatalogueId::kMostText> text;
    MINTMARK_CHECK(space.text_size() <= text.size());
    const auto binary = row.parse({text.data(), space.write(id, text)});
    MINTMARK_CHECK(binary.has_value());  // it was made
    std::ranges::copy(binary->bytes(), out);
    out += width;
  });
}

int new_bytes(const char* scheme, std::size_t count, void* out, std::size_t size,
              mintmark_error* error) {
  if (scheme == nullptr) return refuse_null(error, "scheme");
  if (out == nullptr) return refuse_null(error, "out");
  const auto space = process_space(scheme);
  if (!space) return refuse(error, space.error());
  const CatalogueRow* const row = find_scheme(scheme);
  MINTMARK_CHECK(row != nullptr);  // whatever mints alone is in the catalogue
  if (size / row->scheme.bytes < count) {
    return refuse(error, MINTMARK_BUFFER_TOO_SMALL,
                  fmt::format("an ID of {} has {} bytes", scheme, row->scheme.bytes));
  }
  const auto made = new_binaries(**space, *row, count, static_cast<std::byte*>(out));
  return made ? int{MINTMARK_OK} : refuse(error, Failure{made.error(), {}});
}

int new_type_id(const char* prefix, char* out, std::size_t size, mintmark_error* error) {
  if (prefix == nullptr) return refuse_null(error, "prefix");
  if (out == nullptr) return refuse_null(error, "out");
  const auto good = TypePrefix::parse(prefix);
  if (!good) {
    return refuse(error, Failure{good.error(),
                                 "a prefix has 63 lower-case letters at most, and `_` "
                                 "between them"});
  }
  const auto space = process_space(UuidV7::facts.name);
  if (!space) return refuse(error, space.error());
  std::array<char, TypeId::facts.text_size> text;
  const std::size_t longest = TypeId{*good, Uuid{}}.write(text);
  if (size <= longest) {
    return refuse(error, MINTMARK_BUFFER_TOO_SMALL,
                  fmt::format("the text needs {} bytes", longest + 1));
  }
  std::array<std::byte, Uuid::facts.bytes> bytes;
  if (auto made = fill_all(**space, bytes); !made) return refuse(error, Failure{made.error(), {}});
  return give_text({text.data(), TypeId{*good, *Uuid::from_bytes(bytes)}.write(text)}, out, size,
                   nullptr, error);
}

int open(const mintmark_mint_options* options, mintmark_mint** out, mintmark_error* error) {
  if (out == nullptr) return refuse_null(error, "out");
  *out = nullptr;
  if (options == nullptr) return refuse_null(error, "options");
  if (options->size == 0) return refuse_unmeasured(error);
  const auto whole = copy_in(*options);
  constexpr std::uint32_t kFlags = MINTMARK_PIN_WORKER | MINTMARK_NO_WAIT;
  if (!whole || (whole->flags & ~kFlags) != 0) {
    return refuse(error, Fault::invalid_argument,
                  "the options say what this version of the library does not know");
  }
  const auto text = [](const char* given) {
    return given == nullptr ? std::string_view{} : std::string_view{given};
  };
  MintChoice choice{.space = {.space = text(whole->space),
                              .config = text(whole->config),
                              .layout = text(whole->layout),
                              .worker = {},
                              .horizon = {}},
                    .store = text(whole->store)};
  if ((whole->flags & MINTMARK_PIN_WORKER) != 0) choice.space.worker = whole->worker;
  if ((whole->flags & MINTMARK_NO_WAIT) != 0) choice.waiting = Waiting::never;
  if (whole->horizon_ms != 0) {
    choice.space.horizon = std::chrono::milliseconds{whole->horizon_ms};
  }
  auto opened = OpenMint::open(choice);
  if (!opened) return refuse(error, opened.error());
  *out = new mintmark_mint{std::move(*opened)};
  return MINTMARK_OK;
}

int refuse_by(const OpenMint& mint, const Error& fault, mintmark_error* error) {
  // What the space knows costs a lock and a copy: only for somebody who gets it.
  if (error == nullptr) return refuse(error, Failure{fault, {}});
  return refuse(error, mint.explained(fault));
}

int fill_u64(OpenMint& mint, std::uint64_t* out, std::size_t count, std::size_t& made,
             mintmark_error* error) {
  made = 0;
  if (!mint.space().is_number()) {
    return refuse(error, Fault::invalid_argument,
                  fmt::format("an ID of '{}' is no 64-bit number: take its bytes or its text",
                              mint.space().name()));
  }
  const std::span all{out, count};
  const auto filled = mint.fill(std::as_writable_bytes(all), made);
  for (std::uint64_t& number : all.first(made)) {
    number = load_be<std::uint64_t>(std::as_bytes(std::span{&number, 1}));
  }
  return filled ? int{MINTMARK_OK} : refuse_by(mint, filled.error(), error);
}

int fill_bytes(OpenMint& mint, std::size_t count, void* out, std::size_t size, std::size_t& made,
               mintmark_error* error) {
  made = 0;
  const std::size_t width = mint.space().width();
  if (size / width < count) {
    return refuse(error, MINTMARK_BUFFER_TOO_SMALL,
                  fmt::format("an ID of '{}' has {} bytes", mint.space().name(), width));
  }
  const auto filled = mint.fill({static_cast<std::byte*>(out), count * width}, made);
  return filled ? int{MINTMARK_OK} : refuse_by(mint, filled.error(), error);
}

int next_text(OpenMint& mint, char* out, std::size_t size, mintmark_error* error) {
  const mint::Space& space = mint.space();
  if (size <= space.text_size()) {
    return refuse(
        error, MINTMARK_BUFFER_TOO_SMALL,
        fmt::format("a text of '{}' needs {} bytes", space.name(), space.text_size() + 1));
  }
  std::array<std::byte, MINTMARK_TEXT_SIZE> id;
  MINTMARK_CHECK(space.width() <= id.size());
  std::size_t made = 0;
  const auto one = std::span{id}.first(space.width());
  if (const auto filled = mint.fill(one, made); !filled)
    return refuse_by(mint, filled.error(), error);
  write_text(space, one, out);
  return MINTMARK_OK;
}

}  // namespace
}  // namespace mintmark::c

using namespace mintmark;
using namespace mintmark::c;

extern "C" {

int mintmark_new(const char* scheme, char* out, std::size_t size, mintmark_error* error) {
  return guarded(error, [&] { return new_texts(scheme, 1, out, size, error); });
}

int mintmark_new_many(const char* scheme, std::size_t count, char* out, std::size_t stride,
                      mintmark_error* error) {
  return guarded(error, [&] { return new_texts(scheme, count, out, stride, error); });
}

int mintmark_new_bytes(const char* scheme, std::size_t count, void* out, std::size_t size,
                       mintmark_error* error) {
  return guarded(error, [&] { return new_bytes(scheme, count, out, size, error); });
}

int mintmark_new_typeid(const char* prefix, char* out, std::size_t size, mintmark_error* error) {
  return guarded(error, [&] { return new_type_id(prefix, out, size, error); });
}

int mintmark_mint_open(const mintmark_mint_options* options, mintmark_mint** out,
                       mintmark_error* error) {
  return guarded(error, [&] { return c::open(options, out, error); });
}

void mintmark_mint_close(mintmark_mint* mint) { delete mint; }

int mintmark_mint_wait(mintmark_mint* mint, std::uint32_t timeout_ms, mintmark_error* error) {
  return guarded(error, [&] {
    if (mint == nullptr) return refuse_null(error, "mint");
    const auto ready = mint->open->wait_ready(std::chrono::milliseconds{timeout_ms});
    return ready ? int{MINTMARK_OK} : refuse(error, ready.error());
  });
}

std::size_t mintmark_mint_bytes(const mintmark_mint* mint) {
  return mint == nullptr ? 0 : mint->open->space().width();
}

std::size_t mintmark_mint_text_size(const mintmark_mint* mint) {
  return mint == nullptr ? 0 : mint->open->space().text_size() + 1;
}

int mintmark_mint_next_u64(mintmark_mint* mint, std::uint64_t* out, mintmark_error* error) {
  return mintmark_mint_fill_u64(mint, out, 1, nullptr, error);
}

int mintmark_mint_fill_u64(mintmark_mint* mint, std::uint64_t* out, std::size_t count,
                           std::size_t* made, mintmark_error* error) {
  std::size_t done = 0;
  const int code = guarded(error, [&] {
    if (mint == nullptr) return refuse_null(error, "mint");
    if (out == nullptr) return refuse_null(error, "out");
    return fill_u64(*mint->open, out, count, done, error);
  });
  if (made != nullptr) *made = done;
  return code;
}

int mintmark_mint_fill_bytes(mintmark_mint* mint, std::size_t count, void* out, std::size_t size,
                             std::size_t* made, mintmark_error* error) {
  std::size_t done = 0;
  const int code = guarded(error, [&] {
    if (mint == nullptr) return refuse_null(error, "mint");
    if (out == nullptr) return refuse_null(error, "out");
    return fill_bytes(*mint->open, count, out, size, done, error);
  });
  if (made != nullptr) *made = done;
  return code;
}

int mintmark_mint_next_text(mintmark_mint* mint, char* out, std::size_t size,
                            mintmark_error* error) {
  return guarded(error, [&] {
    if (mint == nullptr) return refuse_null(error, "mint");
    if (out == nullptr) return refuse_null(error, "out");
    return next_text(*mint->open, out, size, error);
  });
}

int mintmark_mint_take(mintmark_mint* mint, std::uint64_t count, std::uint64_t* first,
                       std::uint64_t* last, mintmark_error* error) {
  return guarded(error, [&] {
    if (mint == nullptr) return refuse_null(error, "mint");
    if (first == nullptr || last == nullptr) return refuse_null(error, "first or last");
    const auto run = mint->open->take(count);
    if (!run) return refuse_by(*mint->open, run.error(), error);
    *first = run->first;
    *last = run->last;
    return int{MINTMARK_OK};
  });
}

}  // extern "C"
