#include "server/order.h"

#include <gtest/gtest.h>

#include "mint/request.h"
#include "running_server.h"

namespace mintmark::server {
namespace {

using std::chrono::milliseconds;

TEST(Order, ReadsCounts) {
  EXPECT_EQ(parse_count("1"), 1U);
  EXPECT_EQ(parse_count("100000"), mint::kMostIds);
  EXPECT_EQ(parse_count("100001").error().fault(), Fault::too_many);
  EXPECT_EQ(parse_count("99999999999999999999").error().fault(), Fault::too_many);
  for (const std::string_view wrong : {"", "0", "-1", "+1", "1e3", " 1"}) {
    EXPECT_EQ(parse_count(wrong).error().fault(), Fault::invalid_argument) << wrong;
  }
}

/// `slow` gives 256 IDs in 10 ms, and its callers wait for a second.
TEST(Order, LosesPatienceOnlyWithoutProgress) {
  RunningServer server;
  mint::Space& slow = *server.mint().find("slow");
  Order order;
  Moment moment{.wall = io::wall_now()};
  ASSERT_EQ(order.mint(server.mint(), slow, 30 * 256, moment), Order::State::waiting);
  for (int i = 0; i < 3; ++i) {
    moment = {.wall = moment.wall + milliseconds{10}, .waited = milliseconds{600}};
    ASSERT_EQ(order.resume(server.mint(), moment), Order::State::waiting) << i;
  }
  ASSERT_EQ(order.resume(server.mint(), moment), Order::State::waiting) << "the clock stands still";
  ASSERT_EQ(order.resume(server.mint(), moment), Order::State::refused);
  EXPECT_EQ(order.error().fault(), Fault::sequence_exhausted);
}

TEST(Order, TakesRunsAfterBatches) {
  RunningServer server;
  mint::Space& block = *server.mint().find("block");
  const Moment moment{.wall = io::wall_now()};
  Order order;
  ASSERT_EQ(order.mint(server.mint(), block, 3, moment), Order::State::done);
  EXPECT_FALSE(order.is_run());
  EXPECT_EQ(order.batch().made, 3U);
  order.finish();
  ASSERT_EQ(order.take(server.mint(), block, 3, moment), Order::State::done);
  EXPECT_TRUE(order.is_run());
  EXPECT_EQ(order.run().last - order.run().first, 2U);
}

}  // namespace
}  // namespace mintmark::server
