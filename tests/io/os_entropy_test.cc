// The system's random bytes: never the same twice, not in threads, not in forked children; and a
// refusal where the kernel gives none.

#include "io/os_entropy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <openssl/crypto.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "io/key_stream.h"
#include "tests/child_process.h"

namespace mintmark::io {
namespace {

using Birth = ChildProcess::Birth;
using Word = std::array<std::uint64_t, 2>;

std::vector<Word> draw(std::size_t count) {
  std::vector<Word> words(count);
  for (auto& word : words) {
    std::array<std::byte, 16> bytes{};
    if (!os_entropy().fill(bytes)) std::abort();
    std::memcpy(&word, bytes.data(), bytes.size());
  }
  return words;
}

void say_words(int pipe, const std::vector<Word>& words) {
  say(pipe, {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(Word)});
}

void append(std::vector<Word>& all, const std::string& said) {
  const std::size_t count = said.size() / sizeof(Word);
  const std::size_t old = all.size();
  all.resize(old + count);
  if (count != 0) std::memcpy(&all[old], said.data(), count * sizeof(Word));
}

void expect_distinct(std::vector<Word> words) {
  std::ranges::sort(words);
  EXPECT_EQ(std::ranges::adjacent_find(words), words.end());
}

TEST(OsEntropy, GivesChildrenOtherBytesThanTheirParent) {
  constexpr std::size_t kEach = 100'000;
  // A pool that is partly used: its rest is what a child must not see.
  auto all = draw(1000);
  for (const Birth birth : {Birth::fork, Birth::raw_clone, Birth::fork, Birth::raw_clone}) {
    ChildProcess child{[](int pipe) {
                         say_words(pipe, draw(kEach));
                         return 0;
                       },
                       birth};
    append(all, child.words());
    EXPECT_EQ(child.status(), 0);
  }
  const auto mine = draw(kEach);
  all.insert(all.end(), mine.begin(), mine.end());
  ASSERT_EQ(all.size(), 1000 + 5 * kEach);
  expect_distinct(std::move(all));
}

TEST(OsEntropy, GivesAChildOfAThreadOtherBytes) {
  std::vector<Word> all;
  std::jthread{[&all] {
    all = draw(1000);
    ChildProcess child{[](int pipe) {
      say_words(pipe, draw(1000));
      return 0;
    }};
    append(all, child.words());
    EXPECT_EQ(child.status(), 0);
    const auto mine = draw(1000);
    all.insert(all.end(), mine.begin(), mine.end());
  }}.join();
  ASSERT_EQ(all.size(), 3000U);
  expect_distinct(std::move(all));
}

TEST(OsEntropy, GivesThreadsDifferentBytes) {
  constexpr std::size_t kThreads = 8;
  std::vector<std::vector<Word>> drawn(kThreads);
  {
    std::vector<std::jthread> threads;
    for (auto& words : drawn) threads.emplace_back([&words] { words = draw(20'000); });
  }
  std::vector<Word> all;
  for (const auto& words : drawn) all.insert(all.end(), words.begin(), words.end());
  expect_distinct(std::move(all));
}

TEST(OsEntropy, FillsEverySizeToTheLastByte) {
  // Around the sizes of the pool and of its pieces. Each byte is seen to change.
  for (const std::size_t size : {0UL, 1UL, 15UL, 16UL, 17UL, 255UL, 256UL, 257UL, 4095UL, 4096UL,
                                 4097UL, 10'000UL, (1UL << 20) + 13, 3UL << 20}) {
    std::vector<std::byte> bytes(size + 1, std::byte{0});
    std::vector<std::byte> changed(size + 1, std::byte{0});
    for (int i = 0; i < 12; ++i) {
      ASSERT_TRUE(os_entropy().fill(std::span{bytes}.first(size)).has_value());
      for (std::size_t at = 0; at < size; ++at) changed[at] |= bytes[at];
    }
    // A byte that was filled 12 times is zero each time once in 2^96.
    EXPECT_EQ(std::ranges::find(changed, std::byte{0}) - changed.begin(),
              static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(bytes[size], std::byte{0});
  }
}

/// Pearson's chi-square of byte frequencies has 255 degrees of freedom: mean 255, deviation 22.6. Above
/// 420 or below 140 lies less than one run in 10^9 (Wilson and Hilferty's cube root).
void expect_even(std::span<const std::byte> bytes) {
  std::array<double, 256> counts{};
  for (const std::byte byte : bytes) counts[static_cast<std::size_t>(byte)] += 1;
  const double expected = static_cast<double>(bytes.size()) / 256;
  double chi = 0;
  for (const double count : counts) chi += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi, 420);
  EXPECT_GT(chi, 140);
}

TEST(OsEntropy, GivesEachByteAsOften) {
  std::vector<std::byte> large(1 << 22);
  ASSERT_TRUE(os_entropy().fill(large).has_value());
  expect_even(large);
  std::vector<std::byte> small(1 << 20);
  for (std::size_t at = 0; at < small.size(); at += 16) {
    ASSERT_TRUE(os_entropy().fill(std::span{small}.subspan(at, 16)).has_value());
  }
  expect_even(small);
}

TEST(OsEntropy, ServesThreadsThatEnd) {
  struct Late {
    ~Late() { EXPECT_TRUE(os_entropy().word().has_value()); }
    int made = 0;
  };
  // Made before the thread's pool, so it goes after it.
  std::jthread{[] {
    thread_local Late late;
    late.made = 1;
    EXPECT_TRUE(os_entropy().word().has_value());
  }}.join();
}

std::atomic<int> g_openssl_allocations{0};

/// False if OpenSSL has allocated before: then it is too late to count.
bool count_openssl_allocations() {
  return CRYPTO_set_mem_functions(
             [](std::size_t size, const char*, int) {
               ++g_openssl_allocations;
               return std::malloc(size);
             },
             [](void* old, std::size_t size, const char*, int) { return std::realloc(old, size); },
             [](void* old, const char*, int) { std::free(old); }) == 1;
}

TEST(OsEntropyDeathTest, StartsOpensslAfterTheFirst4KiBOrWhereTheCpuHasAesNever) {
  // The child is a new process, not a fork: nothing was drawn in it before.
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        if (!count_openssl_allocations()) std::_Exit(1);
        draw(256);
        if (g_openssl_allocations != 0) std::_Exit(2);
        draw(1);
        const bool by_openssl = KeyStream::best() == KeyStream::Kernel::openssl;
        std::_Exit((g_openssl_allocations != 0) == by_openssl ? 0 : 3);
      },
      ::testing::ExitedWithCode(0), "");
}

/// From now on getrandom(2) fails with `code` in this process.
bool forbid_getrandom(int code) {
  std::array filter{
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K,
                           SECCOMP_RET_ERRNO | (static_cast<unsigned>(code) & SECCOMP_RET_DATA)),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// What the fork gave, in the process that this is; -1 before it.
std::atomic<long> g_forked{-1};
/// By the system call alone: the library's fork waits for locks that the interrupted step may hold.
void fork_in_handler(int) {
  g_forked = ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0);
}

TEST(OsEntropy, GivesAChildOtherBytesWhereverASignalForksIt) {
  // The timer only picks a step of making or taking bytes; parent and child both go on from there. The draw
  // that was interrupted may have ended before the fork; of those that began after it, none may be equal.
  for (int round = 0; round < 300; ++round) {
    ChildProcess child{[round](int pipe) {
      struct sigaction action {};
      action.sa_handler = &fork_in_handler;
      ::sigaction(SIGALRM, &action, nullptr);
      draw(300);
      const itimerval soon{{0, 0}, {0, 50 + round % 97}};
      ::setitimer(ITIMER_REAL, &soon, nullptr);
      while (g_forked == -1) draw(1);
      const auto words = draw(600);
      int status = 0;
      const auto forked = static_cast<::pid_t>(g_forked);
      if (forked < 0 || (forked > 0 && ::waitpid(forked, &status, 0) != forked)) return 1;
      say_words(pipe, words);
      return status;
    }};
    std::vector<Word> all;
    append(all, child.words());
    ASSERT_EQ(child.status(), 0);
    ASSERT_EQ(all.size(), 1200U);
    ASSERT_EQ(std::ranges::find(all, Word{}), all.end()) << "zeros";
    expect_distinct(std::move(all));
  }
}

TEST(OsEntropy, FailsWhereTheKernelGivesNoBytes) {
  draw(1);
  for (const int code : {ENOSYS, EPERM, EFAULT}) {
    // The fork wiped the pool, so the child needs a seed that it does not get.
    ChildProcess child{[code](int) {
      if (!forbid_getrandom(code)) return 1;
      std::array<std::byte, 16> bytes{};
      std::vector<std::byte> many(10'000);
      for (const auto out : {std::span<std::byte>{bytes}, std::span{many}}) {
        const auto filled = os_entropy().fill(out);
        if (filled || filled.error().fault() != Fault::entropy_unavailable) return 2;
      }
      return os_entropy().word() ? 3 : 0;
    }};
    EXPECT_EQ(child.status(), 0) << code;
  }
}

}  // namespace
}  // namespace mintmark::io
