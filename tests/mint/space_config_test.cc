#include "mint/space_config.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace mintmark::mint {
namespace {

Config read(std::string_view toml) {
  auto config = parse_config(toml, "test.toml");
  if (!config) {
    for (const ConfigMistake& mistake : config.error()) {
      ADD_FAILURE() << mistake.line << ':' << mistake.column << ": " << mistake.words;
    }
    return {};
  }
  return std::move(*config);
}

template <class Kind>
Kind kind_in(const Config& config, std::string_view name) {
  const auto found = std::ranges::find(config.spaces, name, &SpaceConfig::name);
  EXPECT_NE(found, config.spaces.end()) << name;
  EXPECT_TRUE(std::holds_alternative<Kind>(found->kind)) << name;
  return std::get<Kind>(found->kind);
}

/// Each mistake as `line:column: words`.
std::vector<std::string> mistakes_in(std::string_view toml) {
  const auto config = parse_config(toml, "test.toml");
  EXPECT_FALSE(config.has_value()) << toml;
  std::vector<std::string> mistakes;
  if (config) return mistakes;
  for (const ConfigMistake& mistake : config.error()) {
    EXPECT_EQ(mistake.file, "test.toml");
    mistakes.push_back(std::to_string(mistake.line) + ":" + std::to_string(mistake.column) + ": " +
                       mistake.words);
  }
  return mistakes;
}

void expect_mistake(std::string_view toml, std::string_view start) {
  const auto mistakes = mistakes_in(toml);
  ASSERT_EQ(mistakes.size(), 1U) << testing::PrintToString(mistakes);
  EXPECT_TRUE(mistakes[0].starts_with(start)) << mistakes[0];
}

TEST(SpaceConfig, AnEmptyFileGivesTheDefaults) {
  const Config config = read("# nothing\n");
  ASSERT_EQ(config.spaces.size(), 14U);
  EXPECT_EQ(config.spaces[0].name, "snowflake");
  EXPECT_EQ(config.http, "127.0.0.1:8080");
  EXPECT_EQ(config.store, "");
}

TEST(SpaceConfig, ReadsEveryKey) {
  const Config config = read(R"(
store = "sqlite:ids.db"
[server]
http = "off"
resp = ":7000"
threads = 3
[space.orders]
scheme = "snowflake"
layout = "time:41 worker:10 seq:12 unit=1ms epoch=2020-01-01"
worker = 7
max_lead = "3s"
max_borrow = "20ms"
sequence_start = "zero"
on_full = "wait 500ms"
on_clock_back = "wait 5ms"
horizon = "500ms"
[space.events]
scheme = "uuid7"
method = "sub_ms"
counter_bits = 12
max_borrow = "100ms"
on_clock_back = "refuse"
[space.invoices]
scheme = "block"
first = 1000
last = 999999
block_min = 10
block_max = 100
[space."a.b"]
scheme = "ulid"
[space.random]
scheme = "uuid4"
)");
  EXPECT_EQ(config.store, "sqlite:ids.db");
  EXPECT_EQ(config.http, "off");
  EXPECT_EQ(config.resp, ":7000");
  EXPECT_EQ(config.threads, 3U);
  EXPECT_EQ(config.spaces.size(), 5U);
  const auto orders = kind_in<SnowflakeConfig>(config, "orders");
  EXPECT_EQ(orders.worker, 7U);
  EXPECT_EQ(orders.layout.slot_count(), 1024U);
  EXPECT_EQ(orders.layout.epoch(), *parse_time("2020-01-01"));
  EXPECT_EQ(orders.policy.max_lead, std::chrono::seconds{3});
  EXPECT_EQ(orders.policy.max_borrow, std::chrono::milliseconds{20});
  EXPECT_EQ(orders.policy.sequence_start, SnowflakePolicy::SequenceStart::zero);
  EXPECT_EQ(orders.wait_full, std::chrono::milliseconds{500});
  EXPECT_EQ(orders.wait_clock_back, std::chrono::milliseconds{5});
  EXPECT_EQ(orders.horizon, std::chrono::milliseconds{500});
  const auto events = kind_in<Uuid7Config>(config, "events");
  EXPECT_EQ(events.options.method, UuidV7::Generator::Method::sub_ms);
  EXPECT_EQ(events.options.counter_bits, 12U);
  EXPECT_EQ(events.options.max_borrow, std::chrono::milliseconds{100});
  EXPECT_EQ(events.options.far_back, UuidV7::Generator::FarBack::refuse);
  const auto invoices = kind_in<BlockConfig>(config, "invoices");
  EXPECT_EQ(invoices.first, 1000U);
  EXPECT_EQ(invoices.last, 999'999U);
  EXPECT_EQ(invoices.block_min, 10U);
  EXPECT_EQ(invoices.block_max, 100U);
  static_cast<void>(kind_in<PlainConfig>(config, "a.b"));
}

TEST(SpaceConfig, AnEpochMovesALayout) {
  for (const std::string_view epoch : {"\"2024-01-01\"", "2024-01-01", "2024-01-01T00:00:00Z"}) {
    const Config config = read("[space.a]\nscheme = \"snowflake\"\nlayout = \"twitter\"\nepoch = " +
                               std::string{epoch});
    const auto layout = kind_in<SnowflakeConfig>(config, "a").layout;
    EXPECT_EQ(layout.epoch(), *parse_time("2024-01-01"));
    EXPECT_EQ(layout.fields().size(), layouts::twitter.fields().size());
  }
}

TEST(SpaceConfig, ThePresetOf2010IsOverriddenByItsNeighbours) {
  const Config config =
      read("[space.a]\nscheme = \"snowflake\"\nmax_borrow = \"1ms\"\npreset = \"twitter-2010\"\n");
  const auto a = kind_in<SnowflakeConfig>(config, "a");
  EXPECT_EQ(a.policy.max_lead, Duration::zero());
  EXPECT_EQ(a.policy.max_borrow, std::chrono::milliseconds{1});
  EXPECT_EQ(a.wait_clock_back, Duration::zero());
  EXPECT_GT(a.wait_full, Duration::zero());
}

TEST(SpaceConfig, NamesTheLineOfATypo) {
  expect_mistake("stroe = \"x\"\n", "1:1: unknown key 'stroe' in the file; did you mean 'store'?");
  expect_mistake("[server]\n  htpt = \"off\"\n",
                 "2:3: unknown key 'htpt' in [server]; did you mean 'http'?");
  expect_mistake("[space.a]\nscheme = \"snowflake\"\nmax_laed = \"1s\"\n",
                 "3:1: unknown key 'max_laed' in [space.a]; did you mean 'max_lead'?");
  expect_mistake("[space.a]\nscheme = \"snowfalke\"\n",
                 "2:10: scheme = \"snowfalke\" is not one of snowflake, uuid4");
  expect_mistake("[space.a]\nscheme = \"snowflake\"\nlayout = \"twiter\"\n",
                 "3:10: layout: there is no layout 'twiter'; did you mean 'twitter'?");
  expect_mistake("[space.a]\nscheme = \"ulid\"\nlayout = \"twitter\"\n",
                 "3:1: unknown key 'layout' in [space.a]");
}

TEST(SpaceConfig, CollectsAllMistakesInTheirOrder) {
  const auto mistakes = mistakes_in(R"([server]
threads = -1
[space.a]
scheme = "snowflake"
horizon = "5ms"
on_full = "perhaps"
worker = 1024
max_lead = 3
[space.b]
scheme = "uuid7"
counter_bits = 43
[space.c]
)");
  ASSERT_EQ(mistakes.size(), 7U) << testing::PrintToString(mistakes);
  EXPECT_EQ(mistakes[0], "2:11: threads = -1 is not in 0 to 256");
  EXPECT_EQ(mistakes[1], "5:11: horizon = 5ms is not in 20ms to 1m");
  EXPECT_TRUE(mistakes[2].starts_with("6:11: on_full must be")) << mistakes[2];
  EXPECT_EQ(mistakes[3], "7:10: worker = 1024 is not in 0 to 1023");
  EXPECT_TRUE(mistakes[4].starts_with("8:12: max_lead must be a length of time")) << mistakes[4];
  EXPECT_EQ(mistakes[5], "11:16: counter_bits = 43 is not in 12 to 42");
  EXPECT_TRUE(mistakes[6].starts_with("12:8: space 'c' has no scheme")) << mistakes[6];
}

TEST(SpaceConfig, SaysWhereALayoutIsWrong) {
  expect_mistake("[space.a]\nscheme = \"snowflake\"\nlayout = \"time:41 worker:x seq:12\"\n",
                 "3:10: layout: a character is not in the alphabet at character 16");
}

TEST(SpaceConfig, RefusesAStoreThatCouldNotBeOpened) {
  expect_mistake("store = \"oracle:x\"\n", "1:9: store: store engine \"oracle\" is not known");
  expect_mistake("store = \"sqlite::memory:\"\n",
                 "1:9: store: store \"sqlite::memory:\": it is not");
}

TEST(SpaceConfig, ReadsAddressesIfItIsToldHow) {
  constexpr std::string_view kText = "[server]\nhttp = \"x\"\nresp = \"x\"\n";
  EXPECT_TRUE(parse_config(kText, "test.toml").has_value());
  using Read = std::expected<std::string, std::string>;
  const auto mistakes = [&](AddressReader reader) {
    const auto config = parse_config(kText, "test.toml", reader);
    std::string words;
    if (config) return words;
    for (const ConfigMistake& each : config.error()) {
      words += std::to_string(each.line) + ": " + each.words + "\n";
    }
    return words;
  };
  EXPECT_EQ(mistakes([](std::string_view text) { return Read{std::string{text}}; }),
            "3: http and resp cannot both listen on x\n");
  EXPECT_EQ(mistakes([](std::string_view) { return Read{std::string{}}; }), "");
  EXPECT_EQ(mistakes([](std::string_view) { return Read{std::unexpected("no")}; }),
            "2: http: no\n3: resp: no\n");
}

TEST(SpaceConfig, RefusesWhatIsNoToml) { expect_mistake("[space.a\nscheme = 1\n", "1:"); }

TEST(SpaceConfig, RefusesNamesThatNoProtocolCouldCarry) {
  EXPECT_TRUE(is_space_name("a"));
  EXPECT_TRUE(is_space_name("Orders_2-x.y:z"));
  EXPECT_FALSE(is_space_name(""));
  EXPECT_FALSE(is_space_name("-a"));
  EXPECT_FALSE(is_space_name("a b"));
  EXPECT_FALSE(is_space_name("a/b"));
  EXPECT_FALSE(is_space_name(std::string(65, 'a')));
  expect_mistake("[space.\"a b\"]\nscheme = \"ulid\"\n", "1:8: 'a b' is no name of a space");
}

TEST(SpaceConfig, TheDefinitionIsWhatDecidesValues) {
  const Config config = read(R"([space.a]
scheme = "snowflake"
max_lead = "1s"
[space.b]
scheme = "block"
first = 5
[space.c]
scheme = "uuid7"
)");
  EXPECT_EQ(
      config.spaces[0].definition(),
      "snowflake time:41 dc:5 worker:5 seq:12 unit=1ms epoch=2010-11-04T01:42:54.657Z signed");
  EXPECT_EQ(config.spaces[1].definition(), "block first=5");
  EXPECT_EQ(config.spaces[2].definition(), "");
}

TEST(SpaceConfig, ReadsTheOptionsOfEachScheme) {
  const Config config = read(R"(
[space.codes]
scheme = "nanoid"
alphabet = "0123456789"
size = 8
[space.short]
scheme = "cuid2"
size = 10
[space.users]
scheme = "typeid"
prefix = "user"
[space.links]
scheme = "token"
bits = 256
form = "base64url"
[space.shards]
scheme = "instagram"
worker = 7
[space.rows]
scheme = "shardfirst"
first = 10
)");
  EXPECT_EQ(kind_in<NanoidConfig>(config, "codes").size, 8U);
  EXPECT_EQ(kind_in<NanoidConfig>(config, "codes").alphabet, "0123456789");
  EXPECT_EQ(kind_in<Cuid2Config>(config, "short").size, 10U);
  EXPECT_EQ(kind_in<TypeIdConfig>(config, "users").prefix.view(), "user");
  EXPECT_EQ(kind_in<TokenConfig>(config, "links").bits, 256U);
  EXPECT_EQ(kind_in<TokenConfig>(config, "links").dress, TokenDress::base64url);
  const auto shards = kind_in<SnowflakeConfig>(config, "shards");
  EXPECT_EQ(shards.layout, layouts::instagram);
  EXPECT_EQ(shards.worker, 7U);
  const auto rows = std::ranges::find(config.spaces, "rows", &SpaceConfig::name);
  EXPECT_EQ(rows->scheme(), "shardfirst");
  // Numbers that are dressed are other values than those that are not.
  EXPECT_EQ(rows->definition(), "shardfirst first=10");
}

TEST(SpaceConfig, RefusesOptionsThatWouldMakeBadIds) {
  expect_mistake("[space.a]\nscheme = \"nanoid\"\nsize = 0\n", "3:8: size");
  expect_mistake("[space.a]\nscheme = \"nanoid\"\nsize = 129\n", "3:8: size");
  expect_mistake("[space.a]\nscheme = \"nanoid\"\nalphabet = \"a\"\n",
                 "3:12: alphabet: it must have 2");
  expect_mistake("[space.a]\nscheme = \"nanoid\"\nalphabet = \"abca\"\n",
                 "3:12: alphabet: 'a' is in it twice");
  expect_mistake("[space.a]\nscheme = \"nanoid\"\nalphabet = 'ab\"'\n",
                 "3:12: alphabet: byte 0x22 cannot be in it");
  expect_mistake("[space.a]\nscheme = \"cuid2\"\nsize = 33\n", "3:8: size");
  expect_mistake("[space.a]\nscheme = \"typeid\"\nprefix = \"User\"\n", "3:10: prefix: at 0");
  expect_mistake("[space.a]\nscheme = \"token\"\nbits = 120\n", "3:8: bits");
  expect_mistake("[space.a]\nscheme = \"token\"\nbits = 129\n", "3:8: bits must be a multiple");
  expect_mistake("[space.a]\nscheme = \"shardfirst\"\nlast = 288230376151711744\n", "3:8: last");
}

}  // namespace
}  // namespace mintmark::mint
