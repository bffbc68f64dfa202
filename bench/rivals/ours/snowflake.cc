// Layouts with the widths of a rival's, 18 bits of sequence: 262 IDs a microsecond, so that what is measured
// is the code and not the end of the format.
#include "mintmark/scheme/snowflake.h"

#include "bench/rivals/ours/works.h"

namespace rivals {

namespace {

using mintmark::Snowflake;
using mintmark::SnowflakeGenerator;
using mintmark::SnowflakeLayout;

constexpr SnowflakeLayout kBwmarrin =
    *SnowflakeLayout::make({.fields = {{"time", 41}, {"node", 4}, {"seq", 18}},
                            .unit = std::chrono::milliseconds{1},
                            .epoch = mintmark::from_unix_ms(1'288'834'974'657)});
constexpr SnowflakeLayout kSony =
    *SnowflakeLayout::make({.fields = {{"time", 41}, {"seq", 18}, {"machine", 4}},
                            .unit = std::chrono::milliseconds{1},
                            .epoch = mintmark::from_unix_ms(1'735'689'600'000)});

/// Fields as decimal numbers, in the order of the answers.
using Fields = std::string (*)(std::uint64_t);

std::string join(std::int64_t a, std::uint64_t b, std::uint64_t c) {
  return std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c);
}
std::string twitter_fields(std::uint64_t id) {
  const SnowflakeLayout& layout = mintmark::layouts::twitter;
  return join(mintmark::unix_ms(layout.instant_of(layout.tick_of(id))), layout.slot_of(id),
              layout.sequence_of(id));
}
std::string sonyflake_fields(std::uint64_t id) {
  const SnowflakeLayout& layout = mintmark::layouts::sonyflake;
  return join(static_cast<std::int64_t>(layout.tick_of(id)), layout.sequence_of(id),
              layout.slot_of(id));
}

void check_fields(Program& program, const std::string& family, Fields fields) {
  program.checked<Snowflake>(family,
                             {[](const std::string& text) {
                                const auto id = Snowflake::parse(text);
                                return id ? std::optional<Snowflake>{*id} : std::nullopt;
                              },
                              [](const Snowflake& id) {
                                std::array<char, Snowflake::kMostText> text;
                                return std::string{text.data(), id.write(text)};
                              },
                              [fields](const Snowflake& id) { return fields(id.value()); }});
}

void add_layout(Program& program, const std::string& name, SnowflakeGenerator& generator) {
  std::vector<std::uint64_t> made(kMade);
  for (std::uint64_t& value : made) {
    const auto id = generator.next(mintmark::io::wall_now());
    require(id.has_value(), "next refused");
    value = id->value();
    require(generator.layout().slot_of(value) == 1, "the node is another");
  }
  check_rising(made);
  program.add(name, repeat([&generator] {
                const auto id = generator.next(mintmark::io::wall_now());
                if (!id) [[unlikely]]
                  wrong("next refused");
                keep(*id);
              }));
}

}  // namespace

void add_snowflake(Program& program) {
  using mintmark::TickWindow;
  static SnowflakeGenerator bwmarrin{kBwmarrin, *kBwmarrin.slot(1), TickWindow::whole(kBwmarrin)};
  static SnowflakeGenerator sony{kSony, *kSony.slot(1), TickWindow::whole(kSony)};
  check_fields(program, "twitter", twitter_fields);
  check_fields(program, "sonyflake", sonyflake_fields);
  add_layout(program, "snowflake_wide", bwmarrin);
  add_layout(program, "sonyflake_wide", sony);
}

}  // namespace rivals
