#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "cli/seal_keys.h"
#include "mintmark/text/slice.h"
#include "shell.h"
#include "tests/known_entropy.h"

namespace mintmark::cli {
namespace {

constexpr std::string_view kHex = "2b7e151628aed2a6abf7158809cf4f3c";
constexpr std::string_view kOtherHex =
    "00112233445566778899aabbccddeeff00112233445566778899aabbccddeefe";

std::string keys_of(std::initializer_list<std::string_view> lines) {
  std::string text;
  for (const std::string_view line : lines) text += std::string{line} + '\n';
  return text;
}

std::string hex_of(const SealKey& key) {
  std::string hex(2 * key.bytes().size(), '?');
  write_hex(key.bytes(), std::span{hex});
  return hex;
}

/// A shell with a file of keys: version 1 seals.
class SealCommand : public ::testing::Test {
 protected:
  SealCommand() {
    shell_.write("seal.keys", "1:" + std::string{kHex} + '\n');
    EXPECT_EQ(shell_.run("chmod 600 seal.keys").code, 0);
  }
  [[nodiscard]] Ran run(const std::string& line) const {
    return shell_.run("unset MINTMARK_SEAL_KEY MINTMARK_SEAL_KEY_FILE; " + line);
  }

  Shell shell_;
};

TEST_F(SealCommand, GivesTheKnownPublicIds) {
  // The same as in tests/seal/public_id_test.cc.
  for (const auto& [options, number, text] :
       {std::array<std::string_view, 3>{"", "42", "1EGRM2SWSYA067"},
        {"--dress base58 --space orders", "42", "1YzpwKHgfSFR"},
        {"--check-bits 16 --dress base62", "18446744073709551615", "12eo2bz9lui4vbV"},
        {"--domain 1e9 --dress decimal", "42", "1168248319"},
        {"-d 64 -s ''", "42", "1EGRM2SWSYA067"}}) {
    const std::string with = " --keys seal.keys " + std::string{options};
    const Ran sealed = run("mintmark seal " + std::string{number} + with);
    EXPECT_EQ(sealed.code, 0);
    EXPECT_EQ(sealed.err, "");
    EXPECT_EQ(sealed.out, std::string{text} + '\n');
    const Ran opened = run("mintmark open " + std::string{text} + with);
    EXPECT_EQ(opened.code, 0) << opened.err;
    EXPECT_EQ(opened.out, std::string{number} + '\n');
  }
}

TEST_F(SealCommand, StreamsNumbersThereAndBack) {
  const Ran ran =
      run("seq 0 20000 >numbers; for way in '' -; do mintmark seal -k seal.keys $way <numbers | "
          "mintmark open -k seal.keys $way | cmp - numbers || exit 1; done; "
          "mintmark seal -k seal.keys <numbers | sort -u | wc -l");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "20001\n");
}

TEST_F(SealCommand, EndsQuietlyWhenTheReaderHasEnough) {
  const Ran ran = run("seq 10000000 2>/dev/null | mintmark seal -k seal.keys | head -n 1");
  EXPECT_EQ(ran.out.size(), 15U) << ran.out;
  EXPECT_EQ(ran.err, "");
}

TEST_F(SealCommand, SaysWhatIsNoNumberAndGoesOn) {
  const Ran ran =
      run("mintmark seal -k seal.keys -d 1M 1 x 01 1000000 18446744073709551616 999999");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(lines(ran.out), 2U) << ran.out;
  EXPECT_EQ(ran.err,
            "mintmark: 'x' is not a number: digits only, from 0 on\n"
            "mintmark: '01' is not a number: it begins with a zero\n"
            "mintmark: '1000000' is not a number: the largest of this domain is 999999\n"
            "mintmark: '18446744073709551616' is not a number: the largest of this domain is "
            "999999\n");
}

TEST_F(SealCommand, SaysWhatIsNoPublicIdAndGoesOn) {
  const Ran ran =
      run("mintmark open -k seal.keys 123 1EGRM2SWSYAU67 2EGRM2SWSYA067 1ZGRM2SWSYA067 "
          "1EGRM2SWSYA067 1egrm2swsya067");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "42\n42\n");
  EXPECT_EQ(ran.err,
            "mintmark: '123' is not a public ID: it has 3 characters, not 14\n"
            "mintmark: '1EGRM2SWSYAU67' is not a public ID: 'U' at 11 is not a character of this "
            "dress\n"
            "mintmark: '2EGRM2SWSYA067' is not a public ID: there is no key of version 2\n"
            "mintmark: '1ZGRM2SWSYA067' is not a public ID: 'Z' at 1 is above the largest of this "
            "domain\n");
  const Ran made_up = run("mintmark open -k seal.keys -c 40 --dress base62 12eo2bz9lui4vbV1234");
  EXPECT_EQ(made_up.code, 1);
  EXPECT_EQ(made_up.err,
            "mintmark: '12eo2bz9lui4vbV1234' is not a public ID: it is mistyped, made up, or of "
            "another space or key\n");
}

