#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "cli/chooser.h"
#include "mintmark/scheme/catalogue.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

/// Every combination of needs, makers and stores.
std::vector<Wish> all_wishes() {
  std::vector<Wish> wishes;
  for (unsigned needs = 0; needs < 32; ++needs) {
    for (int maker = -1; maker < 3; ++maker) {
      for (std::size_t store = 0; store <= kStores.size(); ++store) {
        Wish wish;
        for (unsigned i = 0; i < 5; ++i) wish.needs[i] = (needs >> i & 1) != 0;
        if (maker >= 0) wish.maker = static_cast<Maker>(maker);
        if (store < kStores.size()) wish.store = kStores[store];
        wishes.push_back(wish);
      }
    }
  }
  return wishes;
}

std::string best(const Wish& wish) { return std::string{rank_choices(wish).front().choice->name}; }

Wish wanting(std::initializer_list<Need> needs, std::string_view store = "") {
  Wish wish;
  for (const Need need : needs) wish.needs[static_cast<std::size_t>(need)] = true;
  wish.store = store;
  return wish;
}

TEST(Chooser, HasNoDeadEnd) {
  for (const Wish& wish : all_wishes()) {
    const auto verdicts = rank_choices(wish);
    ASSERT_EQ(verdicts.size(), std::size(kChoices));
    // What sorts by time tells its time; what needs no store for 64 bits has too few left for chance.
    const bool apart = wish.wants(Need::uncoordinated) || wish.maker == Maker::client;
    const std::size_t contradictions =
        (wish.wants(Need::sortable) && wish.wants(Need::hidden) ? 1U : 0U) +
        (wish.wants(Need::compact) && apart ? 1U : 0U);
    EXPECT_LE(verdicts.front().misses.size(), contradictions);
    EXPECT_TRUE(std::ranges::is_sorted(verdicts, {},
                                       [](const Verdict& each) { return each.misses.size(); }));
    for (const Verdict& verdict : verdicts) EXPECT_FALSE(verdict.watch.empty());
  }
}

TEST(Chooser, EveryNeedAndStoreChangesSomething) {
  std::set<std::string> answers;
  for (const Wish& wish : all_wishes()) answers.insert(best(wish));
  for (const char* name : {"uuid7", "uuid4", "ulid", "snowflake", "nanoid", "sealed", "block",
                           "objectid", "bitreversed"})
    EXPECT_TRUE(answers.contains(name)) << name;
}

TEST(Chooser, EveryRuleIsAboutSomething) {
  const auto known = [](std::string_view scheme) {
    return scheme == "rising" || scheme == "random" ||
           std::ranges::find(kChoices, scheme, &Choice::name) != std::end(kChoices);
  };
  for (const StoreRule& rule : kStoreRules) {
    EXPECT_TRUE(known(rule.scheme)) << rule.scheme;
    EXPECT_NE(std::ranges::find(kStores, rule.store), kStores.end()) << rule.store;
  }
  for (const MakerRule& rule : kMakerRules) EXPECT_TRUE(known(rule.scheme)) << rule.scheme;
  for (const ColumnRule& rule : kColumnRules)
    EXPECT_NE(std::ranges::find(kStores, rule.store), kStores.end()) << rule.store;
}

TEST(Chooser, SaysTheSizesOfTheCatalogue) {
  for (const Choice& choice : kChoices) {
    const CatalogueRow* row = find_scheme(choice.name);
    if (row == nullptr) {
      EXPECT_TRUE(choice.name == "sealed" || choice.name == "block") << choice.name;
      continue;
    }
    EXPECT_EQ(choice.sortable, row->scheme.order != TimeOrder::none) << choice.name;
    EXPECT_EQ(choice.compact, row->scheme.bits <= 64) << choice.name;
    EXPECT_EQ(choice.title, row->scheme.title) << choice.name;
  }
}

TEST(Chooser, KnowsTheUsualCases) {
  EXPECT_EQ(best(wanting({})), "uuid7");
  EXPECT_EQ(best(wanting({Need::sortable}, "postgresql")), "uuid7");
  EXPECT_EQ(best(wanting({Need::hidden})), "uuid4");
  EXPECT_EQ(best(wanting({Need::hidden, Need::readable})), "nanoid");
  EXPECT_EQ(best(wanting({Need::sortable, Need::compact})), "snowflake");
  EXPECT_EQ(best(wanting({Need::sortable, Need::readable, Need::uncoordinated})), "ulid");
  EXPECT_EQ(best(wanting({Need::hidden, Need::compact})), "sealed");
  EXPECT_EQ(best(wanting({Need::compact}, "spanner")), "bitreversed");
  EXPECT_EQ(best(wanting({}, "cockroachdb")), "uuid4");
  EXPECT_EQ(best(wanting({}, "mongodb")), "uuid7");
  EXPECT_EQ(best(wanting({Need::sortable, Need::uncoordinated, Need::readable}, "mongodb")),
            "objectid");
}

