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

TEST(ConfigCommand, NamesAddressesAndStoresThatCannotBe) {
  const Shell shell;
  const auto check = [&](std::string_view text) {
    shell.write("m.toml", text);
    const Ran ran = shell.run("mintmark config check m.toml");
    EXPECT_EQ(ran.code, ran.err.empty() ? 0 : 2) << ran.err;
    return ran.err;
  };
  EXPECT_EQ(
      check("store = \"oracle:x\"\n[server]\nhttp = \"localhost\"\nresp = \":66000\"\n"
            "threads = 300\n"),
      "mintmark: m.toml:1:9: store: store engine \"oracle\" is not known; write sqlite:PATH, "
      "postgres://USER@HOST/DATABASE, mariadb://USER@HOST/DATABASE, etcd://HOST, zookeeper://HOST "
      "or redis://HOST\n"
      "mintmark: m.toml:3:8: http: address 'localhost': write IP:PORT, :PORT for this machine "
      "only, unix:/path, or off\n"
      "mintmark: m.toml:4:8: resp: address ':66000': the port must be a number from 0 to "
      "65535\n"
      "mintmark: m.toml:5:11: threads = 300 is not in 0 to 256\n");
  EXPECT_TRUE(has(check("store = \"memory:x\"\n"), "m.toml:1:9: store: store engine \"memory\""));
  const std::string twice = "http and resp cannot both listen on ";
  EXPECT_TRUE(has(check("[server]\nhttp = \"localhost:7000\"\nresp = \":7000\"\n"),
                  "m.toml:3:8: " + twice + "127.0.0.1:7000"));
  // The other one is a default.
  EXPECT_TRUE(has(check("[server]\nresp = \":8080\"\n"), "m.toml:2:8: " + twice));
  EXPECT_TRUE(has(check("[server]\nhttp = \":6380\"\n"), "m.toml:2:8: " + twice));
  EXPECT_TRUE(has(check("[server]\nhttp = \"unix:a\"\nresp = \"unix:a\"\n"), "m.toml:3:8: "));
  for (const std::string_view both : {"off", "127.0.0.1:0", "[::1]:0"}) {
    EXPECT_EQ(check("[server]\nhttp = \"" + std::string{both} + "\"\nresp = \"" +
                    std::string{both} + "\"\n"),
              "");
  }
  EXPECT_EQ(check("[server]\nhttp = \":8081\"\nresp = \"[::1]:8081\"\n"), "");
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

TEST(StoreCommand, KnowsNoStoreThatForgets) {
  const Shell shell;
  shell.write("m.toml", "store = \"memory:x\"\n");
  for (const std::string line :
       {"new snowflake --store memory:x", "new block --store memory:", "new uuid7 --store memory:x",
        "serve --store memory:x --http off --resp off", "store show --store memory:x",
        "new snowflake --config m.toml", "new block --store sqlite::memory:",
        "new block --store 'sqlite:file:a.db?mode=memory'", "new block --store sqlite:"}) {
    const Ran ran = shell.run("mintmark " + line);
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_TRUE(has(ran.err, "sqlite:")) << line << ran.err;
    EXPECT_EQ(lines(ran.err), 1U) << line << ran.err;
  }
  const Ran ran = shell.run("MINTMARK_STORE=memory:x mintmark new snowflake");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(
      ran.err,
      "mintmark: MINTMARK_STORE: store engine \"memory\" forgets everything with its process; "
      "write sqlite:PATH\n");
  EXPECT_EQ(shell.run("mintmark store show --store none").code, 2);
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
