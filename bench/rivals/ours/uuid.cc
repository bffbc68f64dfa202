#include "mintmark/scheme/uuid.h"

#include "bench/rivals/ours/works.h"
#include "mintmark/scheme/uuid_v4.h"
#include "mintmark/scheme/uuid_v7.h"

namespace rivals {

using mintmark::Uuid;
using mintmark::UuidV4;
using mintmark::UuidV7;

void add_uuid(Program& program) {
  static UuidV4::Generator v4{mintmark::io::os_entropy()};
  static UuidV7::Generator v7{mintmark::io::os_entropy()};
  check_uuids(made_by(v4), '4');
  const std::vector<std::string> made = made_by(v7);
  check_uuids(made, '7');
  check_rising(made);
  // A UUIDv4 has no time: nobody reads a clock for it.
  add_next_works(program, "uuid4", v4, [] { return mintmark::Instant{}; });
  add_next_works(program, "uuid7", v7, mintmark::io::wall_now);
  add_text_works<Uuid>(program, "uuid");
}

}  // namespace rivals
