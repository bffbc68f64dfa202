// The SQLite engine when writing fails: what is definite, and what is not.

#include <atomic>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include "tests/fake_clock.h"
#include "tests/store/contract.h"
#include "tests/store/sqlite_engine.h"

namespace mintmark::store {
namespace {

/// What every write of SQLite fails with; 0 lets it through.
std::atomic<int> g_fault{0};

ssize_t failing_pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  if (g_fault != 0) {
    errno = g_fault;
    return -1;
  }
  return ::pwrite(file, bytes, size, at);
}
ssize_t failing_write(int file, const void* bytes, std::size_t size) {
  if (g_fault != 0) {
    errno = g_fault;
    return -1;
  }
  return ::write(file, bytes, size);
}

/// SQLite's own calls to the system, replaced as its interface for tests allows.
class FailingDisk {
 public:
  explicit FailingDisk(int code) {
    replace("pwrite", reinterpret_cast<sqlite3_syscall_ptr>(&failing_pwrite));
    replace("pwrite64", reinterpret_cast<sqlite3_syscall_ptr>(&failing_pwrite));
    replace("write", reinterpret_cast<sqlite3_syscall_ptr>(&failing_write));
    g_fault = code;
  }
  FailingDisk(const FailingDisk&) = delete;
  FailingDisk& operator=(const FailingDisk&) = delete;
  ~FailingDisk() {
    g_fault = 0;
    for (const char* name : {"pwrite", "pwrite64", "write"}) replace(name, nullptr);
  }

 private:
  static void replace(const char* name, sqlite3_syscall_ptr call) {
    sqlite3_vfs* vfs = sqlite3_vfs_find("unix");
    // Only those that SQLite was built to use.
    if (vfs->xGetSystemCall(vfs, name) != nullptr) vfs->xSetSystemCall(vfs, name, call);
  }
};

class SqliteFaults : public StoreContract<SqliteEngine> {};

TEST_F(SqliteFaults, DoesNotKnowTheOutcomeAfterAnErrorOfTheDisk) {
  auto store = open();
  const auto meta = make(*store, counter());
  const auto first = granted(store->advance(range(meta, 10), soon()));
  {
    const FailingDisk disk{EIO};
    const auto answer = store->advance(range(meta, 10), soon());
    expect_refused(answer, Fault::outcome_unknown);
    EXPECT_TRUE(std::get<Refused>(answer).failure.detail.contains("store.db"));
    expect_fault(store->put_new("key", "x", soon()), Fault::outcome_unknown);
  }
  // The handle works again; what was lost is at most a gap.
  const auto second = granted(store->advance(range(meta, 10), soon()));
  EXPECT_GE(second.start, first.end);
  EXPECT_EQ(granted(open()->advance(range(meta, 1), soon())).start, second.end);
}

TEST_F(SqliteFaults, KnowsThatAFullDiskTookNothing) {
  auto store = open();
  const auto meta = make(*store, counter());
  const auto first = granted(store->advance(range(meta, 10), soon()));
  {
    const FailingDisk disk{ENOSPC};
    expect_refused(store->advance(range(meta, 10), soon()), Fault::store_unavailable);
    expect_fault(store->put_new("key", "x", soon()), Fault::store_unavailable);
    expect_fault(store->open_space(slots(), soon()), Fault::store_unavailable);
    // A look needs no room.
    EXPECT_EQ(marks(*store, "counter")[0].high_water, first.end);
  }
  EXPECT_EQ(granted(store->advance(range(meta, 10), soon())).start, first.end);
  EXPECT_TRUE(store->put_new("key", "x", soon()).value());
  make(*store, slots());
}

TEST_F(SqliteFaults, MakesNoFileOnAFullDisk) {
  {
    const FailingDisk disk{ENOSPC};
    const auto opened = open_sqlite(engine_.path(), Environment{clock_}, soon());
    expect_fault(opened, Fault::store_unavailable);
    EXPECT_TRUE(std::filesystem::is_empty(engine_.folder().path()));
  }
  make(*open(), slots());
}

}  // namespace
}  // namespace mintmark::store
