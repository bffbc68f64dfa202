// libuuid of util-linux. uuid_generate_random asks the system for every UUID.
#include <array>

#include <uuid/uuid.h>

#include "bench/rivals/cpp/measure.h"

namespace {

using Id = std::array<unsigned char, 16>;

std::string text_of(const Id& id) {
  char text[UUID_STR_LEN];
  uuid_unparse_lower(id.data(), text);
  return text;
}

std::optional<Id> parse(const std::string& text) {
  Id id;
  if (uuid_parse(text.c_str(), id.data()) != 0) return std::nullopt;
  return id;
}

}  // namespace

int main(int argc, char** argv) {
  rivals::Program program{"libuuid", argc, argv};
  auto [ids, texts] =
      program.checked<Id>("uuid", {parse, text_of, [](const Id& id) { return rivals::hex(id); }});

  std::vector<std::string> made(rivals::kMade);
  for (std::string& text : made) {
    Id id;
    uuid_generate_random(id.data());
    text = text_of(id);
  }
  rivals::check_uuids(made, '4');

  program.add("uuid4", rivals::repeat([] {
                Id id;
                uuid_generate_random(id.data());
                rivals::keep(id);
              }));
  program.add("uuid_write", rivals::over(ids, [](const Id& id) {
                char text[UUID_STR_LEN];
                uuid_unparse_lower(id.data(), text);
                rivals::keep(text);
              }));
  program.add("uuid_parse", rivals::over(texts, [](const std::string& text) {
                Id id;
                rivals::keep(uuid_parse(text.c_str(), id.data()));
                rivals::keep(id);
              }));
  return program.run();
}
