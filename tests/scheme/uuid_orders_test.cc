#include "mintmark/scheme/uuid_orders.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "mintmark/scheme/uuid_v1.h"
#include "mintmark/scheme/uuid_v7.h"
#include "mintmark/text/slice.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

Uuid uuid(std::string_view text) {
  const auto id = Uuid::parse(text);
  EXPECT_TRUE(id) << text;
  return id.value_or(Uuid{});
}

std::string text_of(const Uuid& id) {
  std::string out(Uuid::facts.text_size, '?');
  id.write(std::span{out});
  return out;
}

std::string hex(std::span<const std::byte> bytes) {
  std::string out(2 * bytes.size(), '?');
  write_hex(bytes, out);
  return out;
}

Uuid random_uuid(Entropy& entropy) { return Uuid::of(*entropy.word(), *entropy.word()); }

using Compare = std::strong_ordering (*)(const Uuid&, const Uuid&);

/// A check of `a < b | true`.
auto less_by(Compare compare) {
  return [compare](const Line& line) {
    const auto words = vectors::words(line.input);
    ASSERT_EQ(words.size(), 3u);
    EXPECT_EQ(compare(uuid(words[0]), uuid(words[2])) < 0, line.expected == "true");
  };
}

/// The UUIDs, given in the order of another system, come out in it whatever they were shuffled to.
void expect_sorted_by(std::string_view order, std::vector<std::string> texts) {
  const auto named = find_uuid_order(order);
  ASSERT_TRUE(named) << order;
  std::vector<Uuid> ids;
  for (const std::string& text : texts) ids.push_back(uuid(text));
  const std::vector<Uuid> sorted = ids;
  for (std::size_t turn = 0; turn < ids.size(); ++turn) {
    std::ranges::rotate(ids, ids.begin() + 1);
    std::vector<Uuid> by_compare = ids;
    std::ranges::sort(by_compare,
                      [&](const Uuid& a, const Uuid& b) { return named->compare(a, b) < 0; });
    EXPECT_EQ(by_compare, sorted) << order;
    std::vector<Uuid> by_key = ids;
    std::ranges::sort(by_key, {}, named->sort_key);
    EXPECT_EQ(by_key, sorted) << order;
    std::ranges::reverse(ids);
  }
}

TEST(UuidOrders, GiveTheKnownAnswers) {
  vectors::check_all("ordering",
                     {{"netbytes",
                       [](const Line& line) {
                         const auto bytes = to_dotnet_bytes(uuid(line.input));
                         EXPECT_EQ(hex(bytes), line.expected);
                         EXPECT_EQ(from_dotnet_bytes(bytes), uuid(line.input));
                       }},
                      {"mysqlswap",
                       [](const Line& line) {
                         const auto bytes = to_mysql_swap_bytes(uuid(line.input));
                         EXPECT_EQ(hex(bytes), line.expected);
                         EXPECT_EQ(from_mysql_swap_bytes(bytes), uuid(line.input));
                       }},
                      {"rfcorder", less_by(bytes_compare)},
                      {"javaorder", less_by(java_compare)},
                      {"sqlorder", less_by(sql_server_compare)},
                      {"sqlchain", less_by(sql_server_compare)},
                      {"sqlsort", [](const Line& line) {
                         std::vector<Uuid> ids;
                         for (const auto& word : vectors::words(line.input))
                           ids.push_back(uuid(word));
                         std::vector<Uuid> sorted = ids;
                         std::ranges::sort(sorted, {}, sql_server_sort_key);
                         std::string positions;
                         for (const Uuid& id : ids) {
                           const auto at = std::ranges::find(sorted, id) - sorted.begin();
                           positions += (positions.empty() ? "" : " ") + std::to_string(at + 1);
                         }
                         EXPECT_EQ(positions, line.expected);
                       }}});
}

TEST(UuidOrders, TheSortKeySortsAsTheComparison) {
  SeededEntropy entropy{test_seed()};
  for (const UuidOrder& order : kUuidOrders) {
    for (int round = 0; round < 5000; ++round) {
      // Often equal but for a few bits, so that every octet decides at some time.
      const Uuid a = random_uuid(entropy);
      const unsigned shift = static_cast<unsigned>(*entropy.word() % 121);
      const U128 flips = U128{*entropy.word() & 0xff} << shift;
      const U128 value = a.integer() ^ flips;
      const Uuid b =
          Uuid::of(static_cast<std::uint64_t>(value >> 64), static_cast<std::uint64_t>(value));
      const auto by_compare = order.compare(a, b);
      ASSERT_EQ(by_compare, order.sort_key(a) <=> order.sort_key(b)) << order.name;
      ASSERT_EQ(by_compare == 0, a == b) << order.name;
      ASSERT_EQ(order.compare(b, a) < 0, by_compare > 0) << order.name;
    }
  }
}

