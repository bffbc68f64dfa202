#include "mintmark/scheme/ulid.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <clocale>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/known_entropy.h"
#include "tests/seed.h"
#include "tests/temp_folder.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using vectors::Line;
using Generator = Ulid::Generator;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);  // 2026-12-01

std::string text(const Ulid& id) {
  std::string out(Ulid::facts.text_size, '?');
  EXPECT_EQ(id.write(std::span{out}), out.size());
  return out;
}

Ulid ulid(std::string_view canonical) {
  const auto id = Ulid::parse(canonical);
  EXPECT_TRUE(id) << canonical;
  return id.value_or(Ulid{});
}

std::string uuid_text(const Uuid& id) {
  std::string out(36, '?');
  id.write(std::span{out});
  return out;
}

void expect_ulid(const Line& line) {
  const auto id = Ulid::parse(line.input);
  if (line.rejects()) {
    EXPECT_FALSE(id);
    return;
  }
  ASSERT_TRUE(id);
  EXPECT_EQ(std::to_string(id->unpack().unix_ms), line.answer("ms"));
  EXPECT_EQ(uuid_text(id->uuid()), line.answer("uuid"));
  EXPECT_EQ(text(*id), line.input);
  EXPECT_EQ(Ulid::from_uuid(id->uuid()), *id);
}

TEST(Ulid, GivesTheKnownAnswers) {
  vectors::check_all(
      "ulid",
      {{"ulid", expect_ulid},
       {"ulidnext",
        [](const Line& line) { EXPECT_EQ(text(*ulid(line.input).successor()), line.expected); }},
       {"ulidnextreject",
        [](const Line& line) {
          EXPECT_EQ(ulid(line.input).successor().error().fault(), Fault::sequence_exhausted);
        }},
       {"ulidalias",
        [](const Line& line) {
          EXPECT_FALSE(Ulid::parse(line.input));
          const auto id = Ulid::parse_crockford(line.input);
          ASSERT_TRUE(id);
          std::string hex(32, '?');
          id->uuid().write_plain(std::span{hex});
          EXPECT_EQ(hex, vectors::words(line.expected).front());
        }},
       {"ulidaliastext",
        [](const Line& line) {
          EXPECT_FALSE(Ulid::parse(line.input));
          EXPECT_EQ(text(*Ulid::parse_crockford(line.input)), line.expected);
        }},
       {"ulidaccept", [](const Line& line) { EXPECT_EQ(text(ulid(line.text())), line.expected); }},
       {"ulidreject", [](const Line& line) { EXPECT_FALSE(Ulid::parse(line.text())); }},
       {"ulidtime",
        [](const Line& line) {
          const Instant time = from_unix_ms(std::stoll(line.input));
          EXPECT_EQ(text(*Ulid::floor(time)).substr(0, 10), line.expected);
          EXPECT_EQ(Ulid::floor(time)->time(), time);
          SeededEntropy entropy{test_seed()};
          EXPECT_EQ(text(*Generator{entropy}.next(time)).substr(0, 10), line.expected);
        }},
       {"ulidstream", [](const Line& line) {
          std::string stream(26, '?');
          write_stream<kCrockford>(ulid(line.input).uuid().bytes(), stream);
          EXPECT_EQ(stream, line.expected);
          EXPECT_NE(text(ulid(line.input)), line.expected);
        }}});
}

// ahawker/ulid#468, dylanhart/ulid-rs#59, colinhacks/zod#6095, oklog/ulid#69: 8ZZ...Z was read as 0ZZ...Z.
TEST(Ulid, NamesOverflowAtPositionZero) {
  for (const char first : kCrockford.chars()) {
    const auto read = Ulid::parse(std::string(1, first) + std::string(25, 'Z'));
    ASSERT_EQ(read.has_value(), first <= '7') << first;
    if (first > '7') {
      EXPECT_EQ(read.error(), Error::at(Fault::value_overflow, 0)) << first;
    }
  }
}

/// The digits as the specification lists them, not as the code under test does.
constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::string_view kLowerDigits = "0123456789abcdefghjkmnpqrstvwxyz";

std::size_t digit_of(char c) { return std::min(kDigits.find(c), kLowerDigits.find(c)); }

// Cysharp/Ulid#74, #90: whatever was not in the alphabet was read as some digit. And rafaelsales/ulid#45:
// the digits W to Z were all read as 0.
TEST(Ulid, NamesEachWrongByteAtEachPosition) {
  for (std::size_t at = 0; at < 26; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed(26, '0');
      changed[at] = static_cast<char>(byte);
      const auto read = Ulid::parse(changed);
      const std::size_t value = digit_of(changed[at]);
      if (value == std::string_view::npos) {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else if (at == 0 && value > 7) {
        ASSERT_EQ(read.error(), Error::at(Fault::value_overflow, 0)) << byte;
      } else {
        ASSERT_TRUE(read) << byte;
        ASSERT_TRUE(read->uuid().integer() == U128{value} << (5 * (25 - at))) << at << ' ' << byte;
      }
    }
  }
}

