#include "cli/card.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace mintmark::cli {
namespace {

/// Bits in a line of the card: one that an 80-column terminal has room for.
constexpr std::size_t kBitsInLine = 32;
constexpr std::size_t kBitsInGroup = 8;

char letter_of(std::size_t field) { return static_cast<char>('a' + field % 26); }

unsigned nibble_of(char digit) {
  return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/// The bits of a field's ID, most significant first, and the field that each belongs to. A scheme with fewer
/// bits than its bytes have zeros in front, which belong to none.
struct BitRow {
  std::string bits;
  std::string letters;
  std::vector<std::size_t> fields;
};

BitRow bits_of(const mint::Reading& reading) {
  BitRow row;
  for (const char digit : reading.hex) {
    for (unsigned i = 4; i-- > 0;) row.bits += (nibble_of(digit) >> i & 1) != 0 ? '1' : '0';
  }
  std::size_t described = 0;
  for (const mint::FieldReading& field : reading.fields) described += field.bits;
  const std::size_t spare = row.bits.size() - std::min(described, row.bits.size());
  row.letters.assign(spare, '.');
  row.fields.assign(spare, 0);
  for (std::size_t i = 0; i < reading.fields.size(); ++i) {
    row.letters.append(reading.fields[i].bits, letter_of(i));
    row.fields.insert(row.fields.end(), reading.fields[i].bits, i);
  }
  return row;
}

/// One line of bits or letters, in groups, each run of a field in its color.
std::string line_of(std::string_view text, const BitRow& row, std::size_t begin, Color color) {
  const std::size_t end = std::min(begin + kBitsInLine, text.size());
  std::string line;
  std::size_t at = begin;
  while (at < end) {
    std::size_t stop = at;
    std::string run;
    while (stop < end && row.fields[stop] == row.fields[at]) {
      if (stop > begin && (stop - begin) % kBitsInGroup == 0) run += ' ';
      run += text[stop++];
    }
    line += in_color(color, row.fields[at], run);
    at = stop;
  }
  return line;
}

std::string bit_lines(const mint::Reading& reading, Color color) {
  const BitRow row = bits_of(reading);
  std::string lines;
  for (std::size_t at = 0; at < row.bits.size(); at += kBitsInLine) {
    lines += fmt::format("    {}\n", line_of(row.bits, row, at, color));
    lines += fmt::format("    {}\n", line_of(row.letters, row, at, color));
  }
  return lines;
}

}  // namespace

std::string card_of(const mint::Reading& reading, const CardStyle& style) {
  std::string card = fmt::format("{}  {}\n", reading.canonical, reading.title);
  if (style.bits == Bits::shown) card += bit_lines(reading, style.color);
  for (std::size_t i = 0; i < reading.fields.size(); ++i) {
    const mint::FieldReading& field = reading.fields[i];
    const std::string key = style.bits == Bits::shown ? fmt::format("{} ", letter_of(i)) : "";
    const std::string line =
        field.bits == 0
            ? fmt::format("{}{:<12}         {}", key, field.name, field.value)
            : fmt::format("{}{:<11} {:>3} bits  {}", key, field.name, field.bits, field.value);
    card += fmt::format("  {}{}{}\n", in_color(style.color, i, line),
                        field.meaning.empty() ? "" : "  ", field.meaning);
  }
  card +=
      fmt::format("  {:<12} 0x{}\n  {:<12} {}\n", "bytes", reading.hex, "because", reading.reason);
  return card;
}

}  // namespace mintmark::cli
