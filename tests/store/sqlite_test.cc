// The SQLite engine: the contract, how the file is made, and what is refused about it.

#include "store/sqlite.h"

#include <chrono>
#include <csignal>
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
  /// What a reader finds who has the file and not its log: the highest tick, the counter, the items.
  std::string marks_of_file() {
    const auto copy = engine_.folder() / "copy/store.db";
    fs::create_directories(fs::path{copy}.parent_path());
    fs::copy_file(engine_.path(), copy, fs::copy_options::overwrite_existing);
    const auto ask = [&](const std::string& sql) { return RawDatabase{copy}.ask(sql); };
    std::string words = ask("SELECT max(hw) FROM marks WHERE space = 'slots'") + " " +
                        ask("SELECT hw FROM marks WHERE space = 'counter'") + " " +
                        ask("SELECT count(*) FROM items");
    fs::remove_all(fs::path{copy}.parent_path());
    return words;
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
  engine_.raw("PRAGMA user_version = 3");
  expect_detail(try_open(), Fault::unsafe_store_config, "schema version: found 3, wanted 2");
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

TEST_F(SqliteStoreTest, RefusesAFileWithASecondName) {
  const auto link = engine_.folder() / "link.db";
  {
    auto store = open();
    const auto meta = make(*store, slots());
    granted(store->advance(window(meta, 0), soon()));
    fs::create_hard_link(engine_.path(), link);
    const auto before = marks_of_file();
    expect_refused(store->advance(window(meta, 1), soon()), Fault::unsafe_store_config);
    expect_fault(store->put_new("key", "x", soon()), Fault::unsafe_store_config);
    expect_detail(try_open(link), Fault::unsafe_store_config, "hard link");
    EXPECT_EQ(marks_of_file(), before);
    // With one name it is the store that it was.
    fs::remove(link);
    granted(store->advance(window(meta, 1), soon()));
  }
  fs::create_hard_link(engine_.path(), link);
  expect_detail(try_open(link), Fault::unsafe_store_config, "hard link");
  expect_detail(try_open(), Fault::unsafe_store_config, "hard link");
  EXPECT_EQ(files(), std::set<std::string>{"store.db"});
}

TEST_F(SqliteStoreTest, RefusesAFileThatIsMountedAsAFile) {
  auto store = open();
  const auto meta = make(*store, slots());
  const auto bound = engine_.folder() / "bound file.db";
  write_file(bound, "x");
  if (::mount(engine_.path().c_str(), bound.c_str(), nullptr, MS_BIND, nullptr) != 0) {
    GTEST_SKIP() << "only root can mount a file";
  }
  expect_detail(try_open(bound), Fault::unsafe_store_config, "mount its folder");
  const auto link = engine_.folder() / "link.db";
  fs::create_symlink(bound, link);
  expect_detail(try_open(link), Fault::unsafe_store_config, "mount its folder");
  EXPECT_EQ(::umount(bound.c_str()), 0);
  // A folder takes the log with it: one store by two paths.
  const auto folder = engine_.folder() / "bound";
  fs::create_directory(folder);
  const auto state = fs::path{engine_.path()}.parent_path();
  ASSERT_EQ(::mount(state.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr), 0);
  ChildProcess child{[&](int pipe) {
    auto other = try_open(folder + "/store.db");
    if (!other) return 1;
    say(pipe, std::to_string(granted((*other)->advance(window(meta, 0), soon())).end));
    return 0;
  }};
  const auto end = child.words();
  EXPECT_EQ(child.status(), 0);
  expect_not_yet(store->advance(window(meta, 0, 2), soon()), std::stoull("0" + end));
  EXPECT_EQ(::umount(folder.c_str()), 0);
}

TEST_F(SqliteStoreTest, HasEveryGrantInItsFile) {
  auto store = open();
  const auto meta = make(*store, slots());
  const auto numbers = make(*store, counter());
  const auto window_end = granted(store->advance(window(meta, 2), soon())).end;
  const auto range_end = granted(store->advance(range(numbers, 5), soon())).end;
  EXPECT_TRUE(store->put_new("key", "x", soon()).value());
  EXPECT_EQ(marks_of_file(), std::to_string(window_end) + " " + std::to_string(range_end) + " 1");
}

TEST_F(SqliteStoreTest, HasTheGrantsOfAKilledProcessWithoutItsLog) {
  ChildProcess child{[&](int pipe) {
    auto store = try_open();
    if (!store) return 1;
    const auto meta = make(**store, counter());
    const auto grant = granted((*store)->advance(range(meta, 100), soon()));
    say(pipe, std::to_string(grant.end));
    ::raise(SIGKILL);
    return 2;
  }};
  const auto end = child.words();
  ASSERT_EQ(child.status(), 1000 + SIGKILL);
  ASSERT_TRUE(fs::remove(engine_.path() + "-wal"));
  // The index that is left tells on who removed the log.
  expect_detail(try_open(), Fault::store_regressed, "-wal: the log was removed");
  EXPECT_FALSE(fs::exists(engine_.path() + "-wal"));
  ASSERT_TRUE(fs::remove(engine_.path() + "-shm"));
  auto store = open();
  const auto meta = make(*store, counter());
  EXPECT_EQ(std::to_string(granted(store->advance(range(meta, 1), soon())).start), end);
}

TEST_F(SqliteStoreTest, GrantsWhileSomebodyReadsAndBringsItToTheFileLater) {
  auto store = open();
  const auto numbers = make(*store, counter());
  {
    RawDatabase reader{engine_.path()};
    reader.run("BEGIN; SELECT * FROM marks");
    granted(store->advance(range(numbers, 5), soon()));
  }
  const auto end = granted(store->advance(range(numbers, 5), soon())).end;
  EXPECT_EQ(marks_of_file(), " " + std::to_string(end) + " 0");
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
    // Some pages may still be free.
    Outcome<bool> put = true;
    for (int i = 0; i < 2000 && put; ++i) {
      put = store->put_new("key" + std::to_string(i), std::string(kMostItemBytes, 'v'), soon());
    }
    expect_detail(put, Fault::store_unavailable, "full");
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
