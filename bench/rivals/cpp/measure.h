// What every program of bench/rivals does, here for those in C++: it proves its results before it tells
// how long they took.
//
//   PROGRAM ANSWERS --name      the library and its version
//   PROGRAM ANSWERS --works     what it can be timed at, one a line
//   PROGRAM ANSWERS --check     compares its results with the known answers of the folder ANSWERS, and
//                               prints `takes FAMILY TEXT` for each text that it should have refused
//   PROGRAM ANSWERS WORK...     the same without those lines, then `WORK <tab> nanoseconds` for each
//
// Exit code: 0; 1 a wrong result, and then nothing is timed; 2 usage.
//
// Processor time of the whole process is what is measured: another process on the same core does not
// count, the library's own threads do. So no work may wait; the widths of the 64-bit IDs see to that.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rivals {

[[noreturn]] inline void wrong(const std::string& words) {
  std::fprintf(stderr, "wrong: %s\n", words.c_str());
  std::exit(1);
}
inline void require(bool condition, const std::string& words) {
  if (!condition) wrong(words);
}

/// The compiler must make this value, and must believe that somebody reads it.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "m"(value) : "memory");
}

/// A line of an answers file. `meaning` is the bytes in hex, or the fields with blanks between them.
struct Answer {
  std::string kind;  ///< both: also writes that text; reads: reads it; refuses
  std::string text;
  std::string meaning;
};

template <class Bytes>
std::string hex(const Bytes& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const auto byte : bytes) {
    text += kDigits[static_cast<unsigned>(byte) >> 4 & 15];
    text += kDigits[static_cast<unsigned>(byte) & 15];
  }
  return text;
}

/// How a library handles one family. `read` gives nothing for a text that it refuses.
template <class Id>
struct Codec {
  std::function<std::optional<Id>(const std::string&)> read;
  std::function<std::string(const Id&)> write;
  std::function<std::string(const Id&)> meaning;
};

/// A work that goes round over items, so that no branch is learnt by heart.
template <class T, class Step>
std::function<void(std::size_t)> over(std::vector<T> items, Step step) {
  return [items = std::move(items), step](std::size_t times) {
    for (std::size_t at = 0; times > 0; --times) {
      step(items[at]);
      if (++at == items.size()) at = 0;
    }
  };
}

/// A work that makes something anew each time.
template <class Step>
std::function<void(std::size_t)> repeat(Step step) {
  return [step](std::size_t times) {
    for (; times > 0; --times) step();
  };
}

class Program {
 public:
  Program(std::string name, int argc, char** argv) : name_(std::move(name)) {
    if (argc < 3) usage();
    folder_ = argv[1];
    wanted_.assign(argv + 2, argv + argc);
  }

  /// Every known answer of a family; the IDs and texts to time with are those of kind `both`.
  template <class Id>
  std::pair<std::vector<Id>, std::vector<std::string>> checked(const std::string& family,
                                                               const Codec<Id>& codec) {
    std::vector<Id> ids;
    std::vector<std::string> texts;
    for (const Answer& answer : answers(family)) {
      const std::optional<Id> id = codec.read(answer.text);
      if (answer.kind == "refuses") {
        if (id) takes_.push_back(family + "\t" + answer.text);
        continue;
      }
      require(id.has_value(), family + " does not read " + answer.text);
      require(codec.meaning(*id) == answer.meaning, family + " misreads " + answer.text);
      if (answer.kind != "both") continue;
      require(codec.write(*id) == answer.text, family + " does not write " + answer.text);
      ids.push_back(*id);
      texts.push_back(answer.text);
    }
    require(!ids.empty(), "no answers for " + family);
    return {ids, texts};
  }

  void add(const std::string& work, std::function<void(std::size_t)> times) {
    works_.emplace_back(work, std::move(times));
  }

  int run() const {
    if (wanted_[0] == "--name") {
      std::printf("%s\n", name_.c_str());
    } else if (wanted_[0] == "--works") {
      for (const auto& [work, times] : works_) std::printf("%s\n", work.c_str());
    } else if (wanted_[0] == "--check") {
      for (const std::string& line : takes_) std::printf("takes\t%s\n", line.c_str());
    } else {
      for (const std::string& wanted : wanted_) {
        const auto found =
            std::ranges::find(works_, wanted, [](const auto& work) { return work.first; });
        if (found == works_.end()) usage();
        std::printf("%s\t%.3f\n", wanted.c_str(), nanoseconds(found->second));
      }
    }
    return 0;
  }

  const std::string& folder() const { return folder_; }

 private:
  [[noreturn]] static void usage() {
    std::fputs("usage: PROGRAM ANSWERS --name|--works|--check|WORK...\n", stderr);
    std::exit(2);
  }

  std::vector<Answer> answers(const std::string& family) const {
    std::ifstream file{folder_ + "/" + family + ".tsv"};
    std::vector<Answer> found;
    for (std::string line; std::getline(file, line);) {
      const std::size_t first = line.find('\t');
      const std::size_t second = line.find('\t', first + 1);
      require(first != line.npos && second != line.npos, family + ".tsv: " + line);
      found.push_back({line.substr(0, first), line.substr(first + 1, second - first - 1),
                       line.substr(second + 1)});
    }
    return found;
  }

  /// Of one operation: twice as many until they take long enough, so that the earlier ones warm up.
  static double nanoseconds(const std::function<void(std::size_t)>& times) {
    constexpr double kLongEnough = 0.2;  // seconds
    for (std::size_t count = 1'000;; count *= 2) {
      const std::clock_t began = std::clock();
      times(count);
      const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
      if (seconds >= kLongEnough) return seconds * 1e9 / static_cast<double>(count);
    }
  }

  std::string name_;
  std::string folder_;
  std::vector<std::string> wanted_;
  std::vector<std::pair<std::string, std::function<void(std::size_t)>>> works_;
  std::vector<std::string> takes_;
};

constexpr std::size_t kMade = 1'000;  ///< how many IDs of a generator are looked at

/// What a generator of UUIDs made, in canonical text.
inline void check_uuids(const std::vector<std::string>& texts, char version) {
  for (const std::string& text : texts) {
    const bool shape = text.size() == 36 && text[14] == version &&
                       std::string_view{"89ab"}.find(text[19]) != std::string_view::npos;
    require(shape, "not a UUID of version " + std::string{version} + ": " + text);
  }
  require(std::set<std::string>(texts.begin(), texts.end()).size() == kMade, "a UUID came twice");
}

/// What a generator of rising IDs made: texts of one length, or numbers.
template <class T>
void check_rising(const std::vector<T>& ids) {
  require(ids.size() == kMade, "too few IDs");
  for (std::size_t i = 1; i < ids.size(); ++i) require(ids[i - 1] < ids[i], "the IDs do not rise");
}

}  // namespace rivals
