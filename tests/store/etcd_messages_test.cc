// Answers as etcd 3.4.23 wrote them, and some that no etcd writes.
#include "store/etcd_messages.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mintmark::store::etcd {
namespace {

TEST(EtcdMessages, ReadsATxnOfRanges) {
  const auto done = parse_done(
      R"({"header":{"cluster_id":"324952591200643719","member_id":"3319814642761637952","revision":"2",)"
      R"("raft_term":"2"},"succeeded":true,"responses":[{"response_range":{"header":{"revision":"2"},)"
      R"("kvs":[{"key":"YQ==","create_revision":"2","mod_revision":"2","version":"1","value":"YQ=="}],)"
      R"("count":"1"}},{"response_range":{"header":{"revision":"2"}}}]})");
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(done->header.cluster, 324952591200643719U);
  EXPECT_EQ(done->header.revision, 2);
  EXPECT_TRUE(done->succeeded);
  ASSERT_EQ(done->ranges.size(), 2U);
  ASSERT_TRUE(done->ranges[0].has_value());
  EXPECT_EQ(done->ranges[0]->key, "a");
  EXPECT_EQ(done->ranges[0]->kept.value, "a");
  EXPECT_EQ(done->ranges[0]->kept.version, 2);
  EXPECT_FALSE(done->ranges[1].has_value());
}

TEST(EtcdMessages, TakesWhatIsAbsentForItsDefault) {
  const auto done =
      parse_done(R"({"header":{"cluster_id":"18446744073709551615","revision":"1"}})");
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(done->header.cluster, 18446744073709551615U);
  EXPECT_FALSE(done->succeeded);
  const auto page =
      parse_page(R"({"header":{"cluster_id":"1"},"kvs":[{"key":"YQ==","mod_revision":"7"}]})");
  ASSERT_TRUE(page.has_value());
  ASSERT_EQ(page->rows.size(), 1U);
  EXPECT_EQ(page->rows[0].kept.value, "");
  EXPECT_FALSE(page->more);
}

TEST(EtcdMessages, RefusesWhatIsNoAnswer) {
  for (
      const std::string text :
      {"", "{", "[]", "{}", "null", R"({"header":{}})", R"({"header":{"cluster_id":1}})",
       R"({"header":{"cluster_id":"-1"}})", R"({"header":{"cluster_id":"1x"}})",
       R"({"header":{"cluster_id":"1"},"succeeded":"true"})",
       R"({"header":{"cluster_id":"1"},"responses":{}})",
       R"({"header":{"cluster_id":"1"},"responses":[1]})",
       R"({"header":{"cluster_id":"1"},"responses":[{"response_range":{"kvs":[{"key":"?"}]}}]})"}) {
    EXPECT_FALSE(parse_done(text).has_value()) << text;
  }
}

TEST(EtcdMessages, ReadsARefusal) {
  const auto refusal = parse_refusal(R"({"error":"etcdserver: permission denied","message":)"
                                     R"("etcdserver: permission denied","code":7})");
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->code, 7);
  EXPECT_EQ(refusal->words, "etcdserver: permission denied");
  EXPECT_EQ(parse_refusal(R"({"message":"?"})")->code, 2);
  EXPECT_FALSE(parse_refusal("<html>").has_value());
}

TEST(EtcdMessages, ComparesValueAndRevisionOrAbsence) {
  const std::vector<Condition> conditions{{{"f", "a"}, Kept{"v", 5}}, {{"f", "b"}, std::nullopt}};
  const std::vector<Change> changes{{{"f", "a"}, "w"}, {{"f", "b"}, std::nullopt}};
  EXPECT_EQ(write_text("p", conditions, changes),
            R"({"compare":[{"key":"cC9mL2E=","target":"VALUE","result":"EQUAL","value":"dg=="},)"
            R"({"key":"cC9mL2E=","target":"MOD","result":"EQUAL","mod_revision":"5"},)"
            R"({"key":"cC9mL2I=","target":"VERSION","result":"EQUAL","version":"0"}],)"
            R"("success":[{"request_put":{"key":"cC9mL2E=","value":"dw=="}},)"
            R"({"request_delete_range":{"key":"cC9mL2I="}}]})");
}

TEST(EtcdMessages, AsksTheClusterEvenForNothing) {
  EXPECT_EQ(read_text("p", {}), R"({"success":[{"request_range":{"key":"cC8="}}]})");
  const std::vector<Condition> conditions{{{"f", "b"}, std::nullopt}};
  EXPECT_EQ(write_text("p", conditions, {}),
            R"({"compare":[{"key":"cC9mL2I=","target":"VERSION","result":"EQUAL","version":"0"}],)"
            R"("success":[{"request_range":{"key":"cC9mL2I="}}]})");
}

}  // namespace
}  // namespace mintmark::store::etcd
