// convert: the same value in another spelling, byte order or scheme.
#include <array>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/conversion.h"
#include "cli/inputs.h"
#include "cli/short_numbers.h"
#include "cli/words.h"
#include "io/blocks.h"
#include "io/os_clock.h"
#include "mint/json_text.h"
#include "mintmark/text/radix.h"

namespace mintmark::cli {
namespace {

/// From a text to a text, or words about why not.
using Convert = std::function<OrWords<std::string>(std::string_view text)>;

OrWords<Convert> conversion(const Arguments& arguments) {
  auto numbers = short_numbers(arguments);
  if (!numbers) return std::unexpected(numbers.error());
  if (*numbers) return std::move(*numbers);
  ConversionOptions options{.from = arguments.value("from").value_or(""),
                            .to = *arguments.value("to"),
                            .prefix = arguments.value("prefix").value_or(""),
                            .now = io::wall_now()};
  if (const auto text = arguments.value("bits")) {
    const auto bits = parse_decimal(*text);
    if (!bits || *bits == 0 || *bits > 512)
      return std::unexpected(fmt::format("--bits: {} is not in 8 to 512", shown(*text)));
    options.bits = static_cast<unsigned>(*bits);
  }
  auto reader = make_reader(options);
  if (!reader) return std::unexpected(fmt::format("--from: {}", reader.error()));
  auto writer = make_writer(options);
  if (!writer) return std::unexpected(fmt::format("--to: {}", writer.error()));
  return [from = std::shared_ptr<Reader>{std::move(*reader)},
          to = std::shared_ptr<Writer>{std::move(*writer)}](
             std::string_view text) -> OrWords<std::string> {
    const auto value = from->read(text);
    if (!value) return std::unexpected(value.error());
    auto written = to->write(*value);
    if (!written) return std::unexpected(fmt::format("{}: {}", shown(text), written.error()));
    return written;
  };
}

class Conversions {
 public:
  Conversions(const Arguments& arguments, Convert convert)
      : json_(arguments.has("json")), convert_(std::move(convert)), out_(STDOUT_FILENO) {
    if (json_) out_.put("{\"schema\":1,\"results\":[");
  }

  bool add(std::string_view text, std::uint64_t line) {
    const auto converted = convert_(text);
    if (json_) {
      out_.put(fmt::format("{}{{\"input\":{},\"{}\":{}}}", first_ ? "" : ",\n",
                           mint::json_text(text), converted ? "output" : "error",
                           mint::json_text(converted ? *converted : converted.error())));
      first_ = false;
    } else if (converted) {
      out_.put(*converted);
      out_.put("\n");
    }
    if (!converted) {
      code_ = kInvalid;
      out_.flush();
      say(fmt::format("{}{}", line > 0 ? fmt::format("stdin:{}: ", line) : "", converted.error()));
    }
    return out_.is_open();
  }

  int finish(int code) {
    if (json_) out_.put("]}\n");
    return cli::finish(out_, code != kDone ? code : code_);
  }

 private:
  const bool json_;
  Convert convert_;
  bool first_ = true;
  int code_ = kDone;
  io::BlockWriter out_;
};

int run(const Arguments& arguments) {
  if (!arguments.has("to"))
    return usage_error("convert into what? --to SCHEME, or one of " + conversion_names());
  auto convert = conversion(arguments);
  if (!convert) return usage_error(convert.error());
  Conversions conversions{arguments, std::move(*convert)};
  const int code = each_input(
      arguments, "convert what? mintmark convert --to FORM ID..., or IDs on stdin",
      [&](std::string_view text, std::uint64_t line) { return conversions.add(text, line); });
  return code == kUsage ? code : conversions.finish(code);
}

constexpr std::array kOptions{
    Option{"to", "t", "FORM", "a scheme, a text form, a spelling or a byte order"},
    Option{"from", "f", "FORM", "the same of the input; default whichever scheme it is of"},
    Option{"bits", "b", "N", "of a text form that is read; default those of the target, else 128"},
    Option{"prefix", "", "P", "of a TypeID that is written"},
    kShortAlphabetOption,
    kMinLengthOption,
    kSaltOption,
    kJsonOption,
};
constexpr std::array kExamples{
    Example{"mintmark convert --to uuid 01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "the bits of a ULID as a UUID"},
    Example{"mintmark convert --to base58 017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "a shorter text"},
    Example{"mintmark convert --to mysql-swap c232ab00-9414-11ec-b3c8-9f6bdeced846",
            "the bytes of UUID_TO_BIN(id, 1)"},
    Example{"mintmark convert --from dotnet --to uuid e2227f01b079c37c98c4dc0c0c07398f",
            "the bytes of Guid.ToByteArray()"},
    Example{"mintmark convert --from decimal --to crockford --bits 64 1541815603606036480",
            "a number in base32"},
    Example{"mintmark convert --to uuid6 c232ab00-9414-11ec-b3c8-9f6bdeced846",
            "UUIDv1 with its time in front"},
    Example{"mintmark convert --to sqids 1,2,3", "numbers as a short text, which is no secret"},
};

}  // namespace

const Command kConvert{
    .name = "convert",
    .summary = "writes an ID another way",
    .operands = "--to FORM [ID...|-]",
    .fewest_operands = 0,
    .most_operands = 1'000'000,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "Text forms: hex HEX decimal crockford base32hex base36 base58 base58flickr base62\n"
        "  base62-09azAZ base62-azAZ09 base62-AZaz09 base64url. All but decimal have a fixed "
        "width, so\n"
        "  that in hex, HEX, crockford, base32hex, base36, base58 and base62 they sort as the "
        "values do.\n"
        "Spellings of UUIDs: upper plain braced urn. Byte orders, in hex: dotnet mysql-swap "
        "mariadb.\n"
        "UUID, ULID and TypeID are one another's spelling; UUIDv1 and UUIDv6 keep time and node.\n"
        "Numbers, 1,2,3: sqids hashids, of which anybody can read the numbers.\n"
        "Exit code 1 if any input could not be converted.\n",
    .run = run,
};

}  // namespace mintmark::cli
