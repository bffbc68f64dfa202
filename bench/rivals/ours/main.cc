// mintmark, held to the same answers as its rivals. Beside their commands it knows
//
//   PROGRAM --answers FAMILY COUNT     COUNT lines of an answers file, always the same ones
#include <cstring>

#include "bench/rivals/ours/works.h"
#include "mintmark/scheme/ksuid.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid_v7.h"

namespace rivals {

bool print_answers(const std::string& family, std::size_t count) {
  if (family == "uuid") {
    print_answers_of<mintmark::UuidV7>(count);
  } else if (family == "ulid") {
    print_answers_of<mintmark::Ulid>(count);
  } else if (family == "ksuid") {
    print_answers_of<mintmark::Ksuid>(count);
  } else {
    return false;
  }
  return true;
}

}  // namespace rivals

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--answers") == 0) {
    return rivals::print_answers(argv[2], std::strtoull(argv[3], nullptr, 10)) ? 0 : 2;
  }
  rivals::Program program{"mintmark", argc, argv};
  rivals::add_uuid(program);
  rivals::add_ulid(program);
  rivals::add_snowflake(program);
  rivals::add_ksuid(program);
  return program.run();
}
