#include "mintmark/os.h"

#include <array>
#include <chrono>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "mintmark/c.h"
#include "mintmark/scheme/snowflake.h"
#include "tests/child_process.h"
#include "tests/temp_folder.h"

namespace mintmark {
namespace {

/// Far longer than a first grant takes on a machine that does much else.
constexpr Duration kPatience = std::chrono::minutes{1};

template <class S>
void expect_two(Result<S> (*make)()) {
  const auto first = make();
  const auto second = make();
  ASSERT_TRUE(first.has_value());
  ASSERT_TRUE(second.has_value());
  EXPECT_NE(*first, *second);
  if constexpr (TimeOrdered<S> && S::facts.order == TimeOrder::monotonic) {
    EXPECT_LT(*first, *second);
  }
  if constexpr (TimeOrdered<S>) {
    EXPECT_LT(wall_now() - first->time(), std::chrono::minutes{1}) << S::facts.name;
  }
  std::array<char, S::facts.text_size> text;
  EXPECT_EQ(S::parse({text.data(), first->write(text)}), *first);
}

TEST(Os, MakesEachKindWithOneCall) {
  expect_two(uuid1);
  expect_two(uuid4);
  expect_two(uuid6);
  expect_two(uuid7);
  expect_two(ulid);
  expect_two(ksuid);
  expect_two(xid);
  expect_two(object_id);
  expect_two(push_id);
  expect_two(new_nanoid);
  expect_two(new_cuid2);
}

TEST(Os, ATypeIdHasItsPrefix) {
  const auto prefix = TypePrefix::parse("user");
  ASSERT_TRUE(prefix.has_value());
  const auto id = type_id(*prefix);
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(id->prefix(), *prefix);
  EXPECT_EQ(id->uuid().version(), 7U);
}

TEST(Os, SharesItsMakerWithC) {
  const auto before = uuid7();
  std::array<char, MINTMARK_TEXT_SIZE> text;
  ASSERT_EQ(mintmark_new("uuid7", text.data(), text.size(), nullptr), MINTMARK_OK);
  const auto between = UuidV7::parse(text.data());
  const auto after = uuid7();
  ASSERT_TRUE(before && between && after);
  EXPECT_LT(*before, *between);
  EXPECT_LT(*between, *after);
}

TEST(Os, GivesTheClockAndTheEntropyOfTheSystem) {
  EXPECT_LT(wall_now() - os_clock().wall(), std::chrono::seconds{1});
  const auto first = os_entropy().word();
  const auto second = os_entropy().word();
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  // A generator of one's own, where IDs of one thread need not rise over those of others.
  UuidV7::Generator generator{os_entropy()};
  EXPECT_TRUE(generator.next(wall_now()).has_value());
}

class OsMint : public ::testing::Test {
 protected:
  TempFolder folder_;
  // In a folder that is made with it, where nothing can have been lost: it gives its first grant at once.
  const std::string store_ = "sqlite:" + (folder_ / "new/ids.db");
};

TEST_F(OsMint, MakesSnowflakesOfAStore) {
  auto opened = Mint::open(store_);
  ASSERT_TRUE(opened.has_value()) << opened.error().detail;
  Mint mint = std::move(*opened);
  ASSERT_TRUE(mint.wait_until_ready(kPatience).has_value());
  const auto first = mint.next();
  ASSERT_TRUE(first.has_value());
  std::array<std::uint64_t, 1'000> ids;
  const auto made = mint.fill(ids);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(*made, ids.size());
  EXPECT_LT(*first, ids[0]);
  EXPECT_EQ(std::set<std::uint64_t>(ids.begin(), ids.end()).size(), ids.size());
  std::array<char, 32> text;
  ASSERT_LE(mint.text_size(), text.size());
  const auto size = mint.next_text(text);
  ASSERT_TRUE(size.has_value());
  EXPECT_TRUE(TwitterId::parse({text.data(), *size}).has_value());
  EXPECT_EQ(mint.take(1).error().fault(), Fault::wrong_type);
}

TEST_F(OsMint, TakesRunsOfABlockSpace) {
  auto mint = Mint::open({.store = store_, .space = "block"});
  ASSERT_TRUE(mint.has_value()) << mint.error().detail;
  ASSERT_TRUE(mint->wait_until_ready(kPatience).has_value());
  const auto run = mint->take(10);
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->first, 1U);
  EXPECT_EQ(run->last, 10U);
  EXPECT_EQ(mint->take(0).error().fault(), Fault::invalid_argument);
}

TEST_F(OsMint, SaysWhyItCannotBeOpened) {
  const auto mint = Mint::open("memory:nothing");
  ASSERT_FALSE(mint.has_value());
  EXPECT_EQ(mint.error().error.fault(), Fault::invalid_argument);
  EXPECT_NE(mint.error().detail.find("memory"), std::string::npos) << mint.error().detail;
  const auto other = Mint::open({.store = store_, .space = "nothing"});
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().error.fault(), Fault::unknown_space);
}

TEST_F(OsMint, RefusesInAForkedChild) {
  auto mint = Mint::open({.store = store_, .waiting = Mint::Waiting::never});
  ASSERT_TRUE(mint.has_value()) << mint.error().detail;
  ASSERT_TRUE(mint->wait_until_ready(kPatience).has_value());
  ChildProcess child{[&](int) {
    const auto id = mint->next();
    return !id && id.error().fault() == Fault::forked && uuid7() ? 0 : 1;
  }};
  EXPECT_EQ(child.status(), 0);
  EXPECT_TRUE(mint->next().has_value());
}

}  // namespace
}  // namespace mintmark