TEST(UuidOrders, AreFoundByName) {
  std::set<std::string_view> names;
  for (const UuidOrder& order : kUuidOrders) {
    EXPECT_TRUE(names.insert(order.name).second);
    const auto found = find_uuid_order(order.name);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->sort_key, order.sort_key);
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"bytes", "signed", "java", "sqlserver", "mysql-swap",
                                               "mariadb", "mariadb-old", "clickhouse"}));
  EXPECT_FALSE(find_uuid_order("Java"));
  EXPECT_FALSE(find_uuid_order(""));
}

TEST(UuidOrders, BytesIsTheOrderOfTheText) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 2000; ++round) {
    const Uuid a = random_uuid(entropy);
    const Uuid b = random_uuid(entropy);
    ASSERT_EQ(bytes_compare(a, b) < 0, text_of(a) < text_of(b));
    ASSERT_EQ(hex(bytes_sort_key(a)), hex(a.bytes()));
  }
}

// What java.util.Collections.sort of OpenJDK 17 makes of these.
TEST(UuidOrders, JavaSortsTheUpperHalfFirst) {
  expect_sorted_by(
      "java", {"80000000-0000-0000-0000-000000000000", "b6be8d3b-0000-4000-8000-000000000000",
               "ffffffff-ffff-ffff-ffff-ffffffffffff", "ffffffff-ffff-ffff-0000-000000000000",
               "00000000-0000-0000-8000-000000000000", "00000000-0000-0000-0000-000000000000",
               "00000000-0000-0000-7fff-000000000000", "01900000-0000-7000-8000-000000000000",
               "7d7d081d-0000-4000-8000-000000000000", "7fffffff-ffff-ffff-0000-000000000000"});
}

TEST(UuidOrders, UnsignedBytesSortWhereJavaDoesNot) {
  const Uuid lower = uuid("7d7d081d-0000-4000-8000-000000000000");
  const Uuid upper = uuid("b6be8d3b-0000-4000-8000-000000000000");
  EXPECT_TRUE(lower < upper);
  EXPECT_TRUE(bytes_compare(lower, upper) < 0);
  EXPECT_TRUE(java_compare(lower, upper) > 0);
  EXPECT_TRUE(signed_compare(lower, upper) > 0);
}

TEST(UuidOrders, OneSignedNumberHasOneSignedHalf) {
  expect_sorted_by("signed",
                   {"80000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-0000-000000000000",
                    "ffffffff-ffff-ffff-ffff-ffffffffffff", "00000000-0000-0000-0000-000000000000",
                    "00000000-0000-0000-7fff-000000000000", "00000000-0000-0000-8000-000000000000",
                    "7fffffff-ffff-ffff-ffff-ffffffffffff"});
}

// The listing of "Comparing GUID and uniqueidentifier values" in the documentation of ADO.NET.
TEST(UuidOrders, SqlServerLooksAtTheLastSixOctetsFirst) {
  expect_sorted_by("sqlserver",
                   {"2AAAAAAA-BBBB-CCCC-DDDD-1EEEEEEEEEEE", "3AAAAAAA-BBBB-CCCC-DDDD-2EEEEEEEEEEE",
                    "1AAAAAAA-BBBB-CCCC-DDDD-3EEEEEEEEEEE"});
}

/// The published rule, by places in Guid.ToByteArray().
TEST(UuidOrders, SqlServerComparesThePlacesOfToByteArray) {
  constexpr std::array<std::size_t, 16> kPlaces{10, 11, 12, 13, 14, 15, 8, 9,
                                                6,  7,  4,  5,  0,  1,  2, 3};
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 200; ++round) {
    const Uuid id = random_uuid(entropy);
    const auto stored = to_dotnet_bytes(id);
    const auto key = sql_server_sort_key(id);
    for (std::size_t i = 0; i < 16; ++i) ASSERT_EQ(key[i], stored[kPlaces[i]]) << i;
  }
}

