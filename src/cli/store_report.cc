#include "cli/store_report.h"

#include <iterator>

#include <fmt/format.h>

#include "cli/words.h"
#include "mint/json_text.h"
#include "mint/mint.h"
#include "store/decide.h"

namespace mintmark::cli {
namespace {

std::string to_text(const Shown& space, Instant now) {
  std::string out =
      fmt::format("space {}\n  definition {}\n  made       {}\n  epoch      {}\n", space.name,
                  space.meta.definition, TimeText{space.meta.created_at}.view(), space.meta.epoch);
  if (space.meta.suspect) out += fmt::format("  SUSPECT    {}\n", *space.meta.suspect);
  if (space.layout != nullptr) {
    const std::string newest =
        space.used() == 0 ? "none"
                          : std::string{TimeText{space.layout->instant_of(space.highest())}.view()};
    out += fmt::format("  workers    {} in all, {} ever used, {} held now\n  newest     {}\n",
                       space.marks.size(), space.used(), space.held(now), newest);
  } else {
    out += fmt::format("  next       {}\n", space.highest());
  }
  return out;
}

std::string to_json(const Shown& space, Instant now) {
  std::string out = fmt::format(
      "{{\"name\":{},\"definition\":{},\"created_at\":\"{}\",\"epoch\":{},\"suspect\":{}",
      mint::json_text(space.name), mint::json_text(space.meta.definition),
      TimeText{space.meta.created_at}.view(), space.meta.epoch,
      space.meta.suspect ? mint::json_text(*space.meta.suspect) : "null");
  if (space.layout != nullptr) {
    out += fmt::format(",\"workers\":{},\"used\":{},\"held\":{}", space.marks.size(), space.used(),
                       space.held(now));
  }
  return out + fmt::format(",\"high_water\":\"{}\"}}", space.highest());
}

}  // namespace

store::Outcome<std::optional<Shown>> look_at(store::Store& store, const mint::SpaceConfig& space,
                                             BootInstant deadline) {
  auto marks = store.scan(space.name, deadline);
  if (!marks && marks.error().error.fault() == Fault::unknown_space) return std::nullopt;
  if (!marks) return std::unexpected(marks.error());
  if (marks->empty()) return std::nullopt;
  // The rows are there, so that this only reads the meta row.
  auto meta = store.open_space(mint::store_setup(space), deadline);
  if (!meta) return std::unexpected(meta.error());
  const auto* snowflake = std::get_if<mint::SnowflakeConfig>(&space.kind);
  return Shown{space.name, std::move(*meta), std::move(*marks),
               snowflake != nullptr ? &snowflake->layout : nullptr};
}

StoreReport report_on(const Settings& settings, const store::Identity& identity,
                      const std::vector<Shown>& spaces, Instant now) {
  const std::string store = shown_store(settings.store);
  const std::string id = spaces.empty() ? "" : store::hex(spaces.front().meta.store_id);
  const std::string time = identity.now ? std::string{TimeText{*identity.now}.view()} : "unknown";
  std::string text;
  std::string json;
  std::string unsafe_text;
  std::string unsafe_json;
  for (const Shown& space : spaces) {
    text += to_text(space, now);
    json += (json.empty() ? "" : ",") + to_json(space, now);
  }
  for (const std::string& setting : identity.unsafe) {
    unsafe_text += fmt::format("  UNSAFE     {}\n", setting);
    unsafe_json += (unsafe_json.empty() ? "" : ",") + mint::json_text(setting);
  }
  if (text.empty()) text = "no space of this configuration has been used yet\n";
  return {.text = fmt::format("store {}\n  engine     {}\n  identity   {}\n  id         {}\n"
                              "  progress   {}\n  time       {}\n{}{}",
                              store, identity.engine, identity.ident, id, identity.progress, time,
                              unsafe_text, text),
          .json = fmt::format("{{\"schema\":1,\"store\":{},\"engine\":{},\"identity\":{},\"id\":{},"
                              "\"progress\":{},\"time\":{},\"unsafe\":[{}],\"spaces\":[{}]}}\n",
                              mint::json_text(store), mint::json_text(identity.engine),
                              mint::json_text(identity.ident), mint::json_text(id),
                              identity.progress, mint::json_text(time), unsafe_json, json)};
}

}  // namespace mintmark::cli
