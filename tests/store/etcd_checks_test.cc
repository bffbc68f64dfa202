#include "store/etcd_checks.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/store/etcd_handle.h"

namespace mintmark::store::etcd {
namespace {

Status good() {
  return {.header = {}, .version = "3.4.23", .has_leader = true, .learner = false, .errors = {}};
}

TEST(EtcdChecks, TakesAMemberOfAHealthyCluster) {
  EXPECT_TRUE(check_role("here", good()).has_value());
  EXPECT_TRUE(unsafe_settings(good(), {1, 3}).empty());
}

TEST(EtcdChecks, NamesWhatKeepsAMemberFromServing) {
  Status status = good();
  status.has_leader = false;
  status.errors = {"etcdserver: no leader"};
  expect_fault(check_role("here", status), Fault::store_unavailable,
               "here: the member sees no leader");
  status = good();
  status.learner = true;
  expect_fault(check_role("here", status), Fault::store_unavailable, "learner");
  status = good();
  status.errors = {"memberID:1 alarm:NOSPACE "};
  expect_fault(check_role("here", status), Fault::store_unavailable, "NOSPACE");
  status.errors = {"memberID:1 alarm:NOSPACE ", "memberID:1 alarm:CORRUPT "};
  expect_fault(check_role("here", status), Fault::incarnation_changed, "CORRUPT");
}

TEST(EtcdChecks, WantsAVersionThatLosesNoWrite) {
  const auto safe = [](const std::string& version) {
    Status status = good();
    status.version = version;
    return unsafe_settings(status, {1, 3}).empty();
  };
  for (const std::string version : {"3.4.21", "3.4.100", "3.5.0", "3.6.0-rc.1", "4.0.0"}) {
    EXPECT_TRUE(safe(version)) << version;
  }
  for (const std::string version : {"3.4.20", "3.3.99", "2.9.30", "", "3.5", "3.x.1", "new"}) {
    EXPECT_FALSE(safe(version)) << version;
  }
}

TEST(EtcdChecks, WantsAnFsyncForAWrite) {
  EXPECT_TRUE(unsafe_settings(good(), {7, 8}).empty());
  EXPECT_EQ(unsafe_settings(good(), {7, 7}).size(), 1U);
  EXPECT_EQ(unsafe_settings(good(), {7, 0}).size(), 1U);
  EXPECT_EQ(unsafe_settings(good(), {std::nullopt, 8}).size(), 1U);
  EXPECT_EQ(unsafe_settings(good(), {7, std::nullopt}).size(), 1U);
}

TEST(EtcdChecks, FindsTheCountOfFsyncs) {
  const std::string name = "etcd_disk_wal_fsync_duration_seconds_count";
  EXPECT_EQ(fsync_count("# HELP " + name + " 1\n" + name + " 42\nother 7\n"), 42U);
  for (const std::string page : {"", "x", "# HELP etcd_disk_wal_fsync_duration_seconds_count 1\n",
                                 "\netcd_disk_wal_fsync_duration_seconds_count ",
                                 "\netcd_disk_wal_fsync_duration_seconds_count x\n"}) {
    EXPECT_FALSE(fsync_count(page).has_value()) << page;
  }
}

}  // namespace
}  // namespace mintmark::store::etcd