TEST(UuidOrders, SqlServerDoesNotSortUuidV7ByTime) {
  SeededEntropy entropy{test_seed()};
  std::vector<UuidV7> ids;
  for (int ms = 0; ms < 100; ++ms) {
    UuidV7::Generator generator{entropy};
    ids.push_back(*generator.next(from_unix_ms(1'796'083'200'000 + ms)));
  }
  EXPECT_TRUE(std::ranges::is_sorted(ids, {}, bytes_sort_key));
  EXPECT_FALSE(std::ranges::is_sorted(ids, {}, sql_server_sort_key));
}

// The answers of MySQL 8's own tests of UUID_TO_BIN(u, 1) and BIN_TO_UUID(b, 1).
TEST(UuidOrders, MysqlSwapsFirstAndThirdGroup) {
  EXPECT_EQ(hex(to_mysql_swap_bytes(uuid("c8eb4b15-CB09-48bb-bbb2-e6a0b6b4d5c7"))),
            "48bbcb09c8eb4b15bbb2e6a0b6b4d5c7");
  UuidBytes bytes{};
  ASSERT_TRUE(parse_hex("7f9d04ae61b34468ac798ffcc984ab68", bytes));
  EXPECT_EQ(from_mysql_swap_bytes(bytes), uuid("61b34468-04ae-7f9d-ac79-8ffcc984ab68"));
}

TEST(UuidOrders, MysqlSwapSortsUuidV1ByTimeAndUuidV7Not) {
  SeededEntropy entropy{test_seed()};
  std::vector<UuidV1> v1s;
  std::vector<UuidV7> v7s;
  for (std::uint64_t i = 0; i < 200; ++i) {
    // Half an hour apart: time_low begins anew each 429 s. Half a second: the low bits of the ms vary.
    v1s.push_back(*UuidV1::pack({.ticks = 138'648'505'420'000'000 + i * 18'000'000'000}));
    v7s.push_back(*UuidV7::pack({.unix_ms = 1'796'083'200'000 + i * 500,
                                 .rand_a = static_cast<std::uint16_t>(*entropy.word() & 0xfff)}));
  }
  EXPECT_FALSE(std::ranges::is_sorted(v1s, {}, bytes_sort_key));
  EXPECT_TRUE(std::ranges::is_sorted(v1s, {}, mysql_swap_sort_key));
  EXPECT_TRUE(std::ranges::is_sorted(v7s, {}, bytes_sort_key));
  EXPECT_FALSE(std::ranges::is_sorted(v7s, {}, mysql_swap_sort_key));
}

// Two lists that were printed by a ClickHouse server (23.3, and a build of July 2023), in public reports.
TEST(UuidOrders, ClickhouseLooksAtTheSecondHalfFirst) {
  expect_sorted_by(
      "clickhouse",
      {"ffffffff-ffff-ffff-0000-000000000000", "3f5ffba3-19ff-4f3d-8861-60ae6e1fc1aa",
       "cb5818ab-83b5-48a8-8861-60ae6e1fc1aa", "40634f4f-37bf-44e4-ac7c-6f024ad19990",
       "a72dc048-f72f-470e-b0f9-60cfad6e1157", "00000000-0000-0000-ffff-ffffffffffff"});
  expect_sorted_by("clickhouse",
                   {"0188b9fb-eb7f-791c-88a9-fb465ebfb43c", "0188bf62-dc8a-769d-9cbf-7ab35276c250",
                    "0188b43c-0ea7-7729-ab05-4846dc3f1afe", "0188c17d-67a6-7764-b475-2c985755bb71",
                    "0188c26d-4e68-77fc-ba8e-8b6ec3e045ec"});
}

// Out of the list that MariaDB's own test of ORDER BY expects.
TEST(UuidOrders, MariadbReversesVersionsOneToFive) {
  expect_sorted_by("mariadb",
                   {"00001234-5566-0777-0888-99aabbccddee", "01601234-5566-4777-0888-99aabbccddee",
                    "02401234-5566-6777-0888-99aabbccddee", "02601234-5566-6777-c888-99aabbccddee",
                    "02801234-5566-7777-0888-99aabbccddee", "06201234-5566-f777-c888-99aabbccddee",
                    "12501234-5566-6777-8888-99aabbccddee", "12901234-5566-7777-8888-99aabbccddee",
                    "13301234-5566-8777-8888-99aabbccddee", "16301234-5566-f777-e888-99aabbccddee",
                    "10101234-5566-0777-8888-99aabbccddee", "10501234-5566-1777-8888-99aabbccddee",
                    "12101234-5566-5777-8888-99aabbccddee", "00201234-5566-0777-c888-99aabbccddee",
                    "02201234-5566-5777-c888-99aabbccddee", "10301234-5566-0777-e888-99aabbccddee",
                    "12301234-5566-5777-e888-99aabbccddee"});
}

