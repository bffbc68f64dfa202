// A program that needs no library: it reads an ID.
#include "mintmark/scheme/ulid.h"

int main() {
  const auto id = mintmark::Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  return id && mintmark::unix_ms(id->time()) == 1'469'922'850'259 ? 0 : 1;
}
