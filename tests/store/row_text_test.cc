#include "store/row_text.h"

#include <string>

#include <gtest/gtest.h>

#include "store/decide.h"

namespace mintmark::store {
namespace {

std::string all_bytes() {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}

SpaceMeta some_meta() {
  SpaceMeta meta;
  meta.store_id[0] = std::byte{0xab};
  meta.incarnation[15] = std::byte{0x0c};
  meta.epoch = 7;
  meta.created_at = Instant{Duration{-5}};
  meta.definition = "snowflake unit=1ms\n" + all_bytes();
  meta.slot_base = 512;
  meta.slot_count = 1024;
  meta.layout_epoch = Instant{Duration{123}};
  meta.unit = Duration{10'000};
  meta.horizon_max = Duration{1};
  meta.skew = Duration{2};
  meta.not_before = kMostValue;
  meta.range_floor = 9;
  meta.engine_ident = "here/1";
  return meta;
}

TEST(RowText, EscapesNamesToWhatEveryEngineTakes) {
  EXPECT_EQ(escape_name("orders-2_x"), "orders-2_x");
  EXPECT_EQ(escape_name("a/b.c%\xff"), "a%2Fb%2Ec%25%FF");
  EXPECT_EQ(unescape(escape_name(all_bytes())), all_bytes());
  EXPECT_EQ(unescape(escape_text(all_bytes())), all_bytes());
  EXPECT_EQ(escape_text("it's 100% \\ ?\n"), "it%27s 100%25 %5C %3F%0A");
  for (const char* wrong : {"%", "%4", "%g0", "a%", "%-1"}) EXPECT_FALSE(unescape(wrong)) << wrong;
}

TEST(RowText, ReadsWhatItWrites) {
  auto meta = some_meta();
  for (const bool suspect : {false, true}) {
    if (suspect) meta.suspect = "its mark\nwent back";
    const auto text = meta_text(meta);
    const auto read = parse_meta(text);
    ASSERT_TRUE(read.has_value()) << text;
    EXPECT_EQ(meta_text(*read), text);
    EXPECT_EQ(read->definition, meta.definition);
    EXPECT_EQ(read->incarnation, meta.incarnation);
    EXPECT_EQ(read->created_at, meta.created_at);
    EXPECT_EQ(read->suspect, meta.suspect);
  }
  meta.marks = Marks::counter;
  EXPECT_EQ(parse_meta(meta_text(meta))->marks, Marks::counter);
  const Mark mark{.slot = 3, .high_water = kMostValue, .grants = 12, .owner = meta.store_id};
  const auto read = parse_mark(3, mark_text(mark));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(mark_text(*read), mark_text(mark));
  EXPECT_EQ(read->slot, 3U);
}

TEST(RowText, ReadsNothingElse) {
  const auto text = meta_text(some_meta());
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    EXPECT_FALSE(parse_meta(text.substr(0, cut))) << cut;
  }
  EXPECT_FALSE(parse_meta(text + "more 1\n"));
  EXPECT_FALSE(parse_meta("x" + text));
  const auto mark = mark_text({.slot = 0, .high_water = 5});
  for (std::size_t cut = 0; cut < mark.size(); ++cut) {
    EXPECT_FALSE(parse_mark(0, mark.substr(0, cut))) << cut;
  }
  for (const char* wrong : {"", "1", "1 2", "-1 2 00000000000000000000000000000000",
                            "1 x 00000000000000000000000000000000"}) {
    EXPECT_FALSE(parse_mark(0, wrong)) << wrong;
  }
  EXPECT_FALSE(parse_nonce("0123456789abcdef0123456789abcdeg"));
  EXPECT_FALSE(parse_nonce("0123456789abcdef0123456789abcde"));
}

}  // namespace
}  // namespace mintmark::store
