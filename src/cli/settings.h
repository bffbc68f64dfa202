// Settings: what the options, the environment and the configuration file say together.
//
// The first that says something wins: option, MINTMARK_* variable, file, default. The file is that of
// --config or MINTMARK_CONFIG, else $XDG_CONFIG_HOME/mintmark/config.toml (~/.config), else
// /etc/mintmark/mintmark.toml, else none.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "mint/mint.h"
#include "mint/space_config.h"
#include "mintmark/base/time.h"

namespace mintmark::cli {

/// The word for going without a store, where a URL could stand.
inline constexpr std::string_view kNoStore = "none";

struct Settings {
  mint::Config config;
  std::string file;          ///< where config came from; empty for the defaults
  std::string store;         ///< URL; empty if no place for the default file was found
  std::string store_origin;  ///< who said so, in words
  store::Unsafe unsafe = store::Unsafe::refuse;
};

/// An exit code, after the words were said.
template <class T>
using OrExit = std::expected<T, int>;

/// A store that could keep no IDs distinct is a mistake of the call, wherever it was named.
[[nodiscard]] OrExit<Settings> load_settings(const Arguments& arguments);

/// Reads one file; all mistakes are said, `file:line:column: words` each.
[[nodiscard]] OrExit<mint::Config> load_config(const std::string& file);

/// The store's URL, or the words about why there is none.
[[nodiscard]] OrExit<std::string> store_url(const Settings& settings);

/// The URL of a store without user, password and parameters, fit to be shown.
[[nodiscard]] std::string shown_store(std::string_view url);

/// What opens the store of that URL, as often as it is called.
[[nodiscard]] mint::StoreOpener store_opener(const Settings& settings, std::string url,
                                             store::Absent absent = store::Absent::make);

/// What the time says about layouts: one sentence for each that has ended or ends within a year.
struct LayoutRemark {
  std::string words;
  bool ended = false;
};
[[nodiscard]] std::vector<LayoutRemark> layout_remarks(const mint::Config& config, Instant now);

}  // namespace mintmark::cli
