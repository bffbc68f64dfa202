// Failure: an error of the world outside, with the words that a person needs to put it right.
//
// Why beside Error: an Error is 8 bytes for paths that run in nanoseconds. What fails when a file, a
// store or a socket is opened fails once, and then the name of the file and the system's words matter.
#pragma once

#include <expected>
#include <string>

#include "mintmark/base/error.h"

namespace mintmark {

/// `detail` names the file, address or setting, and says what the system said; never a credential.
struct Failure {
  Error error;
  std::string detail;
};

template <class T>
using Outcome = std::expected<T, Failure>;

/// Short form for returning one.
[[nodiscard]] inline std::unexpected<Failure> failure(Fault fault, std::string detail) {
  return std::unexpected(Failure{Error{fault}, std::move(detail)});
}

}  // namespace mintmark
