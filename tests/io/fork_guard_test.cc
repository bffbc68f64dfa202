// The generation: one in a process, another in each child, however it was born.

#include "io/fork_guard.h"

#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/child_process.h"

namespace mintmark::io {
namespace {

using Birth = ChildProcess::Birth;

TEST(ForkGuard, IsOneAndNeverZeroInAProcess) {
  const auto mine = generation();
  EXPECT_NE(mine, 0U);
  std::vector<std::uint64_t> seen(8);
  {
    std::vector<std::jthread> threads;
    for (auto& value : seen) threads.emplace_back([&value] { value = generation(); });
  }
  for (const auto value : seen) EXPECT_EQ(value, mine);
}

TEST(ForkGuard, TellsAChildFromItsParent) {
  const ForkGuard guard;
  for (const Birth birth : {Birth::fork, Birth::raw_clone}) {
    ChildProcess child{[&](int) {
                         if (guard.same_process()) return 1;
                         const ForkGuard mine;
                         return mine.same_process() ? 0 : 2;
                       },
                       birth};
    EXPECT_EQ(child.status(), 0);
  }
  EXPECT_TRUE(guard.same_process());
}

TEST(ForkGuard, TellsAChildThatWasTheFirstToAsk) {
  // The parent of this child never asked, nor did the test before: the page does not exist yet there.
  ChildProcess fresh{[](int) {
    const ForkGuard first;
    ChildProcess child{[&](int) { return first.same_process() ? 1 : 0; }};
    return child.status();
  }};
  EXPECT_EQ(fresh.status(), 0);
}

TEST(ForkGuard, TellsGenerationsOfOneFamilyApart) {
  const ForkGuard oldest;
  ChildProcess child{[&](int) {
    const ForkGuard middle;
    ChildProcess grandchild{[&](int) {
      const ForkGuard youngest;
      if (oldest.same_process() || middle.same_process()) return 1;
      return youngest.same_process() ? 0 : 2;
    }};
    return grandchild.status();
  }};
  EXPECT_EQ(child.status(), 0);
}

TEST(ForkGuard, AgreesBetweenThreadsOfAChild) {
  static_cast<void>(generation());
  ChildProcess child{[](int) {
    std::vector<std::uint64_t> seen(4);
    {
      std::vector<std::jthread> threads;
      for (auto& value : seen) threads.emplace_back([&value] { value = generation(); });
    }
    for (const auto value : seen) {
      if (value != generation()) return 1;
    }
    return 0;
  }};
  EXPECT_EQ(child.status(), 0);
}

}  // namespace
}  // namespace mintmark::io
