// Two generators with one state make the same IDs, so a generator can not be moved.
// EXPECT: use of deleted function|call to deleted constructor
#include <utility>

#include "mintmark/scheme/xid.h"

void move(mintmark::Xid::Generator& generator) {
#ifdef ALLOWED
  auto& other = generator;
#else
  auto other = std::move(generator);
#endif
  static_cast<void>(other);
}
