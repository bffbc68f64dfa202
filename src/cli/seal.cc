// seal and open: from numbers that count up to the public IDs that strangers see, and back.
#include <array>
#include <bit>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/amounts.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/seal_keys.h"
#include "cli/words.h"
#include "io/aes.h"
#include "io/blocks.h"
#include "io/os_entropy.h"
#include "mint/did_you_mean.h"
#include "mint/json_text.h"
#include "mintmark/base/bytes.h"
#include "mintmark/seal/dress.h"
#include "mintmark/seal/public_id.h"
#include "mintmark/text/radix.h"

namespace mintmark::cli {
namespace {

using Ids = PublicIds<io::Aes>;
template <class T>
using OrWords = std::expected<T, std::string>;

constexpr unsigned kMostBits = 64;

/// The largest number of a domain: of so many bits, or one below so many numbers.
OrWords<std::uint64_t> read_domain(std::string_view text) {
  const auto amount = parse_count(text);
  if (!amount || *amount == 0 || *amount == kEndless) {
    return std::unexpected(fmt::format(
        "--domain: {} is neither 1 to 64 bits nor an amount of numbers such as 1e9", shown(text)));
  }
  if (*amount <= kMostBits) return low_bits(static_cast<unsigned>(*amount));
  return *amount - 1;
}

OrWords<unsigned> read_check_bits(std::string_view text) {
  const auto bits = parse_decimal(text);
  if (bits && *bits <= public_id::kMostCheckBits) return static_cast<unsigned>(*bits);
  return std::unexpected(
      fmt::format("--check-bits: {} is not 0 to {}", shown(text), public_id::kMostCheckBits));
}

OrWords<Dress> read_dress(std::string_view text) {
  std::vector<std::string_view> names;
  for (const DressRow& row : kDresses) {
    if (row.name == text) return row.dress;
    names.push_back(row.name);
  }
  return std::unexpected(fmt::format("--dress: {} is not {}{}", shown(text),
                                     "crockford, base58, base62 or decimal",
                                     mint::did_you_mean(text, names)));
}

/// What the options say. The name of the space stays in `arguments`.
OrWords<public_id::Options> read_options(const Arguments& arguments) {
  public_id::Options options;
  if (const auto space = arguments.values.find("space"); space != arguments.values.end()) {
    options.space = space->second;
  }
  MINTMARK_TRY(largest, read_domain(arguments.value("domain").value_or("64")));
  MINTMARK_TRY(check_bits, read_check_bits(arguments.value("check-bits").value_or("0")));
  MINTMARK_TRY(dress, read_dress(arguments.value("dress").value_or("crockford")));
  options.largest = largest;
  options.check_bits = check_bits;
  options.dress = dress;
  unsigned enough = check_bits;
  while (!public_id::is_large_enough(largest, enough)) ++enough;
  if (enough == check_bits) return options;
  return std::unexpected(fmt::format(
      "--domain: of fewer than a million public IDs anybody could draw up the whole table; "
      "add --check-bits {} or more",
      enough));
}

/// The ciphers, and the public IDs that they make.
struct Workshop {
  SealCiphers ciphers;
  Ids ids;
};

std::expected<Workshop, int> open_workshop(const Arguments& arguments) {
  const auto options = read_options(arguments);
  if (!options) return std::unexpected(usage_error(options.error()));
  const auto keys = load_seal_keys(arguments, NoKeys::refuse);
  if (!keys) return std::unexpected(keys.error());
  for (const SealKey& key : *keys) {
    if (key.version() <= public_id::most_version(options->dress)) continue;
    return std::unexpected(usage_error(
        fmt::format("--dress decimal has room for key versions 1 to {}; the keys have version {}",
                    public_id::most_version(options->dress), key.version())));
  }
  auto ciphers = SealCiphers::make(*keys);
  if (!ciphers) return std::unexpected(usage_error(ciphers.error()));
  auto ids = Ids::make(ciphers->keys(), *options);
  if (!ids) return std::unexpected(report(ids.error()));
  return Workshop{std::move(*ciphers), *ids};
}

/// The answers as they go out, in either form.
class Answers {
 public:
  explicit Answers(const Arguments& arguments) : json_(arguments.has("json")), out_(STDOUT_FILENO) {
    if (json_) out_.put("{\"schema\":1,\"results\":[");
  }

