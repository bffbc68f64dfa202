// libFuzzer target: no input makes two text kernels, or a kernel and the headers, disagree.
//
// LINK: src/io/text_kernels.cc
//
// The input is read three ways: as an ID to write; as a text as it stands; and as an ID whose text is then
// damaged at the places and with the bytes that follow, because a random text is hardly ever nearly right.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tests/io/text_kernel_checks.h"

namespace mintmark::io {
namespace {

void expect_nothing(const std::string& trouble) {
  if (trouble.empty()) return;
  std::fprintf(stderr, "%s\n", trouble.c_str());
  std::abort();
}

template <class Text>
void check_all(std::string_view input) {
  expect_nothing(check_read<Text>(input.substr(0, Text::Scheme::facts.text_size)));
  IdBytes id{};
  if (input.size() < id.size()) return;
  std::memcpy(id.data(), input.data(), id.size());
  expect_nothing(check_write<Text>(id));

  std::string text = text_of<Text>(id);
  const std::string_view damage = input.substr(id.size());
  for (std::size_t i = 0; i + 1 < damage.size(); i += 2) {
    text[static_cast<unsigned char>(damage[i]) % text.size()] = damage[i + 1];
    expect_nothing(check_read<Text>(text));
  }

  std::vector<IdBytes> ids(input.size() / id.size());
  std::memcpy(ids.data(), input.data(), ids.size() * id.size());
  const std::size_t damaged = static_cast<unsigned char>(input.back()) * std::size_t{7};
  expect_nothing(check_many<Text>(ids, damaged, '\n'));
}

}  // namespace
}  // namespace mintmark::io

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input{reinterpret_cast<const char*>(data), size};
  mintmark::io::check_all<mintmark::io::UuidText>(input);
  mintmark::io::check_all<mintmark::io::UlidText>(input);
  return 0;
}
