// Two generators with one state make the same IDs, so a generator can not be copied.
// EXPECT: use of deleted function|call to deleted constructor
#include "mintmark/scheme/xid.h"

void copy(mintmark::Xid::Generator& generator) {
#ifdef ALLOWED
  auto& other = generator;
#else
  auto other = generator;
#endif
  static_cast<void>(other);
}
