// Conversions: an ID or a number in one spelling, its value, and the same value in another.
#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mintmark/base/time.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark::cli {

/// What is converted: bytes, and the scheme that they were read as, if any.
class Value {
 public:
  static constexpr std::size_t kMostBytes = 64;

  Value(std::span<const std::byte> bytes, const CatalogueRow* row);
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::span{bytes_}.first(size_); }
  [[nodiscard]] const CatalogueRow* row() const { return row_; }
  /// Of a TypeID, which has it beside its bytes.
  [[nodiscard]] const std::string& prefix() const { return prefix_; }
  void set_prefix_of(std::string_view text);

 private:
  std::array<std::byte, kMostBytes> bytes_{};
  std::size_t size_ = 0;
  const CatalogueRow* row_ = nullptr;
  std::string prefix_;
};

/// A value or a text, or words about why there is none.
template <class T>
using OrWords = std::expected<T, std::string>;

/// How a text is read. Immutable; any thread may use it.
class Reader {
 public:
  virtual ~Reader() = default;
  [[nodiscard]] virtual OrWords<Value> read(std::string_view text) const = 0;
};
/// How a value is written. Immutable; any thread may use it.
class Writer {
 public:
  virtual ~Writer() = default;
  [[nodiscard]] virtual OrWords<std::string> write(const Value& value) const = 0;
};

struct ConversionOptions {
  std::string from;  ///< empty: whichever scheme the text is of
  std::string to;
  std::string prefix;  ///< of a TypeID that is written
  unsigned bits = 0;   ///< of a text form that is read; 0: those of the target
  Instant now;         ///< what a plausible time is measured against
};

/// The names that `from` and `to` may have besides those of the schemes, for help and errors.
[[nodiscard]] std::string conversion_names();

/// Errors: words about a name that is none, or about two that do not go together.
[[nodiscard]] OrWords<std::unique_ptr<Reader>> make_reader(const ConversionOptions& options);
[[nodiscard]] OrWords<std::unique_ptr<Writer>> make_writer(const ConversionOptions& options);

}  // namespace mintmark::cli
