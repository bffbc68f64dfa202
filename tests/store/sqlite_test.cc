// The SQLite engine: the contract, how the file is made, and what is refused about it.

#include "store/sqlite.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/host.h"
#include "io/os_clock.h"
#include "tests/child_process.h"
#include "tests/store/contract.h"
#include "tests/store/sqlite_engine.h"

namespace mintmark::store {
namespace {

namespace fs = std::filesystem;

INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, StoreContract, SqliteEngine);

class SqliteStoreTest : public StoreContract<SqliteEngine> {
 protected:
  Outcome<Opened> try_open(const std::string& path) {
    return open_sqlite(path, Environment{clock_}, soon());
  }
  Outcome<Opened> try_open() { return try_open(engine_.path()); }

  void expect_detail(const auto& outcome, Fault fault, std::string_view words) {
    expect_fault(outcome, fault);
    if (outcome) return;
    EXPECT_TRUE(outcome.error().detail.contains(words)) << outcome.error().detail;
  }
  /// What is in the folder of the store.
  std::set<std::string> files() {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator{fs::path{engine_.path()}.parent_path()}) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
  static void write_file(const std::string& path, const std::string& text) {
    std::ofstream{path, std::ios::binary} << text;
  }
  void make_folder() { fs::create_directory(fs::path{engine_.path()}.parent_path()); }
};

TEST_F(SqliteStoreTest, MakesItsFileWithAllFoldersAndNothingElse) {
  const auto path = engine_.folder() / "a/b/c/store.db";
  ASSERT_TRUE(try_open(path).has_value());
  EXPECT_TRUE(fs::is_regular_file(path));
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator{engine_.folder().path()}) {
    found.insert(entry.path().filename().string());
  }
  EXPECT_EQ(found, (std::set<std::string>{"a", "b", "c", "store.db"}));
  struct stat facts {};
  ASSERT_EQ(::stat((engine_.folder() / "a/b/c").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700U);
}

TEST_F(SqliteStoreTest, WaitsForAnEarlierStoreUnlessItMadeTheFolder) {
  EXPECT_EQ(make(*open(), slots()).not_before, 0U);
  // Also for a space that is made later.
  clock_.advance(std::chrono::hours{1});
  EXPECT_EQ(make(*open(), slots("second")).not_before, 0U);

  // Somebody removes the file; the folder stays, and so may the grants.
  fs::remove(engine_.path());
  auto store = open();
  const auto meta = make(*store, slots());
  EXPECT_EQ(meta.not_before, tick() + kWindow);
  expect_not_yet(store->advance(window(meta, 0), soon()), meta.not_before);
  clock_.advance(std::chrono::milliseconds{1});
  const auto grant = granted(store->advance(window(meta, 0), soon()));
  EXPECT_EQ(grant.start, meta.not_before);
  EXPECT_EQ(grant.end, meta.not_before + 1);
  EXPECT_EQ(make(*store, slots("third")).not_before, tick() + kWindow);
  // A counter has no time to wait for.
  EXPECT_EQ(make(*store, counter()).not_before, 0U);
}

TEST_F(SqliteStoreTest, RefusesWhatIsNoStore) {
  make_folder();
  const auto refuse = [&](Fault fault, std::string_view words) {
    expect_detail(try_open(), fault, words);
  };
  write_file(engine_.path(), "");
  refuse(Fault::store_regressed, "empty");
  write_file(engine_.path(), std::string(5000, 'x'));
  refuse(Fault::invalid_argument, "not a database");
  fs::remove(engine_.path());
  engine_.raw("CREATE TABLE theirs (a)");
  refuse(Fault::invalid_argument, "another program");
  fs::remove(engine_.path());
  fs::create_directory(engine_.path());
  refuse(Fault::invalid_argument, "is a folder");
  fs::remove(engine_.path());
  ASSERT_EQ(::mkfifo(engine_.path().c_str(), 0600), 0);
  refuse(Fault::invalid_argument, "not a plain file");
  fs::remove(engine_.path());
  fs::create_symlink("nowhere", engine_.path());
  refuse(Fault::store_unavailable, "link to nothing");
  EXPECT_EQ(files(), std::set<std::string>{"store.db"});
}

TEST_F(SqliteStoreTest, RefusesPathsThatNameNoFile) {
  expect_detail(try_open(""), Fault::invalid_argument, "path");
  expect_detail(try_open(engine_.folder().path() + "/"), Fault::invalid_argument, "folder");
  expect_detail(try_open(std::string{"a\0b", 3}), Fault::invalid_argument, "zero byte");
  write_file(engine_.folder() / "plain", "x");
  expect_detail(try_open(engine_.folder() / "plain/store.db"), Fault::store_unavailable, "plain");
}

TEST_F(SqliteStoreTest, RefusesANewerSchema) {
  open();
  engine_.raw("PRAGMA user_version = 2");
  expect_detail(try_open(), Fault::unsafe_store_config, "schema version: found 2, wanted 1");
}

TEST_F(SqliteStoreTest, RefusesTheFileOfAnotherHost) {
  open();
  engine_.raw("UPDATE host SET machine_id = '00000000000000000000000000000000'");
  expect_detail(try_open(), Fault::incarnation_changed, "another host");
}

TEST_F(SqliteStoreTest, KnowsNoTimeOfAnotherStartOfTheMachine) {
  auto store = open();
  const auto meta = make(*store, slots());
  EXPECT_EQ(RawDatabase{engine_.path()}.ask("SELECT boot_id FROM host"), io::boot_id());
  engine_.raw("UPDATE host SET boot_id = 'another start'");
  EXPECT_FALSE(store->identity(soon())->now.has_value());
  clock_.step_wall(std::chrono::hours{24});
  granted(store->advance(window(meta, 0), soon()));
  EXPECT_EQ(store->identity(soon())->now, clock_.wall());
}

TEST_F(SqliteStoreTest, KeepsItsFileInWalModeWithStrictTables) {
  auto store = open();
  make(*store, slots());
  RawDatabase raw{engine_.path()};
  EXPECT_EQ(raw.ask("PRAGMA journal_mode"), "wal");
  EXPECT_EQ(raw.ask("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(raw.ask("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND strict = 0 "
                    "AND name NOT LIKE 'sqlite%'"),
            "0");
}

TEST_F(SqliteStoreTest, TurnsWalOnAgain) {
  open();
  EXPECT_EQ(RawDatabase{engine_.path()}.ask("PRAGMA journal_mode = DELETE"), "delete");
  open();
  EXPECT_EQ(RawDatabase{engine_.path()}.ask("PRAGMA journal_mode"), "wal");
}

TEST_F(SqliteStoreTest, StopsWhenItsFileIsRemovedReplacedOrMoved) {
  const auto aside = engine_.folder() / "aside.db";
  for (const int calamity : {0, 1, 2}) {
    auto store = open();
    const auto meta = make(*store, slots());
    granted(store->advance(window(meta, 0), soon()));
    if (calamity == 0) fs::remove(engine_.path());
    if (calamity == 1) fs::rename(engine_.path(), aside);
    if (calamity == 2) {
      fs::copy_file(engine_.path(), aside, fs::copy_options::overwrite_existing);
      fs::rename(aside, engine_.path());
    }
    expect_refused(store->advance(window(meta, 1), soon()), Fault::incarnation_changed);
    expect_fault(store->identity(soon()), Fault::incarnation_changed);
    expect_fault(store->put_new("key", "x", soon()), Fault::incarnation_changed);
    store.reset();
    fs::remove_all(fs::path{engine_.path()}.parent_path());
  }
}

TEST_F(SqliteStoreTest, StopsWhenItsLogIsRemoved) {
  auto store = open();
  const auto meta = make(*store, slots());
  granted(store->advance(window(meta, 0), soon()));
  fs::remove(engine_.path() + "-wal");
  expect_refused(store->advance(window(meta, 1), soon()), Fault::incarnation_changed);
}

TEST_F(SqliteStoreTest, RefusesToMakeAFileBesideAnOldLog) {
  auto store = open();
  make(*store, slots());
  fs::remove(engine_.path());
  expect_detail(try_open(), Fault::store_regressed, "-wal");
  EXPECT_FALSE(fs::exists(engine_.path()));
}

TEST_F(SqliteStoreTest, FollowsLinksToOneFile) {
  auto store = open();
  const auto meta = make(*store, slots());
  const auto link = engine_.folder() / "link.db";
  fs::create_symlink(engine_.path(), link);
  auto linked = try_open(link);
  ASSERT_TRUE(linked.has_value());
  const auto first = granted((*linked)->advance(window(meta, 0), soon()));
  expect_not_yet(store->advance(window(meta, 0, 2), soon()), first.end);
}

TEST_F(SqliteStoreTest, RefusesAFileThatMayOnlyBeRead) {
  open();
  // Rights do not bind root, so a user who is not root tries.
  ASSERT_EQ(::chmod(engine_.folder().path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod((engine_.folder() / "state").c_str(), 0755), 0);
  ASSERT_EQ(::chmod(engine_.path().c_str(), 0444), 0);
  ChildProcess child{[&](int pipe) {
    constexpr ::uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) return 1;
    const auto opened = try_open();
    if (opened) return 2;
    say(pipe, opened.error().detail);
    return opened.error().error.fault() == Fault::store_unavailable ? 0 : 3;
  }};
  const auto words = child.words();
  EXPECT_EQ(child.status(), 0) << words;
  EXPECT_TRUE(words.contains("store.db")) << words;
}

TEST_F(SqliteStoreTest, SaysThatTheDiskIsFullAndGrantsAgainWhenItIsNot) {
  const auto disk = engine_.folder() / "disk";
  fs::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1m") != 0) {
    GTEST_SKIP() << "only root can mount a small disk";
  }
  {
    auto store = try_open(disk + "/store.db").value();
    const auto numbers = make(*store, counter());
    granted(store->advance(range(numbers, 1), soon()));
    std::ofstream filler{disk + "/filler", std::ios::binary};
    const std::string block(4096, 'f');
    while (filler.write(block.data(), 4096).flush()) {
    }
    filler.close();
    // Some pages of the log may still be free.
    Answer answer;
    for (int i = 0; i < 2000 && !std::holds_alternative<Refused>(answer); ++i) {
      answer = store->advance(range(numbers, 1), soon());
    }
    expect_refused(answer, Fault::store_unavailable);
    EXPECT_TRUE(std::get<Refused>(answer).failure.detail.contains("full"))
        << std::get<Refused>(answer).failure.detail;
    const auto before = marks(*store, "counter")[0];
    fs::remove(disk + "/filler");
    const auto grant = granted(store->advance(range(numbers, 1), soon()));
    EXPECT_EQ(grant.start, before.high_water);
    EXPECT_EQ(grant.grants, before.grants + 1);
  }
  EXPECT_EQ(::umount(disk.c_str()), 0);
}

}  // namespace
}  // namespace mintmark::store
