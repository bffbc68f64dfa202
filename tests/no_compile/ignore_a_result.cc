// An ID that was refused must not be taken for one that was made: no result is dropped unread.
// EXPECT: ignoring return value
#include "mintmark/base/time.h"

void read() {
#ifdef ALLOWED
  static_cast<void>(mintmark::parse_time("2026-12-01"));
#else
  mintmark::parse_time("2026-12-01");
#endif
}