TEST_F(SealCommand, JsonIsOneDocumentOfStrings) {
  EXPECT_EQ(run("mintmark seal -k seal.keys --json").out, "{\"schema\":1,\"results\":[]}\n");
  const Ran sealed = run("mintmark seal -k seal.keys --json 42 '\"'");
  EXPECT_EQ(sealed.code, 1);
  EXPECT_EQ(sealed.out,
            "{\"schema\":1,\"results\":[{\"input\":\"42\",\"public_id\":\"1EGRM2SWSYA067\","
            "\"key\":1},\n{\"input\":\"\\\"\",\"error\":\"digits only, from 0 on\"}]}\n");
  EXPECT_EQ(run("mintmark open -k seal.keys --json 1EGRM2SWSYA067").out,
            "{\"schema\":1,\"results\":[{\"input\":\"1EGRM2SWSYA067\",\"number\":\"42\",\"key\":1}"
            "]}\n");
}

TEST_F(SealCommand, ARotationKeepsOldPublicIds) {
  const Ran ran =
      run("old=$(mintmark seal 42 -k seal.keys) && "
          "mintmark seal --new-key -k seal.keys >>seal.keys && "
          "test \"$(mintmark seal 42 -k seal.keys)\" = \"$old\" && "
          "{ tail -n 1 seal.keys; head -n 1 seal.keys; } >next.keys && chmod 600 next.keys && "
          "new=$(mintmark seal 42 -k next.keys) && mintmark open $old $new -k next.keys && "
          "mintmark open $new -k seal.keys --json && echo ${new:0:1}");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("42\n42\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "\"number\":\"42\",\"key\":2}")) << ran.out;
  EXPECT_TRUE(ran.out.ends_with("\n2\n")) << ran.out;
}

TEST_F(SealCommand, ANewKeyIsALineForTheFile) {
  for (const std::string line : {"mintmark seal --new-key", "mintmark seal --new-key -k nothing",
                                 "umask 077; mintmark seal --new-key -k made >made; cat made"}) {
    const Ran ran = run(line);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto keys = parse_seal_keys(ran.out, "out");
    ASSERT_TRUE(keys) << keys.error();
    ASSERT_EQ(keys->size(), 1U);
    EXPECT_EQ(keys->front().version(), 1U);
    EXPECT_EQ(keys->front().bytes().size(), 32U);
  }
  const Ran second = run("mintmark seal --new-key -k seal.keys");
  EXPECT_TRUE(second.out.starts_with("2:")) << second.out;
  EXPECT_NE(run("mintmark seal --new-key").out, run("mintmark seal --new-key").out);
  EXPECT_TRUE(run("mintmark seal --new-key --json")
                  .out.starts_with("{\"schema\":1,\"version\":1,\"key\":\""));
  EXPECT_EQ(run("mintmark seal --new-key 42").code, 2);
}

