// The part of c.h that reads: errors, schemes, texts, bytes and times. c_minting.cc is the part that makes.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "c/boundary.h"
#include "c/codes.h"
#include "c/space_choice.h"
#include "io/os_clock.h"
#include "mint/did_you_mean.h"
#include "mint/inspect.h"
#include "mint/space_config.h"
#include "mintmark/base/bytes.h"
#include "mintmark/c.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark::c {
namespace {

static_assert(MINTMARK_TICKS_PER_MS == Duration{std::chrono::milliseconds{1}}.count());
static_assert(MINTMARK_TICKS_PER_SECOND == Duration{std::chrono::seconds{1}}.count());
static_assert(MINTMARK_BYTES_SIZE == CatalogueId::kMostBytes);
static_assert(MINTMARK_TEXT_SIZE > CatalogueId::kMostText &&
              MINTMARK_TEXT_SIZE > mint::kLongestNanoid);
static_assert(int{MINTMARK_ORDER_NONE} == static_cast<int>(TimeOrder::none) &&
              int{MINTMARK_ORDER_BY_TICK} == static_cast<int>(TimeOrder::by_tick) &&
              int{MINTMARK_ORDER_MONOTONIC} == static_cast<int>(TimeOrder::monotonic));
static_assert([] {
  for (const CatalogueRow& row : kCatalogue) {
    if (row.name.size() >= sizeof(mintmark_scheme{}.name)) return false;
    const std::size_t title = row.scheme.title.size() + sizeof " ()" + row.preset.size();
    if (title >= sizeof(mintmark_scheme{}.title)) return false;
  }
  return true;
}());

/// The row of a name, or a null pointer after `code` was set.
const CatalogueRow* find(const char* name, mintmark_error* error, int& code) {
  code = MINTMARK_OK;
  if (name == nullptr) {
    code = refuse_null(error, "scheme");
    return nullptr;
  }
  const CatalogueRow* const row = find_scheme(name);
  if (row != nullptr) return row;
  if (error == nullptr) {
    code = refuse(error, Fault::unknown_space, "");
    return nullptr;
  }
  std::vector<std::string_view> names;
  for (const CatalogueRow& each : kCatalogue) names.push_back(each.name);
  code = refuse(error, Fault::unknown_space,
                fmt::format("there is no scheme '{}'{}", name, mint::did_you_mean(name, names)));
  return nullptr;
}

/// Words for a person are only made for somebody who gets them.
int refuse_text(const CatalogueRow& row, std::string_view text, const Error& fault,
                mintmark_error* error) {
  if (error == nullptr) return code_of(fault.fault());
  return refuse(error, Failure{fault, mint::explain_as(row, text, fault)});
}

/// Reads the text and goes on with `use(row, id)`.
template <class Use>
int with_text(const char* scheme, const char* text, std::size_t length, mintmark_error* error,
              Use use) {
  return guarded(error, [&] {
    int code = MINTMARK_OK;
    const CatalogueRow* const row = find(scheme, error, code);
    if (row == nullptr) return code;
    const auto whole = text_of(text, length);
    if (!whole) return refuse_null(error, "text");
    const auto id = row->parse(*whole);
    if (!id) return refuse_text(*row, *whole, id.error(), error);
    return use(*row, *id);
  });
}

/// The same for the binary form.
template <class Use>
int with_bytes(const char* scheme, const void* bytes, std::size_t count, mintmark_error* error,
               Use use) {
  return guarded(error, [&] {
    int code = MINTMARK_OK;
    const CatalogueRow* const row = find(scheme, error, code);
    if (row == nullptr) return code;
    if (bytes == nullptr) return refuse_null(error, "bytes");
    const auto id = row->from_bytes({static_cast<const std::byte*>(bytes), count});
    if (!id) return refuse(error, Failure{id.error(), {}});
    return use(*row, *id);
  });
}

int give_time(const CatalogueRow& row, const CatalogueId& id, std::int64_t* time,
              mintmark_error* error) {
  if (time == nullptr) return refuse_null(error, "time");
  if (!id.time()) {
    return refuse(error, Fault::invalid_argument, fmt::format("{} carries no time", row.name));
  }
  *time = id.time()->time_since_epoch().count();
  return MINTMARK_OK;
}

int give_end(Result<CatalogueId> (*const CatalogueRow::*end)(Instant), const char* scheme,
             std::int64_t time, void* out, std::size_t size, std::size_t* needed,
             mintmark_error* error) {
  return guarded(error, [&] {
    int code = MINTMARK_OK;
    const CatalogueRow* const row = find(scheme, error, code);
    if (row == nullptr) return code;
    if (row->*end == nullptr) {
      return refuse(error, Fault::invalid_argument,
                    fmt::format("no time orders the IDs of {}", row->name));
    }
    const auto id = (row->*end)(Instant{Duration{time}});
    if (!id) return refuse(error, Failure{id.error(), {}});
    return give_bytes(id->bytes(), out, size, needed, error);
  });
}

int minting_of(const CatalogueRow& row) {
  if (row.minting == Minting::reads_only) return MINTMARK_READS_ONLY;
  const auto kind = mint::kind_of(row.name);
  return kind && !needs_store(*kind) ? MINTMARK_MINTS_ALONE : MINTMARK_MINTS_LEASED;
}

int give_scheme(const CatalogueRow& row, mintmark_scheme* out, mintmark_error* error) {
  if (out == nullptr) return refuse_null(error, "out");
  if (out->size == 0) return refuse_unmeasured(error);
  mintmark_scheme whole{};
  const auto put = [](std::string_view text, char* to) { text.copy(to, text.size()); };
  put(row.name, whole.name);
  put(row.preset.empty() ? std::string{row.scheme.title}
                         : fmt::format("{} ({})", row.scheme.title, row.preset),
      whole.title);
  whole.bits = row.scheme.bits;
  whole.bytes = static_cast<std::uint32_t>(row.scheme.bytes);
  whole.text_size = static_cast<std::uint32_t>(row.scheme.text_size + 1);
  whole.minting = minting_of(row);
  whole.order = static_cast<int>(row.scheme.order);
  copy_out(whole, *out);
  return MINTMARK_OK;
}

}  // namespace
}  // namespace mintmark::c

