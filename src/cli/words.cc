#include "cli/words.h"

#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "mint/request.h"

namespace mintmark::cli {

namespace {

std::string wait_words(std::uint32_t wait_us) {
  // What does not fit is written as the largest value (error.h).
  if (wait_us == std::numeric_limits<std::uint32_t>::max()) return " (for more than an hour)";
  return wait_us < 1'000'000 ? fmt::format(" (for {:.1f} ms more)", wait_us / 1e3)
                             : fmt::format(" (for {:.1f} s more)", wait_us / 1e6);
}

}  // namespace

void say(std::string_view words) { io::write_words(fmt::format("mintmark: {}\n", words)); }

int usage_error(std::string_view words) {
  say(words);
  return kUsage;
}

std::string words_of(const store::Failure& failure) {
  const FaultRow& row = failure.error.row();
  std::string words =
      fmt::format("{}: {}", row.name, failure.detail.empty() ? row.sentence : failure.detail);
  if (const std::uint32_t wait = failure.error.retry_after_us(); wait != 0) {
    words += wait_words(wait);
  }
  return fmt::format("{}; {}", words, row.remedy);
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMostShown = 60;
  std::string words = "'";
  for (const char c : text.substr(0, kMostShown)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool printable = byte >= 0x20 && byte < 0x7f;
    if (printable) {
      words += c;
    } else {
      words += fmt::format("\\x{:02x}", byte);
    }
  }
  return words + (text.size() > kMostShown ? "...'" : "'");
}

int report(const store::Failure& failure) {
  say(words_of(failure));
  return mint::row_of(failure.error.kind()).exit_code;
}

int report(const Error& error) { return report(store::Failure{error, {}}); }

int finish(io::BlockWriter& out, int code) {
  out.flush();
  if (out.state() != io::BlockWriter::State::failed) return code;
  say(fmt::format("standard output: {}", out.reason()));
  return kInvalid;
}

int print(std::string_view text, int code) {
  io::BlockWriter out{STDOUT_FILENO};
  out.put(text);
  return finish(out, code);
}

}  // namespace mintmark::cli