TEST_F(SealCommand, KeysComeFromAFileOrTheEnvironment) {
  const std::string key = "MINTMARK_SEAL_KEY=1:" + std::string{kHex};
  const std::string file = "MINTMARK_SEAL_KEY_FILE=seal.keys";
  for (const std::string& line :
       std::vector<std::string>{key + " mintmark seal 42", file + " mintmark seal 42",
                                key + " " + file + " mintmark seal 42 -k seal.keys",
                                "MINTMARK_SEAL_KEY_FILE=nothing mintmark seal 42 -k seal.keys",
                                "mintmark seal 42 -k <(cat seal.keys)"}) {
    const Ran ran = run(line);
    EXPECT_EQ(ran.out, "1EGRM2SWSYA067\n") << line << ran.err;
  }
  const Ran both = run(key + " " + file + " mintmark seal 42");
  EXPECT_EQ(both.code, 2);
  EXPECT_TRUE(has(both.err, "MINTMARK_SEAL_KEY_FILE and MINTMARK_SEAL_KEY are both set"))
      << both.err;
  const Ran none = run("mintmark open 1EGRM2SWSYA067");
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.err, "there are no keys: --keys FILE")) << none.err;
  EXPECT_EQ(run("mintmark seal 42 -k nothing").err,
            "mintmark: nothing: No such file or directory\n");
  EXPECT_EQ(run(": >empty; chmod 600 empty; mintmark seal 42 -k empty").err,
            "mintmark: empty: there is no key in it\n");
}

TEST_F(SealCommand, RefusesAFileThatOthersCanRead) {
  const Ran ran = run("chmod 644 seal.keys; mintmark seal 42 -k seal.keys");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "mintmark: seal.keys: its mode 0644 lets others at it; chmod 600 it\n");
  EXPECT_EQ(run("chmod 644 seal.keys; mintmark seal --new-key -k seal.keys").code, 2);
}

TEST_F(SealCommand, RefusesOptionsThatMakeNoSense) {
  for (const auto& [options, part] :
       {std::array<std::string_view, 2>{"--domain 0", "--domain: '0' is neither"},
        {"--domain inf", "--domain: 'inf' is neither"},
        {"--domain 1.5", "--domain: '1.5' is neither"},
        {"--domain 1000", "add --check-bits 10 or more"},
        {"--domain 1", "add --check-bits 19 or more"},
        {"--domain 999999", "add --check-bits 1 or more"},
        {"--check-bits 65", "--check-bits: '65' is not 0 to 64"},
        {"--check-bits x", "--check-bits: 'x' is not 0 to 64"},
        {"--dress base63", "; did you mean 'base62'?"}}) {
    const Ran ran = run("mintmark seal 0 -k seal.keys " + std::string{options});
    EXPECT_EQ(ran.code, 2) << options;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(has(ran.err, part)) << ran.err;
  }
  const Ran fits = run("mintmark seal 999 -k seal.keys -d 1000 -c 10 --dress decimal");
  EXPECT_EQ(fits.code, 0) << fits.err;
  EXPECT_EQ(fits.out.size(), 9U) << fits.out;
  const Ran wide = run("echo 10:" + std::string{kOtherHex} +
                       " >>seal.keys; mintmark seal 0 -k seal.keys --dress decimal");
  EXPECT_EQ(wide.code, 2);
  EXPECT_TRUE(has(wide.err, "versions 1 to 9; the keys have version 10")) << wide.err;
}