// The same for a table that MariaDB 10.11.4 has made.
TEST(UuidOrders, MariadbOfOldReversesEveryVersion) {
  expect_sorted_by("mariadb-old",
                   {"00001234-5566-0777-0888-99aabbccddee", "01601234-5566-4777-0888-99aabbccddee",
                    "02801234-5566-7777-0888-99aabbccddee", "06001234-5566-f777-0888-99aabbccddee",
                    "10101234-5566-0777-8888-99aabbccddee", "12101234-5566-5777-8888-99aabbccddee",
                    "12501234-5566-6777-8888-99aabbccddee", "16101234-5566-f777-8888-99aabbccddee",
                    "00201234-5566-0777-c888-99aabbccddee", "02601234-5566-6777-c888-99aabbccddee",
                    "06201234-5566-f777-c888-99aabbccddee", "10301234-5566-0777-e888-99aabbccddee",
                    "16301234-5566-f777-e888-99aabbccddee"});
}

TEST(UuidOrders, MariadbStoresTheGroupsInReverse) {
  EXPECT_EQ(hex(to_mariadb_bytes(uuid("123e4567-e89b-12d3-a456-426655440000"))),
            "426655440000a45612d3e89b123e4567");
  EXPECT_EQ(hex(to_mariadb_bytes(uuid("01890a5d-ac96-774b-bcce-b302099a8057"))),
            "01890a5dac96774bbcceb302099a8057");
  EXPECT_EQ(hex(to_mariadb_bytes(Uuid::nil())), "00000000000000000000000000000000");
  EXPECT_EQ(hex(to_mariadb_bytes(Uuid::max())), "ffffffffffffffffffffffffffffffff");
}

TEST(UuidOrders, MariadbTellsItsTwoWaysOfStoringApart) {
  SeededEntropy entropy{test_seed()};
  std::size_t refused = 0;
  for (std::uint64_t octet6 = 0; octet6 < 256; ++octet6) {
    for (std::uint64_t octet8 = 0; octet8 < 256; ++octet8) {
      const Uuid random = random_uuid(entropy);
      const Uuid id = Uuid::of((random.high() & ~std::uint64_t{0xff00}) | octet6 << 8,
                               random.low() >> 8 | octet8 << 56);
      if (!mariadb_accepts(id)) {
        ++refused;
        continue;
      }
      ASSERT_EQ(from_mariadb_bytes(to_mariadb_bytes(id)), id) << text_of(id);
    }
  }
  EXPECT_EQ(refused, 128u * 128u);
  EXPECT_TRUE(mariadb_accepts(Uuid::nil()) && mariadb_accepts(Uuid::max()));
  EXPECT_FALSE(mariadb_accepts(uuid("03201234-5566-8777-0888-99aabbccddee")));
  EXPECT_TRUE(mariadb_accepts(uuid("13301234-5566-8777-8888-99aabbccddee")));
  EXPECT_FALSE(mariadb_accepts(uuid("2489e9ad-2ee2-8e00-80c9-32d5f69181c0")));
  EXPECT_TRUE(mariadb_accepts(uuid("2489e9ad-2ee2-8e00-81c9-32d5f69181c0")));
}

TEST(UuidOrders, ReadBackWhatTheyWrite) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 2000; ++round) {
    const Uuid id = random_uuid(entropy);
    ASSERT_EQ(from_dotnet_bytes(to_dotnet_bytes(id)), id);
    ASSERT_EQ(from_mysql_swap_bytes(to_mysql_swap_bytes(id)), id);
  }
  const std::array<std::byte, 17> bytes{};
  for (const std::size_t size : {0u, 15u, 17u}) {
    const std::span<const std::byte> wrong{bytes.data(), size};
    const Error error = Error::at(Fault::wrong_length, size);
    EXPECT_EQ(from_dotnet_bytes(wrong).error(), error);
    EXPECT_EQ(from_mysql_swap_bytes(wrong).error(), error);
    EXPECT_EQ(from_mariadb_bytes(wrong).error(), error);
  }
}

}  // namespace
}  // namespace mintmark
