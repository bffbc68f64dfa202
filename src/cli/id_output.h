// IDs on standard output, in one of the forms of --output.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "cli/command.h"
#include "cli/settings.h"
#include "io/blocks.h"
#include "mint/space.h"

namespace mintmark::cli {

inline constexpr Option kOutputOption{
    "output", "o", "FORM", "plain, json, jsonl, tsv or bin (big-endian bytes); default plain"};

/// How IDs are written: `before` and `after` each, `between` them, `open` and `close` around all.
struct OutputForm {
  std::string_view name;
  std::string_view open;
  std::string_view before;
  std::string_view after;
  std::string_view between;
  std::string_view close;
};

/// The form of --output or --json; what is wrong was said.
[[nodiscard]] OrExit<const OutputForm*> output_form(const Arguments& arguments);

/// One thread at a time.
class IdOutput {
 public:
  explicit IdOutput(const OutputForm& form);

  /// A batch of a space: its binary IDs one behind the other.
  void put(const mint::Space& space, std::span<const std::byte> ids);
  /// One ID.
  void put(std::string_view text, std::span<const std::byte> bytes);

  /// False once nobody reads any more or writing has failed.
  [[nodiscard]] bool is_open() const { return out_.is_open(); }

  /// Closes the form and writes what is left; as cli::finish.
  int finish(int code);
  /// Writes what is left without closing the form: the IDs came to an end before their time.
  void break_off();

 private:
  [[nodiscard]] bool is_binary() const;
  /// Nothing but a character behind each ID: then many are written at once.
  [[nodiscard]] bool is_lines() const;

  const OutputForm& form_;
  bool first_ = true;
  io::BlockWriter out_;
};

}  // namespace mintmark::cli
