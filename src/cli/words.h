// Words for the person at the terminal: errors and remarks, on standard error, one line each.
#pragma once

#include <string>
#include <string_view>

#include "io/blocks.h"
#include "mintmark/base/error.h"
#include "store/store.h"

namespace mintmark::cli {

/// `mintmark: words`.
void say(std::string_view words);

/// Says what is wrong with the call; returns the exit code for it.
int usage_error(std::string_view words);

/// What somebody put in, fit to be shown: in quotes, 60 characters at most, and all but printable ASCII
/// as \xNN, so that it cannot steer the terminal.
[[nodiscard]] std::string shown(std::string_view text);

/// Says an error with its remedy; returns the exit code of its kind.
int report(const store::Failure& failure);
int report(const Error& error);
/// `NAME: what happened; what to do`. What happened is the detail, or the sentence of the fault's row.
[[nodiscard]] std::string words_of(const store::Failure& failure);

/// Writes what is left and says what went wrong with the output, if anything did. Returns `code`, or 1
/// if the output could not be written. A reader that went away had enough: that is no error.
int finish(io::BlockWriter& out, int code);

/// Prints a finished text on standard output.
int print(std::string_view text, int code);

}  // namespace mintmark::cli