TEST(Ulid, RefusesTextsOfOneWrongByteAlone) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    if (digit_of(c) != std::string_view::npos) continue;
    EXPECT_EQ(Ulid::parse(std::string(26, c)).error(), Error::at(Fault::bad_character, 0)) << byte;
  }
}

// The debate of ulid/spec#38, #49, #57, #94: may I, L and O be read as digits? Only when asked to.
TEST(Ulid, AliasesAreDigitsOnlyInTheCrockfordMode) {
  for (std::size_t at = 0; at < 26; ++at) {
    for (const char c : std::string{"iIlLoO"}) {
      std::string typed(26, '0');
      std::string meant = typed;
      typed[at] = c;
      meant[at] = c == 'o' || c == 'O' ? '0' : '1';
      ASSERT_EQ(Ulid::parse(typed).error(), Error::at(Fault::bad_character, at)) << c;
      ASSERT_EQ(Ulid::parse_crockford(typed), ulid(meant)) << c;
    }
  }
}

/// A Turkish locale for the life of a test: there the capital of i is not I. Where it is not installed, it is
/// made by the tool of the C library, if its sources are there.
class Turkish {
 public:
  Turkish() : before_(std::setlocale(LC_ALL, nullptr)) {
    if (std::setlocale(LC_ALL, kName) != nullptr) return;
    const std::string made = folder_ / kName;
    const std::string command =
        "localedef --no-archive -i tr_TR -f UTF-8 '" + made + "' >'" + (folder_ / "log") + "' 2>&1";
    if (std::system(command.c_str()) != 0) return;
    ::setenv("LOCPATH", folder_.path().c_str(), 1);
    std::setlocale(LC_ALL, kName);
    ::unsetenv("LOCPATH");
  }
  Turkish(const Turkish&) = delete;
  Turkish& operator=(const Turkish&) = delete;
  ~Turkish() { std::setlocale(LC_ALL, before_.c_str()); }

  [[nodiscard]] static bool spoken() {
    return std::string_view{std::setlocale(LC_ALL, nullptr)} == kName && std::toupper('i') != 'I';
  }

 private:
  static constexpr const char* kName = "tr_TR.UTF-8";
  std::string before_;
  TempFolder folder_;
};

// perry-mitchell/ulidx#19. The compiler has no locale; what runs must read as it does.
TEST(Ulid, ReadsLowerCaseInTurkeyToo) {
  constexpr std::string_view kLower = "01gzg7pcspvhf0s44w7g5re071";
  constexpr Ulid kRead = *Ulid::parse(kLower);
  static_assert(kRead == *Ulid::parse("01GZG7PCSPVHF0S44W7G5RE071"));
  static_assert(kRead.unpack().unix_ms == 1'683'098'383'158u);
  const Turkish turkish;
  if (!Turkish::spoken()) std::cout << "no Turkish locale here, and none could be made\n";
  EXPECT_EQ(ulid(kLower), kRead);
  EXPECT_EQ(ulid("01GZG7PCSPVHF0S44W7G5RE071"), kRead);
  EXPECT_EQ(Ulid::parse_crockford(kLower), kRead);
  for (std::size_t digit = 0; digit < kDigits.size(); ++digit) {
    const std::string zeros(25, '0');
    EXPECT_EQ(ulid(zeros + kLowerDigits[digit]), ulid(zeros + kDigits[digit]));
  }
  for (const char c : std::string{"iI"}) {
    EXPECT_FALSE(Ulid::parse(std::string(25, '0') + c));
    EXPECT_EQ(Ulid::parse_crockford(std::string(25, '0') + c), ulid("00000000000000000000000001"));
  }
}

