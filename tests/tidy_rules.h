// The rules of the tree, as functions from files to findings.
//
// Why functions over files in memory: each rule is shown to catch a violation that was made up for it,
// with the same code that then reads the real tree. A rule that finds nothing anywhere is no rule.
//
// None has a list of exceptions. What a rule is about (a floor, a kind of file) it sees by itself.
#pragma once

#include <string>
#include <vector>

#include "tests/source_text.h"

namespace mintmark::tidy {

/// Each `path:line: what is wrong and what to do`, in the order of the files.
using Findings = std::vector<std::string>;

/// Includes point to the same or to a lower floor, name a file that exists, and are written with quotes.
[[nodiscard]] Findings floor_findings(const Tree& tree);

/// No header includes itself, directly or through others.
[[nodiscard]] Findings cycle_findings(const Tree& tree);

/// Only src/io asks the system for time or randomness, or sleeps; public headers include no library
/// that does, and none but the standard one.
[[nodiscard]] Findings effect_findings(const Tree& tree);

/// One word, the same in every room: each scheme has its test, which reads the vectors of its family if
/// there are any, its reference page and its row in the catalogue.
[[nodiscard]] Findings mirror_findings(const Tree& tree);

/// Blanks, lengths, line ends, file names, unfinished business, paths of somebody's machine.
[[nodiscard]] Findings text_findings(const Tree& tree);

}  // namespace mintmark::tidy
