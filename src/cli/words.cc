#include "cli/words.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "mint/request.h"

namespace mintmark::cli {

void say(std::string_view words) { io::write_words(fmt::format("mintmark: {}\n", words)); }

int usage_error(std::string_view words) {
  say(words);
  return kUsage;
}

std::string words_of(const store::Failure& failure) {
  const FaultRow& row = failure.error.row();
  std::string words = fmt::format("{}: {}", row.name, row.sentence);
  if (!failure.detail.empty()) words += fmt::format(": {}", failure.detail);
  if (const std::uint32_t wait = failure.error.retry_after_us(); wait != 0) {
    words += wait < 1'000'000 ? fmt::format(" (for {:.1f} ms more)", wait / 1e3)
                              : fmt::format(" (for {:.1f} s more)", wait / 1e6);
  }
  return fmt::format("{}; {}", words, row.remedy);
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
