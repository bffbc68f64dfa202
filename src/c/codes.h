// Codes: what a fault is called in C, where a number means the same in every version of the library.
#pragma once

#include <string_view>

#include "mintmark/base/error.h"
#include "mintmark/c.h"

namespace mintmark::c {

/// The code of a fault; never MINTMARK_OK.
[[nodiscard]] int code_of(Fault fault);

/// What the four functions of c.h say about a code. The texts are constant and end with a zero.
struct CodeRow {
  std::string_view name;
  std::string_view sentence;
  std::string_view remedy;
  std::string_view kind;
  bool retryable = false;
};

/// Of every number: one that is no code gets a row that says so.
[[nodiscard]] CodeRow row_of(int code);

}  // namespace mintmark::c
