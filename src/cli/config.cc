// config: checks a configuration file, or shows what holds.
#include <array>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/settings.h"
#include "cli/words.h"
#include "io/os_clock.h"
#include "mint/did_you_mean.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

std::string spaces_text(const mint::Config& config) {
  std::string out;
  for (const mint::SpaceConfig& space : config.spaces) {
    const std::string definition = space.definition();
    out += fmt::format("space {:<12} {}\n", space.name,
                       definition.empty() ? std::string{space.scheme()} : definition);
  }
  return out;
}

/// Says what the time makes of the layouts; an ended one is a mistake.
int judge_layouts(const mint::Config& config) {
  int code = kDone;
  for (const LayoutRemark& remark : layout_remarks(config, io::wall_now())) {
    say(remark.words);
    if (remark.ended) code = kUsage;
  }
  return code;
}

int check(const Arguments& arguments) {
  if (arguments.operands.size() > 1) {
    const std::string& file = arguments.operands[1];
    const auto config = load_config(file);
    if (!config) return config.error();
    if (const int code = judge_layouts(*config); code != kDone) return code;
    return print(fmt::format("{}: {} spaces, no mistakes\n", file, config->spaces.size()), kDone);
  }
  const auto settings = load_settings(arguments);
  if (!settings) return settings.error();
  if (const int code = judge_layouts(settings->config); code != kDone) return code;
  return print(fmt::format("{}: {} spaces, no mistakes\n",
                           settings->file.empty() ? "no file, the defaults hold" : settings->file,
                           settings->config.spaces.size()),
               kDone);
}

std::string to_json(const Settings& settings) {
  const mint::Config& config = settings.config;
  std::string out = fmt::format(
      "{{\"schema\":1,\"file\":{},\"store\":{},\"store_origin\":{},\"http\":{},\"resp\":{},"
      "\"threads\":{},\"spaces\":[",
      mint::json_text(settings.file), mint::json_text(shown_store(settings.store)),
      mint::json_text(settings.store_origin), mint::json_text(config.http),
      mint::json_text(config.resp), config.threads);
  for (const mint::SpaceConfig& space : config.spaces) {
    if (out.back() != '[') out += ',';
    out +=
        fmt::format("{{\"name\":{},\"scheme\":{},\"definition\":{}}}", mint::json_text(space.name),
                    mint::json_text(space.scheme()), mint::json_text(space.definition()));
  }
  return out + "]}\n";
}

int show(const Arguments& arguments) {
  const auto settings = load_settings(arguments);
  if (!settings) return settings.error();
  if (arguments.has("json")) return print(to_json(*settings), kDone);
  const mint::Config& config = settings->config;
  return print(
      fmt::format("file    {}\nstore   {}  ({})\nhttp    {}\nresp    {}\nthreads {}\n{}",
                  settings->file.empty() ? "none" : settings->file, shown_store(settings->store),
                  settings->store_origin, config.http, config.resp,
                  config.threads == 0 ? "one a core" : fmt::format("{}", config.threads),
                  spaces_text(config)),
      kDone);
}

int run(const Arguments& arguments) {
  const std::string& act = arguments.operands.front();
  if (act == "check") return check(arguments);
  if (act == "show" && arguments.operands.size() == 1) return show(arguments);
  constexpr std::array<std::string_view, 2> kActs{"check", "show"};
  return usage_error(fmt::format("config can check [FILE] or show, not '{}'{}",
                                 arguments.operands.back(), mint::did_you_mean(act, kActs)));
}

constexpr std::array kOptions{kConfigOption, kStoreOption, kJsonOption};
constexpr std::array kExamples{
    Example{"mintmark config check mintmark.toml", "every mistake, with line and column"},
    Example{"mintmark config show", "what holds, and where it comes from"},
    Example{"mintmark config show --json", "the same for a script"},
};

}  // namespace

const Command kConfig{
    .name = "config",
    .summary = "checks a configuration file, shows what holds",
    .operands = "check [FILE] | show",
    .fewest_operands = 1,
    .most_operands = 2,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "The file is that of --config or MINTMARK_CONFIG, else ~/.config/mintmark/config.toml, "
        "else\n"
        "/etc/mintmark/mintmark.toml. Its keys: docs/reference/config.md.\n",
    .run = run,
};

}  // namespace mintmark::cli