TEST(Chooser, AClientIsGivenNoWorkerNumber) {
  Wish wish = wanting({Need::compact});
  wish.maker = Maker::client;
  for (const Verdict& verdict : rank_choices(wish)) {
    if (!verdict.choice->uncoordinated) {
      EXPECT_FALSE(verdict.misses.empty()) << verdict.choice->name;
    }
  }
}

TEST(Chooser, WarnsOfClocksThatDiffer) {
  const auto warned = [](std::string_view store, double rate) {
    Wish wish = wanting({Need::sortable}, store);
    wish.rate = rate;
    const auto verdicts = rank_choices(wish);
    return std::ranges::any_of(verdicts.front().watch, [](const std::string& words) {
      return has(words, "clocks of two hosts");
    });
  };
  EXPECT_FALSE(warned("postgresql", 20'000));
  EXPECT_TRUE(warned("postgresql", 40'000));
  EXPECT_FALSE(warned("mysql", 1'000));
  EXPECT_TRUE(warned("mysql", 3'000));
  EXPECT_FALSE(warned("sqlite", 1e6));
}

TEST(Choose, SaysWhyAndWhatNot) {
  const Shell shell;
  const Ran ran = shell.run("mintmark choose --sortable --store postgres");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("uuid7  UUIDv7: ")) << ran.out;
  EXPECT_TRUE(has(ran.out, "  table       CREATE TABLE things (id uuid PRIMARY KEY);\n"))
      << ran.out;
  EXPECT_TRUE(has(ran.out, "\nnext best\n  ulid ")) << ran.out;
  EXPECT_TRUE(has(ran.out, "\nnot\n  uuid4       does not sort by time\n")) << ran.out;
  const Ran none = shell.run("mintmark choose --hidden --compact --uncoordinated");
  EXPECT_TRUE(none.out.starts_with("no ID is all of that; the nearest is\n\nuuid4 ")) << none.out;
  EXPECT_TRUE(has(none.out, "  but         needs more than 64 bits\n")) << none.out;
}

TEST(Choose, JsonHasTheWholeRanking) {
  const Shell shell;
  const Ran ran = shell.run("mintmark choose --hidden --compact --json");
  EXPECT_TRUE(ran.out.starts_with("{\"schema\":1,\"ranking\":[{\"name\":\"sealed\",")) << ran.out;
  EXPECT_EQ(lines(ran.out), std::size(kChoices));
}

TEST(Choose, AsksOnATerminal) {
  const Shell shell;
  // The terminal is that of script(1); the answers are a yes, a no, three times nothing, a maker and a store.
  const Ran ran = shell.run(
      "printf 'y\\nn\\n\\n\\n\\nserver\\nnowhere\\nmariadb\\n' | "
      "script --quiet --return --echo never --command 'mintmark choose' /dev/null");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "Must IDs sort by the time they were made? [y/N] ")) << ran.out;
  EXPECT_TRUE(has(ran.out, "'nowhere' is none of these")) << ran.out;
  EXPECT_TRUE(
      has(ran.out,
          "the same without questions: mintmark choose --sortable --maker server --store mariadb"))
      << ran.out;
  EXPECT_TRUE(has(ran.out, "uuid7  UUIDv7: ")) << ran.out;
}

TEST(Choose, AnEndOfInputEndsTheQuestions) {
  const Shell shell;
  const Ran ran = shell.run("mintmark choose --ask");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.out.starts_with("uuid7  ")) << ran.out;
  EXPECT_EQ(shell.run("echo y | mintmark choose --ask").out,
            shell.run("mintmark choose --sortable").out);
}

TEST(Choose, RefusesWithAHint) {
  const Shell shell;
  EXPECT_TRUE(has(shell.run("mintmark choose --store mongo").err, "did you mean 'mongodb'?"));
  EXPECT_EQ(shell.run("mintmark choose --maker somebody").code, 2);
  EXPECT_EQ(shell.run("mintmark choose --rate fast").code, 2);
  EXPECT_EQ(shell.run("mintmark choose uuid7").code, 2);
}

}  // namespace
}  // namespace mintmark::cli
