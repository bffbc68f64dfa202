// The wall clock can be set and the boot clock can not: their difference says nothing.
// EXPECT: no match for .operator-|invalid operands to binary expression
#include "mintmark/base/time.h"

mintmark::Duration elapsed(mintmark::Instant wall, mintmark::BootInstant boot) {
#ifdef ALLOWED
  return wall - mintmark::Instant{boot.time_since_epoch()};
#else
  return wall - boot;
#endif
}
