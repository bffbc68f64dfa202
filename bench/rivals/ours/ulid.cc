#include "mintmark/scheme/ulid.h"

#include "bench/rivals/ours/works.h"

namespace rivals {

using mintmark::Ulid;

void add_ulid(Program& program) {
  static Ulid::Generator generator{mintmark::io::os_entropy()};
  check_rising(made_by(generator));
  add_next_works(program, "ulid", generator, mintmark::io::wall_now);
  add_text_works<Ulid>(program, "ulid");

  const auto [ids, texts] = program.checked<Ulid>("ulid", codec<Ulid>());
  program.add("ulid_to_uuid", over(texts, [](const std::string& text) {
                const auto id = Ulid::parse(text);
                if (!id) [[unlikely]]
                  wrong("parse refused");
                std::array<char, mintmark::Uuid::facts.text_size> uuid;
                keep(id->uuid().write(uuid));
                keep(uuid);
              }));
}

}  // namespace rivals
