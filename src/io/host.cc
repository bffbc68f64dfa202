#include "io/host.h"

#include <cstddef>

#include "io/file.h"

namespace mintmark::io {

namespace {

std::string first_word(const char* path) {
  constexpr std::size_t kMost = 256;
  auto text = read_file(path, kMost);
  if (!text) return {};
  const auto end = text->find_first_of(" \t\r\n");
  return end == std::string::npos ? *text : text->substr(0, end);
}

}  // namespace

std::string machine_id() { return first_word("/etc/machine-id"); }

std::string boot_id() { return first_word("/proc/sys/kernel/random/boot_id"); }

}  // namespace mintmark::io