TEST(Ulid, CrockfordModeSkipsHyphensAndCountsThem) {
  EXPECT_EQ(Ulid::parse_crockford("01ARZ3ND-EKTSV4RR-FFQ69G5FAV"),
            ulid("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
  EXPECT_EQ(Ulid::parse_crockford("-O1ARZ3NDEKTSV4RRFFQ69G5FAV-"),
            ulid("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
  EXPECT_EQ(Ulid::parse_crockford("01ARZ3ND-EKTSV4RR-FFQ69G5FAU").error(),
            Error::at(Fault::bad_character, 27));
  EXPECT_EQ(Ulid::parse_crockford("--8000000000000000000000000Z").error(),
            Error::at(Fault::value_overflow, 2));
  EXPECT_EQ(Ulid::parse_crockford("01ARZ3ND-EKTSV4RR-FFQ69G5FAVX").error(),
            Error::at(Fault::wrong_length, 28));
  EXPECT_EQ(Ulid::parse_crockford("01ARZ3ND").error(), Error::at(Fault::wrong_length, 8));
  EXPECT_FALSE(Ulid::parse("01ARZ3ND-EKTSV4RR-FFQ69G5FAV"));
}

TEST(Ulid, PacksWhatFitsAndRefusesTheRest) {
  const Ulid::Fields most{low_bits(48), (U128{1} << 80) - 1};
  EXPECT_EQ(text(*Ulid::pack(most)), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
  EXPECT_EQ(Ulid::pack(most)->unpack(), most);
  EXPECT_EQ(Ulid::pack({.unix_ms = low_bits(48) + 1}).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(Ulid::pack({.random = U128{1} << 80}).error().fault(), Fault::value_overflow);
}

TEST(Ulid, GoesThereAndBackAndSortsAlike) {
  SeededEntropy entropy{test_seed()};
  Ulid before;
  for (int round = 0; round < 5000; ++round) {
    const Ulid id = Ulid::from_uuid(Uuid::of(*entropy.word(), *entropy.word()));
    EXPECT_EQ(ulid(text(id)), id);
    EXPECT_EQ(Ulid::pack(id.unpack()), id);
    std::array<std::byte, 16> bytes{};
    id.to_bytes(bytes);
    EXPECT_EQ(Ulid::from_bytes(bytes), id);
    EXPECT_EQ(id < before, text(id) < text(before));
    EXPECT_EQ(id < before, id.uuid() < before.uuid());
    before = id;
  }
  EXPECT_EQ(Ulid::from_bytes({}).error(), Error::at(Fault::wrong_length, 0));
}

TEST(Ulid, FloorAndCeilHoldTheMillisecond) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  const Ulid id = *generator.next(kNow);
  EXPECT_LE(*Ulid::floor(kNow), id);
  EXPECT_LE(id, *Ulid::ceil(kNow));
  EXPECT_LT(*Ulid::ceil(kNow), *Ulid::floor(kNow + milliseconds{1}));
  EXPECT_EQ(Ulid::floor(kNow + microseconds{999}), Ulid::floor(kNow));
  EXPECT_EQ(Ulid::floor(Instant{Duration{-1}}).error().fault(), Fault::clock_before_epoch);
  EXPECT_TRUE(Ulid::ceil(from_unix_ms(Ulid::kLastMs)));
  EXPECT_EQ(Ulid::ceil(from_unix_ms(Ulid::kLastMs + 1)).error().fault(), Fault::timestamp_overflow);
}

TEST(UlidGenerator, RisesStrictlyWhileTheClockStands) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  Ulid before = *generator.next(kNow);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto id = generator.next(kNow);
    ASSERT_TRUE(id);
    ASSERT_LT(before, *id);
    ASSERT_EQ(id->time(), kNow);
    before = *id;
  }
}

TEST(UlidGenerator, RisesStrictlyWhateverTheClockDoesWithinTenSeconds) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  SeededEntropy jitter{test_seed() + 1};
  Ulid before = *generator.next(kNow);
  Instant newest = kNow;
  for (int i = 0; i < 100'000; ++i) {
    const auto back = Duration{static_cast<std::int64_t>(*jitter.word() % 100'000'000)};
    const Instant now =
        newest + milliseconds{*jitter.word() % 3} - (i % 2 == 0 ? back : Duration{0});
    newest = std::max(newest, now);
    std::array<Ulid, 3> ids{};
    ASSERT_EQ(generator.fill(ids, now), 3u);
    for (const Ulid& id : ids) {
      ASSERT_LT(before, id);
      ASSERT_EQ(unix_ms(id.time()), unix_ms(newest));
      before = id;
    }
  }
  EXPECT_EQ(generator.rollbacks(), 0u);
}

// suyash/ulid#13, eddelbuettel/ulid#2, whitesmith/ulid#3: the time was in seconds, or cut to 32 bits.
TEST(UlidGenerator, ItsTimeIsMillisecondsAndHasMoreThan32Bits) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  EXPECT_EQ(text(*generator.next(from_unix_ms(1'520'980'783'583))).substr(0, 10), "01C8GR9WEZ");
  EXPECT_EQ(generator.next(from_unix_ms(4'102'444'800'123))->unpack().unix_ms, 4'102'444'800'123u);
}

// ryan-mars/ulid-workers#8: the step from a full millisecond led into the next one.
TEST(UlidGenerator, AFullMillisecondIsAnErrorWithItsEnd) {
  ConstantEntropy ones{std::byte{0xff}};
  Generator generator{ones};
  const Instant now = kNow + microseconds{250};
  const Ulid last = *generator.next(now);
  EXPECT_EQ(last, *Ulid::ceil(now));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(generator.next(now).error(), Error::retry(Fault::sequence_exhausted, 750));
  }
  std::array<Ulid, 4> ids{};
  EXPECT_EQ(generator.fill(ids, now - seconds{1}).error(),
            Error::retry(Fault::sequence_exhausted, 1'000'750));
  EXPECT_EQ(generator.fill(ids, now + milliseconds{1}), 1u);  // the next one would not fit any more
  EXPECT_EQ(ids[0], *Ulid::ceil(now + milliseconds{1}));
}