  void answer(std::string_view input, std::string_view name, std::string_view text,
              unsigned version) {
    if (json_) {
      put_document(input, fmt::format("\"{}\":\"{}\",\"key\":{}", name, text, version));
    } else {
      out_.put(text);
      out_.put("\n");
    }
  }

  void refuse(std::string_view input, std::string_view what, std::string_view why) {
    code_ = kInvalid;
    if (json_) put_document(input, fmt::format("\"error\":{}", mint::json_text(why)));
    out_.flush();  // words and data in their order where both go to one terminal
    say(fmt::format("{} is not a {}: {}", shown(input), what, why));
  }

  [[nodiscard]] bool wanted() const { return out_.is_open(); }

  int finish(int code) {
    if (json_) out_.put("]}\n");
    return cli::finish(out_, code != kDone ? code : code_);
  }

 private:
  void put_document(std::string_view input, std::string_view members) {
    out_.put(
        fmt::format("{}{{\"input\":{},{}}}", first_ ? "" : ",\n", mint::json_text(input), members));
    first_ = false;
  }

  const bool json_;
  bool first_ = true;
  int code_ = kDone;
  io::BlockWriter out_;
};

/// Answers each input with one function of it.
template <class One>
int answer_all(const Arguments& arguments, std::string_view question, One one) {
  std::optional<Answers> answers;
  const auto on = [&](std::string_view text, std::uint64_t) {
    if (!answers) answers.emplace(arguments);
    one(*answers, text);
    return answers->wanted();
  };
  const int code = each_input(arguments, question, on);
  if (code == kUsage) return code;
  if (!answers) answers.emplace(arguments);
  return answers->finish(code);
}

void seal_one(const Ids& ids, std::string_view text, Answers& answers) {
  const auto number = parse_decimal(text);
  if (!number && number.error().fault() != Fault::value_overflow) {
    answers.refuse(text, "number",
                   number.error().fault() == Fault::not_canonical ? "it begins with a zero"
                                                                  : "digits only, from 0 on");
    return;
  }
  std::array<char, Ids::kMostText> out{};
  const auto sealed = number ? ids.seal(*number, out) : fail(number.error());
  if (sealed) return answers.answer(text, "public_id", {out.data(), *sealed}, ids.current());
  answers.refuse(text, "number", fmt::format("the largest of this domain is {}", ids.largest()));
}

std::string explain(const Ids& ids, std::string_view text, const Error& error) {
  const std::size_t at = error.position();
  switch (error.fault()) {
    case Fault::wrong_length:
      return fmt::format("it has {} characters, not {}", text.size(), ids.text_size());
    case Fault::bad_character:
      return fmt::format("{} at {} is not a character of this dress", shown(text.substr(at, 1)),
                         at);
    case Fault::unknown_key:
      return fmt::format("there is no key of version {}", kCrockford.value_of(text[0]));
    case Fault::value_overflow:
      return fmt::format("{} at {} is above the largest of this domain", shown(text.substr(at, 1)),
                         at);
    case Fault::not_sealed:
      return "it is mistyped, made up, or of another space or key";
    default:
      return std::string{error.row().sentence};
  }
}

void open_one(const Ids& ids, std::string_view text, Answers& answers) {
  const auto opened = ids.open(text);
  if (!opened) return answers.refuse(text, "public ID", explain(ids, text, opened.error()));
  answers.answer(text, "number", fmt::format("{}", opened->value), opened->version);
}

int print_new_key(const Arguments& arguments) {
  if (!arguments.operands.empty()) return usage_error("seal --new-key takes no numbers");
  const auto keys = load_seal_keys(arguments, NoKeys::accept);
  if (!keys) return keys.error();
  const auto version = next_version(*keys);
  if (!version) return usage_error(version.error());
  const auto line = new_key_line(*version, io::os_entropy());
  if (!line) return report(line.error());
  if (!arguments.has("json")) return print(*line, kDone);
  const std::string_view key = std::string_view{*line}.substr(line->find(':') + 1);
  return print(fmt::format("{{\"schema\":1,\"version\":{},\"key\":\"{}\"}}\n", *version,
                           key.substr(0, key.size() - 1)),
               kDone);
}

int run_seal(const Arguments& arguments) {
  if (arguments.has("new-key")) return print_new_key(arguments);
  const auto workshop = open_workshop(arguments);
  if (!workshop) return workshop.error();
  return answer_all(arguments, "seal what? mintmark seal NUMBER..., or numbers on stdin",
                    [&workshop](Answers& answers, std::string_view text) {
                      seal_one(workshop->ids, text, answers);
                    });
}

int run_open(const Arguments& arguments) {
  const auto workshop = open_workshop(arguments);
  if (!workshop) return workshop.error();
  return answer_all(arguments, "open what? mintmark open PUBLIC_ID..., or public IDs on stdin",
                    [&workshop](Answers& answers, std::string_view text) {
                      open_one(workshop->ids, text, answers);
                    });
}

constexpr Option kSpaceOption{"space", "s", "NAME",
                              "one number, another public ID in each; default none"};
constexpr Option kDomainOption{"domain", "d", "N",
                               "numbers below N (1e9), or of N bits up to 64; default 64"};
constexpr Option kCheckOption{"check-bits", "c", "K",
                              "a made up public ID opens once in 2^K times; default 0"};
constexpr Option kDressOption{"dress", "", "D",
                              "crockford, base58, base62 or decimal; default crockford"};

constexpr std::array kSealOptions{
    kKeysOption,  kSpaceOption, kDomainOption,
    kCheckOption, kDressOption, Option{"new-key", "", "", "print a new key for the file of keys"},
    kJsonOption,
};
constexpr std::array kSealExamples{
    Example{"umask 077; mintmark seal --new-key >seal.keys", "a file with one key"},
    Example{"mintmark seal 42 --keys seal.keys --space orders", "the public ID of order 42"},
    Example{"mintmark seal 42 -k seal.keys --dress base58 -c 16", "one that can be checked"},
    Example{"mintmark seal 42 -k seal.keys --dress decimal -d 1e9", "ten digits"},
    Example{"seq 1000 | mintmark seal -k seal.keys | tail -n 1", "numbers from standard input"},
};
constexpr std::array kOpenOptions{
    kKeysOption, kSpaceOption, kDomainOption, kCheckOption, kDressOption, kJsonOption,
};
constexpr std::array kOpenExamples{
    Example{"mintmark seal 42 -k seal.keys | mintmark open -k seal.keys", "there and back"},
    Example{"mintmark seal 7 -k seal.keys | mintmark open -k seal.keys --json", "the key too"},
};

}  // namespace

const Command kSeal{
    .name = "seal",
    .summary = "turns numbers into public IDs that tell nothing",
    .operands = "[NUMBER...|-]",
    .fewest_operands = 0,
    .most_operands = 1'000'000,
    .options = kSealOptions,
    .examples = kSealExamples,
    .notes = "The first key of the file seals, all of them open. A public ID is no permission.\n",
    .run = run_seal,
};

const Command kOpen{
    .name = "open",
    .summary = "turns public IDs back into numbers",
    .operands = "[PUBLIC_ID...|-]",
    .fewest_operands = 0,
    .most_operands = 1'000'000,
    .options = kOpenOptions,
    .examples = kOpenExamples,
    .notes =
        "The options have to be those that the public ID was sealed with.\n"
        "Exit code 1 if any input does not open.\n",
    .run = run_open,
};

}  // namespace mintmark::cli
