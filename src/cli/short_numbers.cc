#include "cli/short_numbers.h"

#include <memory>
#include <vector>

#include <fmt/format.h>

#include "cli/words.h"
#include "mintmark/text/hashids.h"
#include "mintmark/text/radix.h"
#include "mintmark/text/sqids.h"

namespace mintmark::cli {
namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::size_t kMostNumbers = 64;

/// `1,2,3`.
OrWords<Numbers> numbers_of(std::string_view text) {
  Numbers numbers;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = parse_decimal(text.substr(begin, end - begin));
    if (!number) {
      return std::unexpected(fmt::format("{} is not a list of numbers such as 1,2,3: {} at {}",
                                         shown(text), number.error().row().sentence,
                                         begin + number.error().position()));
    }
    if (numbers.size() == kMostNumbers)
      return std::unexpected(
          fmt::format("{} holds more than {} numbers", shown(text), kMostNumbers));
    numbers.push_back(*number);
    begin = end + 1;
  }
  return numbers;
}

template <class Codec>
OrWords<std::string> encode(const Codec& codec, std::string_view text) {
  const auto numbers = numbers_of(text);
  if (!numbers) return std::unexpected(numbers.error());
  std::string out(codec.size_of(*numbers), '\0');
  const auto written = codec.encode(*numbers, out);
  if (!written)
    return std::unexpected(fmt::format("{}: {}", shown(text), written.error().row().sentence));
  out.resize(*written);
  return out;
}

Result<std::size_t> strict_decode(const Sqids& codec, std::string_view text,
                                  std::span<std::uint64_t> numbers) {
  return codec.decode_canonical(text, numbers);
}
Result<std::size_t> strict_decode(const Hashids& codec, std::string_view text,
                                  std::span<std::uint64_t> numbers) {
  return codec.decode(text, numbers);
}

template <class Codec>
OrWords<std::string> decode(const Codec& codec, std::string_view text) {
  std::array<std::uint64_t, kMostNumbers> numbers{};
  const auto count = strict_decode(codec, text, numbers);
  if (!count) {
    return std::unexpected(fmt::format("{}: {} at {}", shown(text), count.error().row().sentence,
                                       count.error().position()));
  }
  return fmt::format("{}", fmt::join(std::span{numbers}.first(*count), ","));
}

enum class Way : std::uint8_t { encode, decode };

template <class Codec>
OrWords<ShortNumbers> with(const Result<Codec>& made, Way way) {
  if (!made) {
    return std::unexpected(fmt::format("--alphabet or --salt: {} at {}",
                                       made.error().row().sentence, made.error().position()));
  }
  return ShortNumbers{[codec = std::make_shared<const Codec>(*made), way](std::string_view text) {
    return way == Way::encode ? encode(*codec, text) : decode(*codec, text);
  }};
}

}  // namespace

OrWords<ShortNumbers> short_numbers(const Arguments& arguments) {
  const std::string from = arguments.value("from").value_or("");
  const std::string to = arguments.value("to").value_or("");
  const bool encodes = to == "sqids" || to == "hashids";
  const std::string name = encodes ? to : from;
  if (name != "sqids" && name != "hashids") {
    for (const std::string_view option : {"alphabet", "min-length", "salt"}) {
      if (arguments.has(option))
        return std::unexpected(fmt::format("--{} is for sqids and hashids", option));
    }
    return ShortNumbers{};
  }
  const std::string& other = encodes ? from : to;
  if (!other.empty() && other != "decimal")
    return std::unexpected(fmt::format("{} are texts of decimal numbers, not of {}", name, other));
  const auto length = parse_decimal(arguments.value("min-length").value_or("0"));
  if (!length || *length > 255) return std::unexpected("--min-length: it is not in 0 to 255");
  const auto shortest = static_cast<std::uint8_t>(*length);
  // The codecs copy what they need of these.
  const auto alphabet = arguments.value("alphabet");
  const std::string salt = arguments.value("salt").value_or("");
  const Way way = encodes ? Way::encode : Way::decode;
  if (name == "sqids") {
    if (arguments.has("salt")) return std::unexpected("--salt: Sqids have none");
    SqidsOptions options;
    options.min_length = shortest;
    if (alphabet) options.alphabet = *alphabet;
    return with(Sqids::make(options), way);
  }
  HashidsOptions options;
  options.salt = salt;
  options.min_length = shortest;
  if (alphabet) options.alphabet = *alphabet;
  return with(Hashids::make(options), way);
}

}  // namespace mintmark::cli