using namespace mintmark;
using namespace mintmark::c;

extern "C" {

const char* mintmark_error_name(int code) { return row_of(code).name.data(); }
const char* mintmark_strerror(int code) { return row_of(code).sentence.data(); }
const char* mintmark_error_remedy(int code) { return row_of(code).remedy.data(); }
const char* mintmark_error_kind(int code) { return row_of(code).kind.data(); }
int mintmark_error_retryable(int code) { return row_of(code).retryable ? 1 : 0; }

const char* mintmark_version(void) { return MINTMARK_VERSION; }

std::int64_t mintmark_now(void) { return io::wall_now().time_since_epoch().count(); }

int mintmark_scheme_find(const char* name, mintmark_scheme* out, mintmark_error* error) {
  return guarded(error, [&] {
    int code = MINTMARK_OK;
    const CatalogueRow* const row = find(name, error, code);
    return row == nullptr ? code : give_scheme(*row, out, error);
  });
}

int mintmark_scheme_at(std::size_t index, mintmark_scheme* out, mintmark_error* error) {
  return guarded(error, [&] {
    if (index >= kCatalogue.size()) {
      return refuse(error, Fault::unknown_space,
                    fmt::format("the catalogue has {} schemes", kCatalogue.size()));
    }
    return give_scheme(kCatalogue[index], out, error);
  });
}

int mintmark_validate(const char* scheme, const char* text, std::size_t length,
                      mintmark_error* error) {
  return with_text(scheme, text, length, error,
                   [](const CatalogueRow&, const CatalogueId&) -> int { return MINTMARK_OK; });
}

int mintmark_to_bytes(const char* scheme, const char* text, std::size_t length, void* out,
                      std::size_t size, std::size_t* needed, mintmark_error* error) {
  return with_text(scheme, text, length, error, [&](const CatalogueRow&, const CatalogueId& id) {
    return give_bytes(id.bytes(), out, size, needed, error);
  });
}

int mintmark_to_text(const char* scheme, const void* bytes, std::size_t count, char* out,
                     std::size_t size, std::size_t* needed, mintmark_error* error) {
  return with_bytes(scheme, bytes, count, error, [&](const CatalogueRow&, const CatalogueId& id) {
    return give_text(id.text(), out, size, needed, error);
  });
}

int mintmark_time_of_text(const char* scheme, const char* text, std::size_t length,
                          std::int64_t* time, mintmark_error* error) {
  return with_text(scheme, text, length, error,
                   [&](const CatalogueRow& row, const CatalogueId& id) {
                     return give_time(row, id, time, error);
                   });
}

int mintmark_time_of_bytes(const char* scheme, const void* bytes, std::size_t count,
                           std::int64_t* time, mintmark_error* error) {
  return with_bytes(scheme, bytes, count, error,
                    [&](const CatalogueRow& row, const CatalogueId& id) {
                      return give_time(row, id, time, error);
                    });
}

int mintmark_floor(const char* scheme, std::int64_t time, void* out, std::size_t size,
                   std::size_t* needed, mintmark_error* error) {
  return give_end(&CatalogueRow::floor, scheme, time, out, size, needed, error);
}

int mintmark_ceil(const char* scheme, std::int64_t time, void* out, std::size_t size,
                  std::size_t* needed, mintmark_error* error) {
  return give_end(&CatalogueRow::ceil, scheme, time, out, size, needed, error);
}

int mintmark_inspect(const char* scheme, const char* text, std::size_t length, char* out,
                     std::size_t size, std::size_t* needed, mintmark_error* error) {
  return guarded(error, [&] {
    const auto whole = text_of(text, length);
    if (!whole) return refuse_null(error, "text");
    if (scheme == nullptr) {
      const auto readings = mint::inspect(*whole, io::wall_now());
      if (readings) return give_text(mint::to_json(*whole, *readings), out, size, needed, error);
      return refuse(error, Failure{readings.error(), mint::explain(*whole, readings.error())});
    }
    int code = MINTMARK_OK;
    const CatalogueRow* const row = find(scheme, error, code);
    if (row == nullptr) return code;
    auto reading = mint::inspect_as(*row, *whole, io::wall_now());
    if (!reading) return refuse_text(*row, *whole, reading.error(), error);
    return give_text(mint::to_json(*whole, {std::move(*reading)}), out, size, needed, error);
  });
}

std::uint64_t mintmark_load_u64(const void* bytes) {
  return load_be<std::uint64_t>(
      std::span<const std::byte>{static_cast<const std::byte*>(bytes), sizeof(std::uint64_t)});
}

void mintmark_store_u64(std::uint64_t value, void* bytes) {
  store_be(std::span<std::byte>{static_cast<std::byte*>(bytes), sizeof value}, value);
}

}  // extern "C"
