// Boost.UUID. random_generator is its secure one: it asks the system for every UUID.
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <boost/version.hpp>

#include "bench/rivals/cpp/measure.h"

namespace {

using boost::uuids::uuid;

std::string text_of(const uuid& id) {
  std::string text(36, ' ');
  rivals::require(boost::uuids::to_chars(id, text.data(), text.data() + text.size()),
                  "to_chars failed");
  return text;
}

std::optional<uuid> parse(const std::string& text) {
  try {
    return boost::uuids::string_generator{}(text);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string name() {
  return "Boost.UUID " + std::to_string(BOOST_VERSION / 100'000) + "." +
         std::to_string(BOOST_VERSION / 100 % 1'000);
}

}  // namespace

int main(int argc, char** argv) {
  rivals::Program program{name(), argc, argv};
  auto [ids, texts] = program.checked<uuid>(
      "uuid", {parse, text_of, [](const uuid& id) { return rivals::hex(id); }});

  boost::uuids::random_generator generator;
  std::vector<std::string> made(rivals::kMade);
  for (std::string& text : made) text = text_of(generator());
  rivals::check_uuids(made, '4');

  program.add("uuid4", rivals::repeat([&generator] { rivals::keep(generator()); }));
  program.add("uuid_write", rivals::over(ids, [](const uuid& id) {
                char text[36];
                rivals::keep(boost::uuids::to_chars(id, text, text + sizeof text));
                rivals::keep(text);
              }));
  const boost::uuids::string_generator reader;
  program.add("uuid_parse", rivals::over(texts, [reader](const std::string& text) {
                rivals::keep(reader(text));
              }));
  return program.run();
}
