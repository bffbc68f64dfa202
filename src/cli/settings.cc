#include "cli/settings.h"

#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/words.h"
#include "io/file.h"
#include "io/net/service_url.h"
#include "io/os_clock.h"
#include "server/address.h"
#include "store/store.h"

namespace mintmark::cli {
namespace {

constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20;
constexpr Duration kYear = std::chrono::hours{24 * 365};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string{value};
}

/// The first of the usual files that is there.
std::string usual_file() {
  std::string folder = environment("XDG_CONFIG_HOME");
  if (folder.empty()) {
    const std::string home = environment("HOME");
    if (!home.empty()) folder = home + "/.config";
  }
  if (!folder.empty()) {
    std::string file = folder + "/mintmark/config.toml";
    if (io::facts_of(file)) return file;
  }
  std::string file = "/etc/mintmark/mintmark.toml";
  return io::facts_of(file) ? file : std::string{};
}

/// In the form that parse_config asks for.
std::expected<std::string, std::string> read_address(std::string_view text) {
  const auto address = server::parse_address(text);
  if (!address) return std::unexpected(address.error());
  if (address->form == server::Address::Form::off) return std::string{};
  std::string spelling = server::describe(address->endpoint);
  const bool any_port = address->form == server::Address::Form::tcp && spelling.ends_with(":0");
  return any_port ? std::string{} : std::move(spelling);
}

}  // namespace

OrExit<mint::Config> load_config(const std::string& file) {
  const auto text = io::read_file(file, kMostConfigBytes);
  if (!text) {
    say(text.error().detail);
    return std::unexpected(kUsage);
  }
  auto config = mint::parse_config(*text, file, &read_address);
  if (!config) {
    for (const mint::ConfigMistake& mistake : config.error()) {
      say(fmt::format("{}:{}:{}: {}", mistake.file, mistake.line, mistake.column, mistake.words));
    }
    return std::unexpected(kUsage);
  }
  return std::move(*config);
}

OrExit<Settings> load_settings(const Arguments& arguments) {
  Settings settings;
  settings.file = arguments.value("config").value_or(environment("MINTMARK_CONFIG"));
  if (settings.file.empty()) settings.file = usual_file();
  if (settings.file.empty()) {
    settings.config.spaces = mint::default_spaces();
  } else {
    auto config = load_config(settings.file);
    if (!config) return std::unexpected(config.error());
    settings.config = std::move(*config);
  }
  const auto choose = [&settings](std::string url, std::string_view origin) {
    if (!settings.store.empty() || url.empty()) return;
    settings.store = std::move(url);
    settings.store_origin = origin;
  };
  choose(arguments.value("store").value_or(""), "--store");
  choose(environment("MINTMARK_STORE"), "MINTMARK_STORE");
  choose(settings.config.store, settings.file);
  if (const auto folder = io::default_state_folder()) {
    choose(fmt::format("sqlite:{}/mintmark.db", *folder), "the default");
  }
  if (arguments.has("allow-unsafe-store") || settings.config.allow_unsafe_store) {
    settings.unsafe = store::Unsafe::allow;
  }
  if (settings.store.empty() || settings.store == kNoStore) return settings;
  if (auto checked = store::check_url(settings.store); !checked) {
    return std::unexpected(
        usage_error(fmt::format("{}: {}", settings.store_origin, checked.error().detail)));
  }
  return settings;
}

OrExit<std::string> store_url(const Settings& settings) {
  if (settings.store == kNoStore) {
    return std::unexpected(usage_error(fmt::format(
        "{}: only 'new' can go without a store; write sqlite:PATH", settings.store_origin)));
  }
  if (!settings.store.empty()) return settings.store;
  return std::unexpected(
      usage_error("there is no HOME to keep the store in; say where: --store sqlite:PATH"));
}

std::string shown_store(std::string_view url) {
  if (!url.contains("://") || url.starts_with("sqlite:")) return std::string{url};
  const auto parsed = io::parse_service_url(url);
  return parsed ? parsed->words() : std::string{url.substr(0, url.find(':'))};
}

mint::StoreOpener store_opener(const Settings& settings, std::string url, store::Absent absent) {
  return [url = std::move(url), unsafe = settings.unsafe, absent](BootInstant deadline) {
    const store::Environment environment{
        .clock = io::os_clock(), .unsafe = unsafe, .absent = absent};
    return store::open(url, environment, deadline);
  };
}

std::vector<LayoutRemark> layout_remarks(const mint::Config& config, Instant now) {
  std::vector<LayoutRemark> remarks;
  for (const mint::SpaceConfig& space : config.spaces) {
    const auto* snowflake = std::get_if<mint::SnowflakeConfig>(&space.kind);
    if (snowflake == nullptr) continue;
    const Instant end = snowflake->layout.end();
    if (now < end - kYear) continue;
    remarks.push_back(
        {fmt::format("space '{}': the time field of its layout {} on {}; move to another layout",
                     space.name, now < end ? "ends" : "has ended", TimeText{end}.view()),
         now >= end});
  }
  return remarks;
}

}  // namespace mintmark::cli
