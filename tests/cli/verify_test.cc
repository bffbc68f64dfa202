#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "cli/verify_sort.h"
#include "cli/verify_tally.h"
#include "seed.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

TEST(Verify, CountsAndApproves) {
  const Shell shell;
  shell.write("a", "01ARZ3NDEKTSV4RRFFQ69G5FAV\n\n1\n2\r\n017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  const Ran ran = shell.run("mintmark verify a");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "ids         4  decimal 2  uuid 1  ulid 1\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "duplicates  0\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "order       a: strictly rising\n")) << ran.out;
}

TEST(Verify, FindsDuplicatesAcrossFilesAndSpellings) {
  const Shell shell;
  shell.write("a", "7\n017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n8\n");
  shell.write("b", "9\n{017F22E2-79B0-7CC3-98C4-DC0C0C07398F}\n7\n7\n");
  const Ran ran = shell.run("mintmark verify a b");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.out, "duplicates  3  of 2 values\n  7  3 times  a:1  b:3\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f  2 times  a:2  b:2\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "order       b: not rising: 1 below and 1 equal to the one before\n"))
      << ran.out;
}

TEST(Verify, NamesTheLinesThatAreNoIds) {
  const Shell shell;
  shell.write("a", "1\nabc\n" + std::string(100'000, 'x') + "\n2\n");
  const Ran ran = shell.run("mintmark verify a");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.out, "  a:2: 'abc' is not an ID: ")) << ran.out;
  EXPECT_TRUE(has(ran.out, "  a:3: 'xxx")) << ran.out;
  EXPECT_TRUE(has(ran.out, "ids         2")) << ran.out;
}

TEST(Verify, CountsWorkersOfALayout) {
  const Shell shell;
  const Ran ran = shell.run(
      "for w in 3 9; do mintmark new snowflake --store none --worker $w -n 50 2>/dev/null; done | "
      "mintmark verify --json -");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "\"workers\":[{\"worker\":3,\"ids\":50},{\"worker\":9,\"ids\":50}]"))
      << ran.out;
  const Ran strict = shell.run("echo 9223372036854775808 | mintmark verify --layout twitter");
  EXPECT_EQ(strict.code, 1);
  EXPECT_TRUE(has(strict.out, "stdin:1: '9223372036854775808' is not an ID of this layout"))
      << strict.out;
}

TEST(Verify, ReadsTheBinaryForm) {
  const Shell shell;
  EXPECT_EQ(shell.run("mintmark new uuid7 -n 1000 -o bin | mintmark verify -b 16").code, 0);
  EXPECT_EQ(shell.run("mintmark new block -n 1000 -o bin | mintmark verify --binary 8").code, 0);
  const Ran cut = shell.run("mintmark new block -n 3 -o bin | head -c 20 | mintmark verify -b 8");
  EXPECT_EQ(cut.code, 1);
  EXPECT_TRUE(has(cut.out, "stdin:3: the last record is not whole")) << cut.out;
  EXPECT_EQ(shell.run("mintmark verify -b 7 /dev/null").code, 2);
}

TEST(Verify, RefusesWhatItCannotRead) {
  const Shell shell;
  const Ran ran = shell.run("mintmark verify nowhere");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.err, "mintmark: nowhere: No such file or directory\n");
  EXPECT_EQ(shell.run("mintmark verify .").code, 1);
  EXPECT_EQ(shell.run("mintmark verify --memory 1M /dev/null").code, 2);
}

// The address sanitizer reserves terabytes: with it the limit says nothing.
#if defined(__SANITIZE_ADDRESS__)
const std::string kLittleSpace;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
const std::string kLittleSpace;
#else
const std::string kLittleSpace = "ulimit -v 49152; ";
#endif
#else
const std::string kLittleSpace = "ulimit -v 49152; ";
#endif

TEST(Verify, SpillsToTheDiskAndFindsEveryPlantedDuplicate) {
  const Shell shell;
  // 4 MiB hold some hundred thousand numbers: a million need many runs.
  std::mt19937_64 random{test_seed()};
  constexpr std::size_t kIds = 1'000'000;
  constexpr std::size_t kPlanted = 1'000;
  std::set<std::uint64_t> values;
  while (values.size() < kIds) values.insert(random());
  std::vector<std::uint64_t> ids(values.begin(), values.end());
  std::ranges::shuffle(ids, random);
  for (std::size_t i = 0; i < kPlanted; ++i) ids.push_back(ids[i * (kIds / kPlanted)]);
  std::ranges::shuffle(ids, random);
  {
    std::ofstream file{shell.folder() + "/ids"};
    for (const std::uint64_t id : ids) file << id << '\n';
  }
  const Ran ran = shell.run(kLittleSpace + "mintmark verify --json --memory 4M ids");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(
      has(ran.out, "\"ids\":1001000,\"invalid\":0,\"duplicates\":1000,\"duplicated_values\":1000,"))
      << ran.out;
}

