#include "mintmark/scheme/ksuid.h"

#include "bench/rivals/ours/works.h"

namespace rivals {

void add_ksuid(Program& program) { add_text_works<mintmark::Ksuid>(program, "ksuid"); }

}  // namespace rivals
