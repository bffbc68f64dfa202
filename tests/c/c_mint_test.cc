// Handles of the C interface: a space over a store, through the shared library.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/c.h"
#include "tests/child_process.h"
#include "tests/temp_folder.h"

namespace mintmark {
namespace {

/// Far longer than a first grant takes on a machine that does much else.
constexpr std::uint32_t kPatienceMs = 60'000;

struct Closer {
  void operator()(mintmark_mint* mint) const { mintmark_mint_close(mint); }
};
using Handle = std::unique_ptr<mintmark_mint, Closer>;

class CMint : public ::testing::Test {
 protected:
  CMint() { options_.store = store_.c_str(); }

  /// Opens with options_ and waits for the first grant.
  Handle open() {
    mintmark_mint* mint = nullptr;
    EXPECT_EQ(mintmark_mint_open(&options_, &mint, &error_), MINTMARK_OK) << error_.detail;
    Handle handle{mint};
    if (mint != nullptr) {
      EXPECT_EQ(mintmark_mint_wait(mint, kPatienceMs, &error_), MINTMARK_OK) << error_.detail;
    }
    return handle;
  }
  int refusal() {
    mintmark_mint* mint = reinterpret_cast<mintmark_mint*>(this);
    const int code = mintmark_mint_open(&options_, &mint, &error_);
    EXPECT_EQ(mint, nullptr);
    return code;
  }
  [[nodiscard]] bool says(std::string_view words) const {
    return std::string_view{error_.detail}.find(words) != std::string_view::npos;
  }