TEST(SealKeys, ReadsHexAndBase64OfBothSizes) {
  const auto keys = parse_seal_keys(
      keys_of({"# the first one seals", "", "  31 : 2B7E151628AED2A6ABF7158809CF4F3D  # of 2026",
               "1:K34VFiiu0qar9xWICc9PPA==\r", "2:_-9-FRYorqLGq_cViAnPTw",
               "3:/+9+FRYorqLGq/cViAnPTw8PDw8PDw8PDw8PDw8PDw8=", "4:" + std::string{kOtherHex}}),
      "seal.keys");
  ASSERT_TRUE(keys) << keys.error();
  ASSERT_EQ(keys->size(), 5U);
  EXPECT_EQ((*keys)[0].version(), 31U);
  EXPECT_EQ(hex_of((*keys)[0]), "2b7e151628aed2a6abf7158809cf4f3d");
  EXPECT_EQ(hex_of((*keys)[1]), kHex);
  EXPECT_EQ(hex_of((*keys)[2]), "ffef7e151628aea2c6abf7158809cf4f");
  EXPECT_EQ(hex_of((*keys)[3]), "ffef7e151628aea2c6abf7158809cf4f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f");
  EXPECT_EQ(hex_of((*keys)[4]), kOtherHex);
  EXPECT_TRUE(parse_seal_keys("", "x")->empty());
  const auto ciphers = SealCiphers::make(*keys);
  ASSERT_TRUE(ciphers);
  EXPECT_EQ(ciphers->keys().front().version, 31U);
}

TEST(SealKeys, SaysWhichLineIsWrongAndNeverItsKey) {
  const std::string good = "1:" + std::string{kHex};
  const std::string hex{kHex};
  const std::string other{kOtherHex};
  for (const auto& [line, words] : std::vector<std::pair<std::string, std::string>>{
           {hex, "a line is VERSION:KEY"},
           {":" + hex, "a version is a number from 1 to 31"},
           {"0:" + hex, "a version is a number from 1 to 31"},
           {"32:" + hex, "a version is a number from 1 to 31"},
           {"02:" + hex, "a version is a number from 1 to 31"},
           {"two:" + hex, "a version is a number from 1 to 31"},
           {"2:", "a key has 16 or 32 bytes, as hex or base64"},
           {"2:" + hex.substr(1), "a key has 16 or 32 bytes, as hex or base64"},
           {"2:" + hex + hex.substr(16), "a key has 16 or 32 bytes, as hex or base64"},
           {"2:" + hex.substr(1) + "x", "the key is neither hex nor base64"},
           {"2:" + hex.substr(10), "the key is neither hex nor base64"},
           {"2:K34VFiiu0qar9xWICc9PP===", "the key is neither hex nor base64"},
           {"2:K34VFiiu0qar9xWICc9PPB==", "the key is neither hex nor base64"},
           {"2:" + std::string(32, '0'), "one byte repeated is no key"},
           {"2:" + std::string(64, 'f'), "one byte repeated is no key"},
           {"1:" + other, "version 1 is there already"},
           {"2:" + hex, "it is the key of version 1; a new version needs a new key"}}) {
    const auto keys = parse_seal_keys(keys_of({"# one", good, line}), "seal.keys");
    ASSERT_FALSE(keys) << line;
    EXPECT_EQ(keys.error(), "seal.keys:3: " + words) << line;
  }
}

TEST(SealKeys, ANewVersionIsBehindTheHighestUntilTheyAreUsedUp) {
  const std::vector<std::byte> bytes(16, std::byte{1});
  std::vector<SealKey> keys;
  EXPECT_EQ(next_version(keys), 1U);
  keys.emplace_back(7U, bytes);
  EXPECT_EQ(next_version(keys), 8U);
  keys.emplace_back(31U, bytes);
  EXPECT_EQ(next_version(keys), 1U);
  for (unsigned version = 1; version < 31; ++version) {
    if (version != 7 && version != 12) keys.emplace_back(version, bytes);
  }
  EXPECT_EQ(next_version(keys), 12U);
  keys.emplace_back(12U, bytes);
  EXPECT_FALSE(next_version(keys));
}

TEST(SealKeys, ANewKeyIsAllRandom) {
  ConstantEntropy ones{std::byte{0xa5}};
  std::string all;
  for (int i = 0; i < 32; ++i) all += "a5";
  EXPECT_EQ(*new_key_line(3, ones), "3:" + all + "\n");
  BreakableEntropy broken{1};
  broken.broken = true;
  EXPECT_EQ(new_key_line(3, broken).error().fault(), Fault::entropy_unavailable);
}

}  // namespace
}  // namespace mintmark::cli
