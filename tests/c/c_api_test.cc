// The C interface as its callers see it: everything here goes through c.h and the shared library.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/base/error.h"
#include "mintmark/c.h"
#include "tests/child_process.h"

namespace mintmark {
namespace {

constexpr std::array kAlone{"uuid1", "uuid4",    "uuid6",  "uuid7",  "ulid",  "ksuid",
                            "xid",   "objectid", "pushid", "nanoid", "cuid2", "typeid"};
constexpr const char* kUlid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
constexpr std::int64_t kUlidTime = std::int64_t{1'469'922'850'259} * MINTMARK_TICKS_PER_MS;

mintmark_error fresh() { return MINTMARK_ERROR_INIT; }

std::string made(const char* scheme) {
  std::array<char, MINTMARK_TEXT_SIZE> text;
  mintmark_error error = fresh();
  EXPECT_EQ(mintmark_new(scheme, text.data(), text.size(), &error), MINTMARK_OK) << error.detail;
  return text.data();
}

TEST(CCodes, AreNumberedForEver) {
  // A number here never changes: programs that were compiled once have it in them.
  const std::map<std::string, int> numbers{{"WrongLength", 1},
                                           {"BadCharacter", 2},
                                           {"ValueOverflow", 3},
                                           {"WrongVersion", 4},
                                           {"NotCanonical", 5},
                                           {"BadLayout", 6},
                                           {"InvalidArgument", 7},
                                           {"UnknownKey", 8},
                                           {"NotSealed", 9},
                                           {"NotReady", 20},
                                           {"WindowExhausted", 21},
                                           {"NoFreeSlot", 22},
                                           {"SlotTaken", 23},
                                           {"SequenceExhausted", 24},
                                           {"ClockBehind", 25},
                                           {"ClockAhead", 26},
                                           {"ClockUnverified", 27},
                                           {"ClockBeforeEpoch", 28},
                                           {"TimestampOverflow", 29},
                                           {"RangeExhausted", 30},
                                           {"KeySpaceExhausted", 31},
                                           {"StoreUnavailable", 32},
                                           {"StoreRegressed", 33},
                                           {"IncarnationChanged", 34},
                                           {"EpochMismatch", 35},
                                           {"UnsafeStoreConfig", 36},
                                           {"LayoutMismatch", 37},
                                           {"Fenced", 38},
                                           {"Forked", 39},
                                           {"EntropyUnavailable", 40},
                                           {"Closed", 41},
                                           {"UnknownSpace", 60},
                                           {"UnknownVerb", 61},
                                           {"WrongType", 62},
                                           {"NotAllowed", 63},
                                           {"TooMany", 64},
                                           {"OutcomeUnknown", 65},
                                           {"BufferTooSmall", 80},
                                           {"OutOfMemory", 81},
                                           {"InternalError", 82},
                                           {"Ok", MINTMARK_OK}};
  for (const auto& [name, number] : numbers) EXPECT_EQ(name, mintmark_error_name(number));
  for (int code = -1; code < 200; ++code) {
    const std::string name = mintmark_error_name(code);
    EXPECT_EQ(name != "Unknown", numbers.contains(name)) << code;
  }
}

TEST(CCodes, SayWhatTheTableOfFaultsSays) {
  for (const FaultRow& row : kFaults) {
    int code = 1;
    while (code < 80 && row.name != mintmark_error_name(code)) ++code;
    ASSERT_LT(code, 80) << row.name << " has no code";
    EXPECT_EQ(row.sentence, mintmark_strerror(code));
    EXPECT_EQ(row.remedy, mintmark_error_remedy(code));
    EXPECT_EQ(row.retryable ? 1 : 0, mintmark_error_retryable(code));
  }
  EXPECT_STREQ(mintmark_error_kind(MINTMARK_FORKED), "refused");
  EXPECT_STREQ(mintmark_error_kind(MINTMARK_BAD_CHARACTER), "bad_input");
}

TEST(CErrors, OfAnOlderCallerStayWithinTheirSize) {
  // As a program from before `detail` was there.
  struct Whole {
    mintmark_error error;
    char behind[8];
  } whole{fresh(), "behind."};
  whole.error.size = offsetof(mintmark_error, detail) + 4;
  std::memset(whole.error.detail, '#', sizeof whole.error.detail);
  EXPECT_EQ(mintmark_validate("ulid", "x", 1, &whole.error), MINTMARK_WRONG_LENGTH);
  EXPECT_EQ(whole.error.code, MINTMARK_WRONG_LENGTH);
  EXPECT_NE(whole.error.detail[0], '#');
  EXPECT_EQ(whole.error.detail[4], '#');
  EXPECT_STREQ(whole.behind, "behind.");

  mintmark_error none = fresh();
  none.size = 0;
  EXPECT_EQ(mintmark_validate("ulid", "x", 1, &none), MINTMARK_WRONG_LENGTH);
  EXPECT_EQ(none.code, MINTMARK_OK);
}

TEST(CErrors, AreLeftAloneOnSuccess) {
  mintmark_error error = fresh();
  error.code = 77;
  EXPECT_EQ(mintmark_validate("ulid", kUlid, MINTMARK_ZERO_ENDED, &error), MINTMARK_OK);
  EXPECT_EQ(error.code, 77);
}

TEST(CErrors, CutLongWords) {
  mintmark_error error = fresh();
  const std::string name(1'000, 'x');
  std::array<char, MINTMARK_TEXT_SIZE> text;
  EXPECT_EQ(mintmark_new(name.c_str(), text.data(), text.size(), &error), MINTMARK_UNKNOWN_SPACE);
  EXPECT_EQ(std::strlen(error.detail), sizeof error.detail - 1);
}

TEST(CSchemes, AreListedAndFound) {
  std::set<std::string> names;
  mintmark_scheme row{};
  row.size = sizeof row;
  std::size_t index = 0;
  for (; mintmark_scheme_at(index, &row, nullptr) == MINTMARK_OK; ++index) {
    names.insert(row.name);
    mintmark_scheme found{};
    found.size = sizeof found;
    EXPECT_EQ(mintmark_scheme_find(row.name, &found, nullptr), MINTMARK_OK);
    EXPECT_STREQ(row.name, found.name);
    EXPECT_STREQ(row.title, found.title);
    EXPECT_LE(row.bytes, std::uint32_t{MINTMARK_BYTES_SIZE}) << row.name;
    EXPECT_LE(row.text_size, std::uint32_t{MINTMARK_TEXT_SIZE}) << row.name;
  }
  EXPECT_EQ(names.size(), index);
  for (const char* name : kAlone) EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_TRUE(names.contains("discord"));
}

TEST(CSchemes, SayWhoCanMakeThem) {
  mintmark_scheme row{};
  row.size = sizeof row;
  const auto minting = [&](const char* name) {
    EXPECT_EQ(mintmark_scheme_find(name, &row, nullptr), MINTMARK_OK) << name;
    return row.minting;
  };
  for (const char* name : kAlone) EXPECT_EQ(minting(name), MINTMARK_MINTS_ALONE) << name;
  for (const char* name : {"snowflake", "discord", "tsid", "rowid", "bitreversed"})
    EXPECT_EQ(minting(name), MINTMARK_MINTS_LEASED) << name;
  for (const char* name : {"uuid", "uuid5", "uuid8"})
    EXPECT_EQ(minting(name), MINTMARK_READS_ONLY) << name;
}

TEST(CSchemes, SayTheFactsOfUlid) {
  mintmark_scheme row{};
  row.size = sizeof row;
  ASSERT_EQ(mintmark_scheme_find("ulid", &row, nullptr), MINTMARK_OK);
  EXPECT_STREQ(row.name, "ulid");
  EXPECT_STREQ(row.title, "ULID");
  EXPECT_EQ(row.bits, 128U);
  EXPECT_EQ(row.bytes, 16U);
  EXPECT_EQ(row.text_size, 27U);
  EXPECT_EQ(row.order, MINTMARK_ORDER_MONOTONIC);
}

TEST(CSchemes, AnUnknownOneIsSaidWithTheOneThatWasMeant) {
  mintmark_error error = fresh();
  mintmark_scheme row{};
  row.size = sizeof row;
  EXPECT_EQ(mintmark_scheme_find("ulit", &row, &error), MINTMARK_UNKNOWN_SPACE);
  EXPECT_NE(std::string_view{error.detail}.find("'ulid'"), std::string_view::npos) << error.detail;
  EXPECT_EQ(mintmark_scheme_find(nullptr, &row, &error), MINTMARK_INVALID_ARGUMENT);
  row.size = 0;
  EXPECT_EQ(mintmark_scheme_find("ulid", &row, &error), MINTMARK_INVALID_ARGUMENT);
}

TEST(CNew, MakesEverySchemeThatNeedsNoStore) {
  for (const char* scheme : kAlone) {
    const std::string text = made(scheme);
    mintmark_error error = fresh();
    EXPECT_EQ(mintmark_validate(scheme, text.data(), text.size(), &error), MINTMARK_OK)
        << scheme << " " << text << ": " << error.detail;
    EXPECT_NE(text, made(scheme));
  }
}

TEST(CNew, RefusesWhatNeedsAStoreOrIsOnlyRead) {
  std::array<char, MINTMARK_TEXT_SIZE> text;
  mintmark_error error = fresh();
  for (const char* scheme : {"snowflake", "discord", "block", "tsid", "uuid5", "uuid"}) {
    EXPECT_EQ(mintmark_new(scheme, text.data(), text.size(), &error), MINTMARK_INVALID_ARGUMENT)
        << scheme;
  }
  EXPECT_EQ(mintmark_new("", text.data(), text.size(), &error), MINTMARK_UNKNOWN_SPACE);
  EXPECT_EQ(mintmark_new(nullptr, text.data(), text.size(), &error), MINTMARK_INVALID_ARGUMENT);
  EXPECT_EQ(mintmark_new("ulid", nullptr, 99, &error), MINTMARK_INVALID_ARGUMENT);
  EXPECT_STREQ(error.detail, "out is NULL");
}

TEST(CNew, NeverWritesBehindTheBuffer) {
  std::array<char, 28> text;
  text.fill('#');
  mintmark_error error = fresh();
  EXPECT_EQ(mintmark_new("ulid", text.data(), 26, &error), MINTMARK_BUFFER_TOO_SMALL);
  EXPECT_EQ(std::ranges::count(text, '#'), 28);
  EXPECT_STREQ(error.detail, "a text of ulid needs 27 bytes");
  EXPECT_EQ(mintmark_new("ulid", text.data(), 27, &error), MINTMARK_OK);
  EXPECT_EQ(text[26], '\0');
  EXPECT_EQ(text[27], '#');
}

TEST(CNew, ManyStandAStrideApart) {
  constexpr std::size_t kCount = 1'000;
  constexpr std::size_t kStride = 40;
  std::vector<char> texts(kCount * kStride, '#');
  ASSERT_EQ(mintmark_new_many("uuid7", kCount, texts.data(), kStride, nullptr), MINTMARK_OK);
  std::string before;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::string text = &texts[i * kStride];
    EXPECT_EQ(text.size(), 36U);
    EXPECT_EQ(texts[i * kStride + 37], '#');
    EXPECT_LT(before, text);
    before = text;
  }
  EXPECT_EQ(mintmark_new_many("uuid7", kCount, texts.data(), 36, nullptr),
            MINTMARK_BUFFER_TOO_SMALL);
  EXPECT_EQ(mintmark_new_many("uuid7", 0, texts.data(), kStride, nullptr), MINTMARK_OK);
}

TEST(CNew, BytesAreThoseThatTheTextStandsFor) {
  for (const char* scheme : kAlone) {
    mintmark_scheme row{};
    row.size = sizeof row;
    ASSERT_EQ(mintmark_scheme_find(scheme, &row, nullptr), MINTMARK_OK);
    std::vector<unsigned char> bytes(100 * row.bytes);
    ASSERT_EQ(mintmark_new_bytes(scheme, 100, bytes.data(), bytes.size(), nullptr), MINTMARK_OK);
    std::set<std::string> texts;
    for (std::size_t i = 0; i < 100; ++i) {
      std::array<char, MINTMARK_TEXT_SIZE> text;
      ASSERT_EQ(mintmark_to_text(scheme, &bytes[i * row.bytes], row.bytes, text.data(), text.size(),
                                 nullptr, nullptr),
                MINTMARK_OK)
          << scheme;
      texts.insert(text.data());
    }
    EXPECT_EQ(texts.size(), 100U) << scheme;
    EXPECT_EQ(mintmark_new_bytes(scheme, 100, bytes.data(), bytes.size() - 1, nullptr),
              MINTMARK_BUFFER_TOO_SMALL);
  }
}

TEST(CNew, ATypeIdHasItsPrefix) {
  std::array<char, MINTMARK_TEXT_SIZE> text;
  mintmark_error error = fresh();
  ASSERT_EQ(mintmark_new_typeid("user", text.data(), 4 + 28, &error), MINTMARK_OK) << error.detail;
  EXPECT_TRUE(std::string_view{text.data()}.starts_with("user_"));
  EXPECT_EQ(mintmark_validate("typeid", text.data(), MINTMARK_ZERO_ENDED, nullptr), MINTMARK_OK);
  EXPECT_EQ(mintmark_new_typeid("user", text.data(), 4 + 27, &error), MINTMARK_BUFFER_TOO_SMALL);
  EXPECT_EQ(mintmark_new_typeid("User", text.data(), text.size(), &error), MINTMARK_BAD_CHARACTER);
  EXPECT_EQ(error.position, 0U);
}

TEST(CNew, EightThreadsGetDistinctIdsThatRise) {
  constexpr std::size_t kThreads = 8;
  constexpr std::size_t kEach = 5'000;
  std::array<std::vector<std::string>, kThreads> texts;
  std::vector<std::thread> threads;
  for (auto& mine : texts) {
    threads.emplace_back([&mine] {
      for (std::size_t i = 0; i < kEach; ++i) mine.push_back(made("ulid"));
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& mine : texts) {
    EXPECT_TRUE(std::ranges::is_sorted(mine));
    all.insert(mine.begin(), mine.end());
  }
  EXPECT_EQ(all.size(), kThreads * kEach);
}

TEST(CNew, AForkedChildGetsItsOwnIds) {
  const std::string before = made("uuid7");
  ChildProcess child{[](int pipe) {
    for (int i = 0; i < 100; ++i) say(pipe, made("uuid7"));
    return 0;
  }};
  std::set<std::string> all{before};
  for (int i = 0; i < 100; ++i) all.insert(made("uuid7"));
  const std::string words = child.words();
  ASSERT_EQ(child.status(), 0);
  ASSERT_EQ(words.size(), 100U * 36);
  for (std::size_t at = 0; at < words.size(); at += 36) all.insert(words.substr(at, 36));
  EXPECT_EQ(all.size(), 201U);
}

TEST(CRead, SaysWhereATextIsWrong) {
  mintmark_error error = fresh();
  EXPECT_EQ(mintmark_validate("ulid", "01ARZ3NDEKTSV4RRFFQ69G5FUV", 26, &error),
            MINTMARK_BAD_CHARACTER);
  EXPECT_EQ(error.code, MINTMARK_BAD_CHARACTER);
  EXPECT_EQ(error.position, 24U);
  EXPECT_EQ(error.retry_after_us, 0U);
  EXPECT_NE(std::string_view{error.detail}.find("'U'"), std::string_view::npos) << error.detail;
  EXPECT_EQ(mintmark_validate("ulid", "81ARZ3NDEKTSV4RRFFQ69G5FAV", 26, nullptr),
            MINTMARK_VALUE_OVERFLOW);
  EXPECT_EQ(mintmark_validate("uuid4", made("uuid7").c_str(), MINTMARK_ZERO_ENDED, &error),
            MINTMARK_WRONG_VERSION);
  EXPECT_EQ(mintmark_validate("ulid", nullptr, 0, &error), MINTMARK_INVALID_ARGUMENT);
}

TEST(CRead, TakesTextsWithoutAZeroAndWithOneInside) {
  const std::string longer = std::string{kUlid} + "tail";
  EXPECT_EQ(mintmark_validate("ulid", longer.data(), 26, nullptr), MINTMARK_OK);
  EXPECT_EQ(mintmark_validate("ulid", longer.data(), 27, nullptr), MINTMARK_WRONG_LENGTH);
  std::string zero = kUlid;
  zero[10] = '\0';
  mintmark_error error = fresh();
  EXPECT_EQ(mintmark_validate("ulid", zero.data(), 26, &error), MINTMARK_BAD_CHARACTER);
  EXPECT_EQ(error.position, 10U);
}

TEST(CRead, EveryBufferCanBeMeasuredFirst) {
  std::size_t needed = 0;
  EXPECT_EQ(mintmark_to_bytes("ulid", kUlid, 26, nullptr, 0, &needed, nullptr), MINTMARK_OK);
  EXPECT_EQ(needed, 16U);
  std::array<unsigned char, 16> bytes;
  EXPECT_EQ(mintmark_to_bytes("ulid", kUlid, 26, bytes.data(), 15, &needed, nullptr),
            MINTMARK_BUFFER_TOO_SMALL);
  EXPECT_EQ(mintmark_to_bytes("ulid", kUlid, 26, bytes.data(), 16, &needed, nullptr), MINTMARK_OK);

  needed = 0;
  EXPECT_EQ(mintmark_to_text("ulid", bytes.data(), 16, nullptr, 0, &needed, nullptr), MINTMARK_OK);
  EXPECT_EQ(needed, 27U);
  std::array<char, 27> text;
  EXPECT_EQ(mintmark_to_text("ulid", bytes.data(), 16, text.data(), 26, nullptr, nullptr),
            MINTMARK_BUFFER_TOO_SMALL);
  EXPECT_EQ(mintmark_to_text("ulid", bytes.data(), 16, text.data(), 27, nullptr, nullptr),
            MINTMARK_OK);
  EXPECT_STREQ(text.data(), kUlid);
  EXPECT_EQ(mintmark_to_text("ulid", bytes.data(), 15, text.data(), 27, nullptr, nullptr),
            MINTMARK_WRONG_LENGTH);
  EXPECT_EQ(mintmark_to_text("ulid", bytes.data(), 16, nullptr, 27, nullptr, nullptr),
            MINTMARK_INVALID_ARGUMENT);
}

TEST(CRead, InspectGivesJson) {
  std::size_t needed = 0;
  ASSERT_EQ(mintmark_inspect(nullptr, kUlid, 26, nullptr, 0, &needed, nullptr), MINTMARK_OK);
  std::string json(needed, '#');
  EXPECT_EQ(mintmark_inspect(nullptr, kUlid, 26, json.data(), needed - 1, nullptr, nullptr),
            MINTMARK_BUFFER_TOO_SMALL);
  ASSERT_EQ(mintmark_inspect(nullptr, kUlid, 26, json.data(), needed, nullptr, nullptr),
            MINTMARK_OK);
  EXPECT_EQ(json.back(), '\0');
  json.pop_back();
  EXPECT_TRUE(json.starts_with("{\"schema\":1,\"input\":\"01ARZ3NDEKTSV4RRFFQ69G5FAV\"")) << json;
  EXPECT_TRUE(json.ends_with("}]}")) << json;
  EXPECT_NE(json.find("\"time\":\"2016-07-30T23:54:10.259Z\""), std::string::npos) << json;

  mintmark_error error = fresh();
  EXPECT_EQ(mintmark_inspect("uuid", kUlid, 26, nullptr, 0, &needed, &error),
            MINTMARK_WRONG_LENGTH);
  EXPECT_EQ(mintmark_inspect(nullptr, "", 0, nullptr, 0, &needed, &error), MINTMARK_WRONG_LENGTH);
}

TEST(CRead, TellsTheTimeOfATextAndOfBytes) {
  std::int64_t time = 0;
  ASSERT_EQ(mintmark_time_of_text("ulid", kUlid, 26, &time, nullptr), MINTMARK_OK);
  EXPECT_EQ(time, kUlidTime);
  std::array<unsigned char, 16> bytes;
  ASSERT_EQ(mintmark_to_bytes("ulid", kUlid, 26, bytes.data(), 16, nullptr, nullptr), MINTMARK_OK);
  time = 0;
  ASSERT_EQ(mintmark_time_of_bytes("ulid", bytes.data(), 16, &time, nullptr), MINTMARK_OK);
  EXPECT_EQ(time, kUlidTime);
  mintmark_error error = fresh();
  EXPECT_EQ(mintmark_time_of_text("uuid4", made("uuid4").c_str(), 36, &time, &error),
            MINTMARK_INVALID_ARGUMENT);
  EXPECT_STREQ(error.detail, "uuid4 carries no time");
}

TEST(CRead, FloorAndCeilEncloseTheIdsOfAnInstant) {
  std::array<unsigned char, 16> id;
  std::array<unsigned char, 16> least;
  std::array<unsigned char, 16> largest;
  ASSERT_EQ(mintmark_to_bytes("ulid", kUlid, 26, id.data(), 16, nullptr, nullptr), MINTMARK_OK);
  ASSERT_EQ(mintmark_floor("ulid", kUlidTime, least.data(), 16, nullptr, nullptr), MINTMARK_OK);
  ASSERT_EQ(mintmark_ceil("ulid", kUlidTime, largest.data(), 16, nullptr, nullptr), MINTMARK_OK);
  EXPECT_LT(least, id);
  EXPECT_LT(id, largest);
  std::int64_t time = 0;
  ASSERT_EQ(mintmark_time_of_bytes("ulid", largest.data(), 16, &time, nullptr), MINTMARK_OK);
  EXPECT_EQ(time, kUlidTime);

  std::size_t needed = 0;
  EXPECT_EQ(mintmark_floor("discord", kUlidTime, nullptr, 0, &needed, nullptr), MINTMARK_OK);
  EXPECT_EQ(needed, 8U);
  mintmark_error error = fresh();
  EXPECT_EQ(mintmark_floor("uuid4", kUlidTime, least.data(), 16, nullptr, &error),
            MINTMARK_INVALID_ARGUMENT);
  EXPECT_NE(mintmark_floor("ulid", -1, least.data(), 16, nullptr, &error), MINTMARK_OK);
}

TEST(CRead, NumbersAreBigEndian) {
  std::array<unsigned char, 8> bytes;
  mintmark_store_u64(0x0102030405060708, bytes.data());
  EXPECT_EQ(bytes, (std::array<unsigned char, 8>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(mintmark_load_u64(bytes.data()), 0x0102030405060708U);
  // The example of Discord's documentation.
  mintmark_store_u64(175'928'847'299'117'063, bytes.data());
  std::int64_t time = 0;
  ASSERT_EQ(mintmark_time_of_bytes("discord", bytes.data(), 8, &time, nullptr), MINTMARK_OK);
  EXPECT_EQ(time / MINTMARK_TICKS_PER_MS, 1'462'015'105'796);
}

TEST(CLibrary, SaysItsVersionAndTheTime) {
  EXPECT_TRUE(std::string_view{mintmark_version()}.starts_with("0."));
  const std::int64_t now = mintmark_now();
  std::int64_t time = 0;
  ASSERT_EQ(mintmark_time_of_text("uuid7", made("uuid7").c_str(), 36, &time, nullptr), MINTMARK_OK);
  EXPECT_GE(time, now - MINTMARK_TICKS_PER_MS);
}

}  // namespace
}  // namespace mintmark
