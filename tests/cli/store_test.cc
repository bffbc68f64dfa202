#include <filesystem>

#include <gtest/gtest.h>

#include "shell.h"

namespace mintmark::cli {
namespace {

TEST(ConfigCommand, NamesEveryMistakeWithItsPlace) {
  const Shell shell;
  shell.write("m.toml",
              "[server]\nhtpt = \"off\"\n[space.a]\nscheme = \"snowflake\"\nhorizon = \"5ms\"\n");
  const Ran ran = shell.run("mintmark config check m.toml");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err,
            "mintmark: m.toml:2:1: unknown key 'htpt' in [server]; did you mean 'http'?\n"
            "mintmark: m.toml:5:11: horizon = 5ms is not in 20ms to 1m\n");
  EXPECT_EQ(shell.run("mintmark config check nowhere.toml").code, 2);
}

TEST(ConfigCommand, RefusesALayoutThatHasEndedAndWarnsOfAnEndNearBy) {
  const Shell shell;
  // 28 bits of seconds since 2016-05-20 +08:00: the default of a known generator, which ended in 2024.
  shell.write("m.toml",
              "[space.a]\nscheme = \"snowflake\"\nlayout = \"time:28 worker:22 seq:13 unit=1s "
              "epoch=2016-05-19T16:00:00Z\"\n");
  const Ran ran = shell.run("mintmark config check m.toml");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "the time field of its layout has ended on 2024-11-20T13:24:16.000Z"))
      << ran.err;
  EXPECT_EQ(shell.run("mintmark serve --config m.toml --http off --resp off").code, 2);
}

TEST(ConfigCommand, ShowsWhatHoldsAndWhoSaidSo) {
  const Shell shell;
  const Ran defaults = shell.run("mintmark config show");
  EXPECT_EQ(defaults.code, 0);
  EXPECT_TRUE(has(defaults.out, "/.local/state/mintmark/mintmark.db  (the default)\n"))
      << defaults.out;
  shell.write("m.toml", "store = \"sqlite:a.db\"\n");
  EXPECT_TRUE(has(shell.run("mintmark config show --config m.toml").out, "sqlite:a.db  (m.toml)"));
  EXPECT_TRUE(has(shell.run("MINTMARK_STORE=sqlite:b.db mintmark config show --config m.toml").out,
                  "sqlite:b.db  (MINTMARK_STORE)"));
  EXPECT_TRUE(has(
      shell.run("MINTMARK_STORE=sqlite:b.db mintmark config show --store sqlite:c.db --json").out,
      "\"store\":\"sqlite:c.db\",\"store_origin\":\"--store\""));
  std::filesystem::create_directories(shell.folder() + "/.config/mintmark");
  shell.write(".config/mintmark/config.toml", "store = \"sqlite:d.db\"\n");
  EXPECT_TRUE(has(shell.run("mintmark config show").out, "sqlite:d.db"));
}

TEST(StoreCommand, ShowsSpacesAndMarks) {
  const Shell shell;
  ASSERT_EQ(shell.run("mintmark new snowflake && mintmark new block -n 3").code, 0);
  const Ran ran = shell.run("mintmark store show");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "space snowflake\n  definition snowflake time:41 dc:5 worker:5 seq:12"))
      << ran.out;
  EXPECT_TRUE(has(ran.out, "1024 in all, 1 ever used")) << ran.out;
  EXPECT_TRUE(has(ran.out, "space block\n  definition block first=1\n")) << ran.out;
  const Ran json = shell.run("mintmark store show --json");
  EXPECT_TRUE(has(json.out, "\"name\":\"block\"")) << json.out;
  EXPECT_TRUE(has(json.out, "\"engine\":\"sqlite\"")) << json.out;
}

TEST(StoreCommand, LookingMakesNoStoreAndNoSpace) {
  const Shell shell;
  const Ran none = shell.run("mintmark store show --store sqlite:none/at.db");
  EXPECT_EQ(none.code, 69);
  EXPECT_FALSE(std::filesystem::exists(shell.folder() + "/none"));
  ASSERT_EQ(shell.run("mintmark new block").code, 0);
  const Ran ran = shell.run("mintmark store show && mintmark store show");
  EXPECT_FALSE(has(ran.out, "space snowflake")) << ran.out;
}

TEST(StoreCommand, AcceptsTheTime) {
  const Shell shell;
  ASSERT_EQ(shell.run("mintmark new snowflake").code, 0);
  const Ran ran = shell.run("mintmark store accept-time");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "accepted: it is ")) << ran.err;
  EXPECT_EQ(shell.run("mintmark store acept-time").code, 2);
}

}  // namespace
}  // namespace mintmark::cli