  TempFolder folder_;
  // In a folder that is made with it, where nothing can have been lost: it gives its first grant at once.
  const std::string store_ = "sqlite:" + (folder_ / "new/ids.db");
  mintmark_mint_options options_ = MINTMARK_MINT_OPTIONS_INIT;
  mintmark_error error_ = MINTMARK_ERROR_INIT;
};

TEST_F(CMint, EightThreadsGetDistinctNumbers) {
  constexpr std::size_t kThreads = 8;
  constexpr std::size_t kEach = 2'000;
  const Handle mint = open();
  std::array<std::vector<std::uint64_t>, kThreads> ids;
  std::vector<std::thread> threads;
  for (auto& mine : ids) {
    threads.emplace_back([&] {
      mine.resize(kEach);
      std::size_t made = 0;
      EXPECT_EQ(mintmark_mint_fill_u64(mint.get(), mine.data(), kEach / 2, &made, nullptr),
                MINTMARK_OK);
      EXPECT_EQ(made, kEach / 2);
      for (std::size_t i = kEach / 2; i < kEach; ++i)
        EXPECT_EQ(mintmark_mint_next_u64(mint.get(), &mine[i], nullptr), MINTMARK_OK);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint64_t> all;
  for (const auto& mine : ids) {
    EXPECT_TRUE(std::ranges::is_sorted(mine));
    all.insert(mine.begin(), mine.end());
  }
  EXPECT_EQ(all.size(), kThreads * kEach);
}

TEST_F(CMint, BytesAndTextsAreThoseOfTheScheme) {
  options_.space = "tsid";
  const Handle mint = open();
  EXPECT_EQ(mintmark_mint_bytes(mint.get()), 8U);
  std::array<unsigned char, 80> bytes;
  std::size_t made = 0;
  ASSERT_EQ(mintmark_mint_fill_bytes(mint.get(), 10, bytes.data(), bytes.size(), &made, &error_),
            MINTMARK_OK)
      << error_.detail;
  EXPECT_EQ(made, 10U);
  for (std::size_t i = 8; i < bytes.size(); i += 8) {
    EXPECT_LT(mintmark_load_u64(&bytes[i - 8]), mintmark_load_u64(&bytes[i]));
  }
  EXPECT_EQ(mintmark_mint_fill_bytes(mint.get(), 10, bytes.data(), 79, &made, &error_),
            MINTMARK_BUFFER_TOO_SMALL);
  EXPECT_EQ(made, 0U);

  std::array<char, MINTMARK_TEXT_SIZE> text;
  ASSERT_EQ(mintmark_mint_next_text(mint.get(), text.data(), text.size(), &error_), MINTMARK_OK);
  EXPECT_EQ(std::strlen(text.data()), 13U);
  EXPECT_EQ(mintmark_validate("tsid", text.data(), MINTMARK_ZERO_ENDED, nullptr), MINTMARK_OK);
  const std::size_t room = mintmark_mint_text_size(mint.get());
  EXPECT_EQ(mintmark_mint_next_text(mint.get(), text.data(), room, &error_), MINTMARK_OK);
  EXPECT_EQ(mintmark_mint_next_text(mint.get(), text.data(), room - 1, &error_),
            MINTMARK_BUFFER_TOO_SMALL);
}

TEST_F(CMint, BlocksGiveRuns) {
  options_.space = "block";
  const Handle mint = open();
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  ASSERT_EQ(mintmark_mint_take(mint.get(), 500, &first, &last, &error_), MINTMARK_OK)
      << error_.detail;
  EXPECT_EQ(first, 1U);
  EXPECT_EQ(last, 500U);
  std::uint64_t next = 0;
  ASSERT_EQ(mintmark_mint_next_u64(mint.get(), &next, &error_), MINTMARK_OK);
  EXPECT_EQ(next, 501U);
  EXPECT_EQ(mintmark_mint_take(mint.get(), 0, &first, &last, &error_), MINTMARK_INVALID_ARGUMENT);
  EXPECT_EQ(mintmark_mint_take(mint.get(), UINT64_MAX, &first, &last, &error_),
            MINTMARK_INVALID_ARGUMENT);
  EXPECT_EQ(mintmark_mint_take(mint.get(), 1, nullptr, &last, &error_), MINTMARK_INVALID_ARGUMENT);
}

TEST_F(CMint, OnlyBlocksGiveRunsAndOnlyNumbersAreNumbers) {
  options_.store = nullptr;
  options_.space = "uuid7";
  const Handle mint = open();
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  EXPECT_EQ(mintmark_mint_take(mint.get(), 1, &first, &last, &error_), MINTMARK_WRONG_TYPE);
  EXPECT_EQ(mintmark_mint_next_u64(mint.get(), &first, &error_), MINTMARK_INVALID_ARGUMENT);
  EXPECT_TRUE(says("is no 64-bit number")) << error_.detail;
  std::array<char, MINTMARK_TEXT_SIZE> text;
  EXPECT_EQ(mintmark_mint_next_text(mint.get(), text.data(), text.size(), &error_), MINTMARK_OK);
  EXPECT_EQ(mintmark_validate("uuid7", text.data(), MINTMARK_ZERO_ENDED, nullptr), MINTMARK_OK);
}

TEST_F(CMint, EightCharactersAreNoNumber) {
  options_.store = nullptr;
  options_.config = "[space.code]\nscheme = \"nanoid\"\nsize = 8\n";
  const Handle mint = open();
  EXPECT_EQ(mintmark_mint_bytes(mint.get()), 8U);
  std::uint64_t id = 0;
  EXPECT_EQ(mintmark_mint_next_u64(mint.get(), &id, &error_), MINTMARK_INVALID_ARGUMENT);
}

TEST_F(CMint, TakesAConfiguration) {
  options_.config =
      "[space.code]\nscheme = \"nanoid\"\nalphabet = \"0123456789\"\nsize = 128\n"
      "[space.user]\nscheme = \"typeid\"\nprefix = \"user\"\n";
  options_.space = "code";
  const Handle code = open();
  std::array<char, MINTMARK_TEXT_SIZE> text;
  ASSERT_EQ(mintmark_mint_next_text(code.get(), text.data(), text.size(), &error_), MINTMARK_OK);
  const std::string_view digits{text.data()};
  EXPECT_EQ(digits.size(), 128U);
  EXPECT_EQ(digits.find_first_not_of("0123456789"), std::string_view::npos);

  options_.space = "user";
  const Handle user = open();
  ASSERT_EQ(mintmark_mint_next_text(user.get(), text.data(), text.size(), &error_), MINTMARK_OK);
  EXPECT_TRUE(std::string_view{text.data()}.starts_with("user_"));
}

TEST_F(CMint, TheOnlySpaceAndTheStoreOfAConfigurationNeedNoNames) {
  const std::string config = "store = \"" + store_ + "\"\n[space.orders]\nscheme = \"block\"\n";
  options_.config = config.c_str();
  options_.store = nullptr;
  const Handle mint = open();
  std::uint64_t next = 0;
  ASSERT_EQ(mintmark_mint_next_u64(mint.get(), &next, &error_), MINTMARK_OK);
  EXPECT_EQ(next, 1U);
}

TEST_F(CMint, SaysWhatIsWrongWithTheOptions) {
  options_.config = "[space.a]\nscheme = \"ulit\"\n";
  EXPECT_EQ(refusal(), MINTMARK_INVALID_ARGUMENT);
  EXPECT_TRUE(says("config:2:10: ")) << error_.detail;
  options_.config = nullptr;

  options_.space = "snowflak";
  EXPECT_EQ(refusal(), MINTMARK_UNKNOWN_SPACE);
  EXPECT_TRUE(says("did you mean 'snowflake'?")) << error_.detail;
  options_.space = nullptr;

  options_.layout = "disc";
  EXPECT_EQ(refusal(), MINTMARK_INVALID_ARGUMENT);
  options_.layout = nullptr;

  options_.horizon_ms = 19;
  EXPECT_EQ(refusal(), MINTMARK_INVALID_ARGUMENT);
  options_.horizon_ms = 60'001;
  EXPECT_EQ(refusal(), MINTMARK_INVALID_ARGUMENT);
  options_.horizon_ms = 0;

  options_.flags = MINTMARK_PIN_WORKER;
  options_.worker = 1024;
  EXPECT_EQ(refusal(), MINTMARK_INVALID_ARGUMENT);
  EXPECT_TRUE(says("0 to 1023")) << error_.detail;
  options_.flags = 4;
  EXPECT_EQ(refusal(), MINTMARK_INVALID_ARGUMENT);
  options_.flags = 0;

  for (const char* store : {"", "memory:x", "nowhere:x", "no engine"}) {
    options_.store = store;
    EXPECT_EQ(refusal(), MINTMARK_INVALID_ARGUMENT) << store;
  }
  options_.store = nullptr;
  EXPECT_EQ(refusal(), MINTMARK_INVALID_ARGUMENT);
  EXPECT_TRUE(says("needs a store")) << error_.detail;

  mintmark_mint* mint = nullptr;
  EXPECT_EQ(mintmark_mint_open(nullptr, &mint, &error_), MINTMARK_INVALID_ARGUMENT);
  EXPECT_EQ(mintmark_mint_open(&options_, nullptr, &error_), MINTMARK_INVALID_ARGUMENT);
}

TEST_F(CMint, OptionsOfANewerCallerAreUnderstoodOrRefused) {
  struct Newer {
    mintmark_mint_options options = MINTMARK_MINT_OPTIONS_INIT;
    std::uint64_t more = 0;
  } newer;
  newer.options.size = sizeof newer;
  newer.options.space = "uuid4";
  mintmark_mint* mint = nullptr;
  EXPECT_EQ(mintmark_mint_open(&newer.options, &mint, &error_), MINTMARK_OK) << error_.detail;
  mintmark_mint_close(mint);
  newer.more = 1;
  EXPECT_EQ(mintmark_mint_open(&newer.options, &mint, &error_), MINTMARK_INVALID_ARGUMENT);
  newer.options.size = 0;
  EXPECT_EQ(mintmark_mint_open(&newer.options, &mint, &error_), MINTMARK_INVALID_ARGUMENT);

  // As a program from before there were layouts: what it does not have is not read.
  options_.layout = "no layout at all";
  options_.space = "uuid4";
  options_.size = offsetof(mintmark_mint_options, layout);
  EXPECT_EQ(mintmark_mint_open(&options_, &mint, &error_), MINTMARK_OK) << error_.detail;
  mintmark_mint_close(mint);
}

TEST_F(CMint, APinnedWorkerIsInTheIds) {
  options_.flags = MINTMARK_PIN_WORKER;
  options_.worker = 77;
  const Handle mint = open();
  std::uint64_t id = 0;
  ASSERT_EQ(mintmark_mint_next_u64(mint.get(), &id, &error_), MINTMARK_OK) << error_.detail;
  EXPECT_EQ(id >> 12 & 1023, 77U);

  // Nobody else gets it while its window lives.
  mintmark_mint* second = nullptr;
  ASSERT_EQ(mintmark_mint_open(&options_, &second, &error_), MINTMARK_OK) << error_.detail;
  const Handle other{second};
  EXPECT_NE(mintmark_mint_wait(second, 300, &error_), MINTMARK_OK);
  EXPECT_EQ(mintmark_mint_next_u64(second, &id, &error_), MINTMARK_SLOT_TAKEN) << error_.detail;
}

TEST_F(CMint, WithoutWaitingItSaysWhenToComeAgain) {
  const std::string config =
      "[space.slow]\nscheme = \"snowflake\"\npreset = \"twitter-2010\"\n"
      "layout = \"time:41 worker:18 seq:4 epoch=2020-01-01\"\n";
  options_.config = config.c_str();
  options_.flags = MINTMARK_NO_WAIT;
  const Handle mint = open();
  std::array<std::uint64_t, 1'000> ids;
  std::size_t made = 0;
  const int code = mintmark_mint_fill_u64(mint.get(), ids.data(), ids.size(), &made, &error_);
  ASSERT_EQ(code, MINTMARK_SEQUENCE_EXHAUSTED) << error_.detail;
  EXPECT_GT(error_.retry_after_us, 0U);
  EXPECT_LE(error_.retry_after_us, 1'000U);
  EXPECT_EQ(error_.position, 0U);
  EXPECT_LT(made, ids.size());
  EXPECT_TRUE(std::ranges::is_sorted(std::span{ids}.first(made)));

  options_.flags = 0;
  const Handle patient = open();
  EXPECT_EQ(mintmark_mint_fill_u64(patient.get(), ids.data(), 100, &made, &error_), MINTMARK_OK)
      << error_.detail;
  EXPECT_EQ(made, 100U);
}

TEST_F(CMint, ALayoutNamesTheSpaceThatTheCommandLineNames) {
  options_.space = "discord";
  open();
  options_.space = nullptr;
  options_.layout = "discord";
  open();
  // Whoever takes the name for something else is told so.
  options_.config = "[space.\"snowflake:discord\"]\nscheme = \"snowflake\"\n";
  options_.layout = nullptr;
  EXPECT_EQ(refusal(), MINTMARK_LAYOUT_MISMATCH);
  EXPECT_TRUE(says("snowflake:discord")) << error_.detail;
}

TEST_F(CMint, ALastingTroubleEndsTheWait) {
  options_.space = "baidu";
  mintmark_mint* mint = nullptr;
  ASSERT_EQ(mintmark_mint_open(&options_, &mint, &error_), MINTMARK_OK) << error_.detail;
  const Handle handle{mint};
  EXPECT_EQ(mintmark_mint_wait(mint, kPatienceMs, &error_), MINTMARK_TIMESTAMP_OVERFLOW)
      << error_.detail;
}

TEST_F(CMint, AForkedChildIsRefusedAndMayClose) {
  Handle mint = open();
  ChildProcess child{[&](int) {
    mintmark_error error = MINTMARK_ERROR_INIT;
    std::uint64_t id = 0;
    std::array<char, MINTMARK_TEXT_SIZE> text;
    if (mintmark_mint_next_u64(mint.get(), &id, &error) != MINTMARK_FORKED) return 2;
    if (error.code != MINTMARK_FORKED) return 3;
    if (mintmark_mint_wait(mint.get(), kPatienceMs, &error) != MINTMARK_FORKED) return 4;
    mint.reset();
    if (mintmark_new("uuid7", text.data(), text.size(), &error) != MINTMARK_OK) return 5;
    mintmark_mint* own = nullptr;
    if (mintmark_mint_open(&options_, &own, &error) != MINTMARK_OK) return 6;
    if (mintmark_mint_wait(own, kPatienceMs, &error) != MINTMARK_OK) return 7;
    if (mintmark_mint_next_u64(own, &id, &error) != MINTMARK_OK) return 8;
    mintmark_mint_close(own);
    return 0;
  }};
  EXPECT_EQ(child.status(), 0);
  std::uint64_t id = 0;
  EXPECT_EQ(mintmark_mint_next_u64(mint.get(), &id, &error_), MINTMARK_OK) << error_.detail;
}

TEST_F(CMint, NothingIsDoneWithNoHandle) {
  std::uint64_t id = 0;
  std::size_t made = 9;
  EXPECT_EQ(mintmark_mint_next_u64(nullptr, &id, &error_), MINTMARK_INVALID_ARGUMENT);
  EXPECT_EQ(mintmark_mint_fill_u64(nullptr, &id, 1, &made, &error_), MINTMARK_INVALID_ARGUMENT);
  EXPECT_EQ(made, 0U);
  EXPECT_EQ(mintmark_mint_fill_bytes(nullptr, 1, &id, 8, &made, &error_),
            MINTMARK_INVALID_ARGUMENT);
  EXPECT_EQ(mintmark_mint_next_text(nullptr, error_.detail, 99, nullptr),
            MINTMARK_INVALID_ARGUMENT);
  EXPECT_EQ(mintmark_mint_take(nullptr, 1, &id, &id, &error_), MINTMARK_INVALID_ARGUMENT);
  EXPECT_EQ(mintmark_mint_wait(nullptr, 1, &error_), MINTMARK_INVALID_ARGUMENT);
  EXPECT_EQ(mintmark_mint_bytes(nullptr), 0U);
  EXPECT_EQ(mintmark_mint_text_size(nullptr), 0U);
  mintmark_mint_close(nullptr);
}

}  // namespace
}  // namespace mintmark