TEST(UlidGenerator, TakesTheSpecifiedStepsFromItsFirstId) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  std::array<Ulid, 100> ids{};
  ASSERT_EQ(generator.fill(ids, kNow), 100u);
  for (std::size_t i = 1; i < ids.size(); ++i) EXPECT_EQ(ids[i - 1].successor(), ids[i]);
  EXPECT_EQ(generator.next(kNow), *ids.back().successor());
}

TEST(UlidGenerator, EachMillisecondStartsWithEightyRandomBits) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  U128 ever_one = 0;
  U128 ever_zero = 0;
  for (int i = 0; i < 200; ++i) {
    const U128 random = generator.next(kNow + milliseconds{i})->unpack().random;
    ever_one |= random;
    ever_zero |= ~random;
  }
  const U128 all = (U128{1} << 80) - 1;
  EXPECT_TRUE((ever_one & all) == all && (ever_zero & all) == all);
}

TEST(UlidGenerator, AClockFarBackStartsAnewAndIsCounted) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  const Ulid first = *generator.next(kNow);
  EXPECT_EQ(generator.next(kNow - seconds{10}), *first.successor());
  const Instant back = kNow - seconds{10} - milliseconds{1};
  const Ulid anew = *generator.next(back);
  EXPECT_EQ(anew.time(), back);
  EXPECT_EQ(generator.rollbacks(), 1u);
  EXPECT_EQ(generator.next(back), *anew.successor());
}

TEST(UlidGenerator, OrRefusesUntilTheClockIsNear) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy, {.far_back = Generator::FarBack::refuse}};
  const Ulid first = *generator.next(kNow);
  EXPECT_EQ(generator.next(kNow - seconds{11}).error(),
            Error::retry(Fault::clock_behind, 1'000'000));
  EXPECT_EQ(generator.next(kNow - seconds{10}), *first.successor());
  EXPECT_EQ(generator.rollbacks(), 0u);
}

TEST(UlidGenerator, WithoutOrderEachIdIsRandomAtItsTime) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy, {.within = Generator::Within::random}};
  std::vector<Ulid> ids(1000);
  ASSERT_EQ(generator.fill(ids, kNow), ids.size());
  EXPECT_FALSE(std::ranges::is_sorted(ids));
  for (const Ulid& id : ids) EXPECT_EQ(id.time(), kNow);
  EXPECT_EQ(generator.next(kNow - seconds{60})->time(), kNow - seconds{60});
  const std::unordered_set<Ulid> distinct{ids.begin(), ids.end()};
  EXPECT_EQ(distinct.size(), ids.size());
}

TEST(UlidGenerator, AnErrorChangesNothing) {
  BreakableEntropy entropy{test_seed()};
  Generator generator{entropy};
  std::array<Ulid, 2> ids{};
  EXPECT_EQ(generator.next(Instant{Duration{-1}}).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(generator.next(from_unix_ms(Ulid::kLastMs + 1)).error().fault(),
            Fault::timestamp_overflow);
  const Ulid first = *generator.next(kNow);
  entropy.broken = true;
  EXPECT_EQ(generator.next(kNow + milliseconds{1}).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.fill(ids, kNow - seconds{20}).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.next(Instant{Duration{-1}}).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(generator.rollbacks(), 0u);
  EXPECT_EQ(generator.next(kNow), *first.successor());
  EXPECT_EQ(generator.fill(std::span<Ulid>{}, Instant{Duration{-1}}), 0u);
}

static_assert(!std::is_copy_constructible_v<Generator> &&
              !std::is_move_constructible_v<Generator> && !std::is_copy_assignable_v<Generator>);

}  // namespace
}  // namespace mintmark
