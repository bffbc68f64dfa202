// A subcommand is one row of data: its help, its options and what it does. Help, parsing and the list of
// commands come from it; main.cc names the rows.
//
// What every command keeps to: data on standard output, words on standard error; 0 all good, 1 some input
// was invalid or the output could not be written, 2 usage, and for a refusal the code of its kind
// (mint/request.h: 69 the store or service cannot serve, 75 try later).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mintmark::cli {

inline constexpr int kDone = 0;
inline constexpr int kInvalid = 1;
inline constexpr int kUsage = 2;

/// What a command was called with.
struct Arguments {
  std::vector<std::string> operands;
  std::map<std::string, std::string, std::less<>> values;  ///< by long name without dashes

  [[nodiscard]] bool has(std::string_view option) const { return values.contains(option); }
  [[nodiscard]] std::optional<std::string> value(std::string_view option) const {
    const auto found = values.find(option);
    if (found == values.end()) return std::nullopt;
    return found->second;
  }
};

struct Option {
  std::string_view name;     ///< long, without dashes
  std::string_view letters;  ///< short ones: "nC" means -n and -C
  std::string_view value;    ///< what the help calls its value; empty for a switch
  std::string_view words;    ///< what it does, its default and its environment variable
};

struct Example {
  std::string_view line;
  std::string_view words;
};

struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view operands;  ///< for the usage line
  std::size_t fewest_operands;
  std::size_t most_operands;
  std::span<const Option> options;
  std::span<const Example> examples;
  std::string_view notes;  ///< behind the options; ends in a line end if it is not empty
  int (*run)(const Arguments& arguments);
};

// In the order of the help.
extern const Command kNew;
extern const Command kInspect;
extern const Command kConvert;
extern const Command kValidate;
extern const Command kSort;
extern const Command kRange;
extern const Command kScan;
extern const Command kVerify;
extern const Command kBench;
extern const Command kServe;
extern const Command kConfig;
extern const Command kStore;
extern const Command kSeal;
extern const Command kOpen;
extern const Command kChoose;
extern const Command kCollide;
extern const Command kHeadroom;
extern const Command kKeysize;
extern const Command kLeak;
extern const Command kSql;
extern const Command kCompletion;
extern const Command kMan;
extern const Command kLayout;
extern const Command kVersion;

inline constexpr Option kJsonOption{"json", "", "", "one JSON document"};
inline constexpr Option kConfigOption{"config", "", "FILE", "configuration; MINTMARK_CONFIG"};
inline constexpr Option kStoreOption{"store", "", "URL", "where spaces are kept; MINTMARK_STORE"};
inline constexpr Option kAllowUnsafeOption{
    "allow-unsafe-store", "", "", "go on with a store whose settings may lose what it granted"};

}  // namespace mintmark::cli
