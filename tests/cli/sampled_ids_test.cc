#include "cli/sampled_ids.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mintmark::cli {
namespace {

using Values = std::vector<std::string>;

const Instant kNow{std::chrono::seconds{1'790'000'000}};  // 2026-09-21

std::string form(const Values& values) {
  const auto found = text_form_of(values, kNow);
  return found ? std::string{found->scheme} + " " + std::to_string(found->text_bytes) : "none";
}

Values with(Values values, const std::string& one) {
  values.push_back(one);
  return values;
}

const Values kUuids{"0b0b2f3a-6f0e-4c64-9d5e-2f6a7c0a1b2c", "C56A4180-65AA-42EC-A945-5FD21DEC0538",
                    "019b0f00-0000-7000-8000-000000000001", "00000000-0000-0000-0000-000000000000",
                    "6ba7b810-9dad-11d1-80b4-00c04fd430c8"};
const Values kUlids{"01JDZ1M2B3C4D5E6F7G8H9J0K1", "01JDZ1M2B3C4D5E6F7G8H9J0K2",
                    "01jdz1m2b3c4d5e6f7g8h9j0k3", "01JDZ1M2B3C4D5E6F7G8H9J0K4",
                    "01JDZ1M2B3C4D5E6F7G8H9J0K5"};

TEST(TextForm, KnowsUuidsAndUlids) {
  EXPECT_EQ(form(kUuids), "uuid 36");
  EXPECT_EQ(form(kUlids), "ulid 26");
  Values plain;
  Values braces;
  for (std::string text : kUuids) {
    braces.push_back("{" + text + "}");
    std::erase(text, '-');
    if (text[12] != '0') plain.push_back(text);
  }
  EXPECT_EQ(form(braces), "uuid 38");
  EXPECT_EQ(form(with(plain, plain.front())), "uuid 32");
}

TEST(TextForm, OneOtherValueIsEnough) {
  EXPECT_EQ(form(with(kUuids, "")), "none");
  EXPECT_EQ(form(with(kUuids, "0b0b2f3a-6f0e-4c64-9d5e-2f6a7c0a1b2g")), "none");
  EXPECT_EQ(form(with(kUuids, kUlids[0])), "none");
  EXPECT_EQ(form(with(kUlids, "01JDZ1M2B3C4D5E6F7G8H9J0KU")), "none");
  EXPECT_EQ(form(Values(kUuids.begin(), kUuids.end() - 1)), "none");
  EXPECT_EQ(form({}), "none");
}

TEST(TextForm, DigestsAreNoUuids) {
  // MD5 of 1 to 5: hexadecimal digits alone do not make a UUID.
  EXPECT_EQ(form({"c4ca4238a0b923820dcc509a6f75849b", "c81e728d9d4c2f636f067f89cc14862c",
                  "eccbc87e4b5ce2fe28308fd9f2a7baf3", "a87ff679a2f3e71d9181a67b7542122c",
                  "e4da3b7fbbce2345d7772b0674a318d5"}),
            "none");
}

TEST(TextForm, UlidsOfNoPossibleTimeAreNone) {
  // Order numbers of 26 digits, and words: all of them are Crockford's base32.
  EXPECT_EQ(form({"00000000000000000000000001", "00000000000000000000000002",
                  "00000000000000000000000003", "00000000000000000000000004",
                  "00000000000000000000000005"}),
            "none");
  Values future;
  for (const std::string& text : kUlids) future.push_back("02" + text.substr(2));
  EXPECT_EQ(form(future), "none");
}

TEST(CaseApart, KnowsIdsInWhichCaseCounts) {
  const Values nanoids{"V1StGXR8_Z5jdHi6B-myT", "mzPmD0qBVdmLH51_nvpNa", "2aIEoePwnJ4Tdx0Wc-aqN",
                       "9PbE2hM5YVoqfR3_tJwuK", "Q7xkL0dGm2bTzN8vYcHpe"};
  EXPECT_TRUE(tell_case_apart(nanoids, Uniqueness::unknown));
  const Values sqids{"86Rf07", "se8ojk", "ARsz1p", "Q8Ai6Xw", "5QRSyFv0"};
  EXPECT_FALSE(
      tell_case_apart(sqids, Uniqueness::unknown));  // of several lengths, and not known as keys
  EXPECT_TRUE(tell_case_apart(sqids, Uniqueness::unique));
}

TEST(CaseApart, NamesAndHexadecimalAreNoSuchIds) {
  EXPECT_FALSE(tell_case_apart(Values{"McDonald", "VanHalen", "DeMorgan", "LaForge", "OBrienJr"},
                               Uniqueness::unique));
  EXPECT_FALSE(tell_case_apart(Values{"alice1", "bobby2", "carol3", "david4", "erica5"},
                               Uniqueness::unique));
  EXPECT_FALSE(tell_case_apart(Values{"Room 1 A", "Room 2 b", "Room 3 C", "Room 4 d", "Room 5 E"},
                               Uniqueness::unique));
  EXPECT_FALSE(tell_case_apart(kUuids, Uniqueness::unique));
  EXPECT_FALSE(tell_case_apart(Values{"aB1", "cD2", "eF3", "gH4", "iJ5"}, Uniqueness::unique));
}

}  // namespace
}  // namespace mintmark::cli
