// Requests: the verbs, and what every protocol decodes to and encodes from.
//
// A verb is one row of one table. Routes, commands, help and reference come from it; no protocol decides
// anything by itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mint/space.h"

namespace mintmark::mint {

enum class Verb : std::uint8_t { mint, take, inspect, spaces, live, ready };

struct VerbRow {
  Verb verb;
  std::string_view name;
  std::string_view http;  ///< methods and route
  std::string_view resp;  ///< command and arguments
  std::string_view summary;
};

inline constexpr std::array kVerbs{
    VerbRow{Verb::mint, "mint", "POST|GET /v1/spaces/{space}/ids?count=N", "MINT space [COUNT n]",
            "makes IDs"},
    VerbRow{Verb::take, "take", "", "INCRBY space n",
            "takes n consecutive numbers of a block space and answers the last; INCR takes one"},
    VerbRow{Verb::inspect, "inspect", "GET /v1/inspect/{id}", "INSPECT id", "explains an ID"},
    VerbRow{Verb::spaces, "spaces", "GET /v1/spaces", "SPACES",
            "lists the spaces and how they are"},
    VerbRow{Verb::live, "live", "GET /livez", "PING", "answers as long as the process runs"},
    VerbRow{Verb::ready, "ready", "GET /readyz", "",
            "answers whether every space would give an ID"},
};

/// The most IDs that one request may ask for: a reply of some MB, made in some milliseconds.
inline constexpr std::uint64_t kMostIds = 100'000;
/// The most consecutive numbers that one request may take. They cost no memory, only numbers.
inline constexpr std::uint64_t kMostRun = 1'000'000;

/// IDs on their way to one caller. Reused from request to request, so that it allocates only to grow.
/// One thread at a time.
struct Batch {
  Space* space = nullptr;
  std::vector<std::byte> bytes;  ///< width() of them an ID
  std::size_t wanted = 0;
  std::size_t made = 0;

  void start(Space& of, std::size_t count) {
    space = &of;
    wanted = count;
    made = 0;
    bytes.resize(count * of.width());
  }
  [[nodiscard]] std::span<const std::byte> id(std::size_t i) const {
    return std::span{bytes}.subspan(i * space->width(), space->width());
  }
};

/// How a kind of error looks on each protocol: the one table that maps it.
struct KindRow {
  Kind kind;
  std::string_view name;
  unsigned http_status;
  std::string_view resp_prefix;  ///< first word of an error reply
  int exit_code;
};
inline constexpr std::array kKinds{
    KindRow{Kind::bad_input, "bad_input", 400, "ERR", 2},
    KindRow{Kind::not_found, "not_found", 404, "ERR", 2},
    KindRow{Kind::denied, "denied", 403, "NOPERM", 2},
    KindRow{Kind::limited, "limited", 429, "LIMIT", 75},
    KindRow{Kind::refused, "refused", 503, "REFUSED", 75},
    KindRow{Kind::busy, "busy", 503, "BUSY", 69},
    KindRow{Kind::outcome_unknown, "outcome_unknown", 504, "UNKNOWN", 75},
    KindRow{Kind::broken, "broken", 500, "BROKEN", 69},
};
[[nodiscard]] constexpr const KindRow& row_of(Kind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}
static_assert([] {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (static_cast<std::size_t>(kKinds[i].kind) != i) return false;
  }
  return kKinds.size() == static_cast<std::size_t>(Kind::broken) + 1;
}());

}  // namespace mintmark::mint