TEST(Verify, SaysThatTheScratchFolderIsFull) {
  const Shell shell;
  const Ran ran = shell.run(
      "ulimit -f 100; trap '' XFSZ; mintmark new uuid7 -n 1M | mintmark verify --memory 4M");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "File too large")) << ran.err;
}

/// The keys that come more than once in a plain count.
template <class Key>
void expect_same_as_a_map(std::vector<Key> keys, std::size_t memory) {
  std::map<Key, std::uint64_t> expected;
  for (const Key key : keys) ++expected[key];
  std::erase_if(expected, [](const auto& entry) { return entry.second < 2; });
  DuplicateFinder<Key> finder{memory};
  for (const Key key : keys) ASSERT_TRUE(finder.add(key));
  std::map<Key, std::uint64_t> found;
  ASSERT_TRUE(finder.finish([&](Key key, std::uint64_t times) { found[key] = times; }));
  EXPECT_TRUE(found == expected);
}

TEST(DuplicateFinder, AgreesWithAPlainCountAtEverySize) {
  std::mt19937_64 random{test_seed()};
  for (const std::size_t size : {0U, 1U, 2U, 63U, 64U, 65U, 1'000U, 20'000U}) {
    for (const std::uint64_t range : {std::uint64_t{2}, std::uint64_t{500}, ~std::uint64_t{0}}) {
      std::vector<std::uint64_t> narrow(size);
      std::vector<U128> wide(size);
      for (std::uint64_t& key : narrow) key = random() % range;
      for (U128& key : wide) key = static_cast<U128>(random() % range) << 64 | random() % 4;
      expect_same_as_a_map(narrow, 1'024);
      expect_same_as_a_map(narrow, std::size_t{1} << 20);
      expect_same_as_a_map(wide, 2'048);
    }
  }
}

TEST(DuplicateFinder, SortsByAllBytes) {
  std::mt19937_64 random{test_seed()};
  std::vector<U128> keys(5'000);
  for (U128& key : keys) key = static_cast<U128>(random()) << 64 | random();
  std::vector<U128> expected = keys;
  std::ranges::sort(expected);
  std::vector<U128> scratch(keys.size());
  sort_keys<U128>(keys, scratch);
  EXPECT_TRUE(keys == expected);
}

// The volume that one host makes in minutes: a hundred million Snowflakes of four workers.
TEST(Verify, HundredMillionIdsWithin512MiB) {
  const Shell shell;
  const Ran ran = shell.run(
      "for w in 1 2 3 4; do mintmark new snowflake --store none --worker $w -n 25M 2>/dev/null; "
      "done | "
      "mintmark verify --json");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "\"ids\":100000000,\"invalid\":0,\"duplicates\":0,")) << ran.out;
  EXPECT_LT(ran.most_kib, 512 * 1024);
}

TEST(VerifyCommand, CountsEveryKindOfId) {
  const Shell shell;
  for (const std::string scheme :
       {"uuid1", "uuid6", "ksuid", "xid", "objectid", "nanoid", "cuid2", "pushid",
        "typeid --prefix user", "tsid --store none --worker 0"}) {
    const std::string name = scheme.substr(0, scheme.find(' '));
    const Ran ran = shell.run("mintmark new " + scheme + " -n 2000 >ids && mintmark verify ids");
    EXPECT_EQ(ran.code, 0) << scheme << ran.out << ran.err;
    EXPECT_TRUE(has(ran.out, "ids         2000  ")) << ran.out;
    EXPECT_TRUE(has(ran.out, "duplicates  0\n")) << ran.out;
    const bool rises = name != "nanoid" && name != "cuid2" && name != "uuid1" && name != "xid" &&
                       name != "objectid";
    if (rises) {
      EXPECT_TRUE(has(ran.out, "strictly rising")) << scheme << ran.out;
    }
  }
}

TEST(VerifyCommand, FindsDuplicatesOfEveryKind) {
  const Shell shell;
  shell.write("a", "0ujtsYcgvSTl8PAuAdqWYSMnLOv\n507f1f77bcf86cd799439011\n");
  shell.write(
      "b",
      "507F1F77BCF86CD799439011\n0ujtsYcgvSTl8PAuAdqWYSMnLOv\nuser_01h455vb4pex5vsknk084sn02q\n"
      "org_01h455vb4pex5vsknk084sn02q\n");
  const Ran ran = shell.run("mintmark verify a b");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.out, "ids         6  ksuid 2  objectid 2  typeid 2\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "duplicates  2  of 2 values\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "  0ujtsYcgvSTl8PAuAdqWYSMnLOv  2 times  a:1  b:2\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "  507f1f77bcf86cd799439011  2 times  a:2  b:1\n")) << ran.out;
  EXPECT_TRUE(
      has(shell.run("mintmark verify --json a").out, "\"ulid\":0,\"ksuid\":1,\"objectid\":1}"))
      << ran.out;
}

}  // namespace
}  // namespace mintmark::cli
