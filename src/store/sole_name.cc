#include "store/sole_name.h"

#include <cstddef>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace mintmark::store {

namespace {

constexpr std::size_t kMostMountInfo = std::size_t{16} << 20;

enum class Mounted : std::uint8_t { no, yes, unknown };

/// What statx(2) says; only Linux 5.8 and later know it.
Mounted by_attributes(const std::string& path) {
  struct statx found {};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_TYPE, &found) != 0) {
    return Mounted::unknown;
  }
  if ((found.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) == 0) return Mounted::unknown;
  return (found.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0 ? Mounted::yes : Mounted::no;
}

Mounted by_table(const std::string& path) {
  const auto table = io::read_file("/proc/self/mountinfo", kMostMountInfo);
  if (!table) return Mounted::unknown;
  return has_mount_at(*table, path) ? Mounted::yes : Mounted::no;
}

/// The next of the words that `separator` divides, taken off the front of `text`.
std::string_view next_word(std::string_view& text, char separator) {
  const auto word = text.substr(0, text.find(separator));
  text.remove_prefix(word.size() < text.size() ? word.size() + 1 : text.size());
  return word;
}

/// The kernel writes space, tab, line feed and backslash as a backslash and three octal digits.
std::string unescaped(std::string_view word) {
  const auto digit = [&](std::size_t at) { return word[at] >= '0' && word[at] <= '7'; };
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '\\' && i + 3 < word.size() && digit(i + 1) && digit(i + 2) && digit(i + 3)) {
      text += static_cast<char>((word[i + 1] - '0') * 64 + (word[i + 2] - '0') * 8 +
                                (word[i + 3] - '0'));
      i += 3;
    } else {
      text += word[i];
    }
  }
  return text;
}

}  // namespace

bool has_mount_at(std::string_view mountinfo, std::string_view path) {
  // Identity, parent, device and root stand before it.
  constexpr int kBeforeMountPoint = 4;
  while (!mountinfo.empty()) {
    std::string_view line = next_word(mountinfo, '\n');
    for (int i = 0; i < kBeforeMountPoint; ++i) next_word(line, ' ');
    if (unescaped(next_word(line, ' ')) == path) return true;
  }
  return false;
}

std::optional<Failure> second_name(const std::string& path, const io::FileFacts& facts) {
  const auto unsafe = [&](std::string_view why) {
    return Failure{Error{Fault::unsafe_store_config}, fmt::format("{}: {}", path, why)};
  };
  if (facts.links > 1) {
    return unsafe(
        "the file has another name (hard link), and a log for each name; leave it one name");
  }
  Mounted mounted = by_attributes(path);
  if (mounted == Mounted::unknown) mounted = by_table(path);
  switch (mounted) {
    case Mounted::no:
      return {};
    case Mounted::yes:
      return unsafe("the file is bind-mounted as a file, without its log; mount its folder");
    case Mounted::unknown:
      return unsafe("whether it is mounted as a file cannot be told without /proc/self/mountinfo");
  }
  return {};
}

}  // namespace mintmark::store
