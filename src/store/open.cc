// The one place that knows which engines there are: a new one is one row of the table.

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "store/decide.h"
#include "store/memory.h"
#include "store/sqlite.h"
#include "store/store.h"

namespace mintmark::store {

namespace {

using Opened = Outcome<std::unique_ptr<Store>>;

struct Engine {
  std::string_view name;
  /// How a person names a store of it; empty for an engine that keeps nothing.
  std::string_view form;
  /// `rest` is the URL without the engine's name and the colon.
  Opened (*open)(std::string_view rest, const Environment& environment, BootInstant deadline);
  Outcome<void> (*check)(std::string_view rest);
};

/// The path in the rest of a URL.
Outcome<std::string> sqlite_path(std::string_view rest) {
  const auto wrong = [&](std::string_view why) {
    return failure(Fault::invalid_argument, fmt::format("store \"sqlite:{}\": {}", rest, why));
  };
  if (rest.empty()) return wrong("the path is missing");
  // SQLite's own names: of stores that nobody shares, and of files with options that undo its safety.
  if (rest.starts_with(':') || rest.starts_with("file:")) {
    return wrong(fmt::format("it is not a path; a file of that name is sqlite:./{}", rest));
  }
  // sqlite:///var/lib/x has an empty host between its slashes (RFC 3986, 3.2).
  if (rest.starts_with("//")) {
    if (!rest.starts_with("///")) {
      return wrong("a file has no host; write sqlite:PATH or sqlite:///PATH");
    }
    rest.remove_prefix(2);
  }
  return std::string{rest};
}

constexpr std::array kEngines{
    Engine{
        "sqlite", "sqlite:PATH",
        [](std::string_view rest, const Environment& environment, BootInstant deadline) -> Opened {
          MINTMARK_TRY(path, sqlite_path(rest));
          return open_sqlite(path, environment, deadline);
        },
        [](std::string_view rest) -> Outcome<void> {
          if (auto path = sqlite_path(rest); !path) return std::unexpected(path.error());
          return {};
        }},
    Engine{"memory", "",
           [](std::string_view rest, const Environment& environment, BootInstant) -> Opened {
             return open_memory(rest, environment);
           },
           [](std::string_view) -> Outcome<void> {
             return failure(
                 Fault::invalid_argument,
                 "store engine \"memory\" forgets everything with its process; write sqlite:PATH");
           }},
};

std::string forms() {
  std::string text;
  for (const Engine& engine : kEngines) {
    if (engine.form.empty()) continue;
    fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : " or ", engine.form);
  }
  return text;
}

struct Named {
  const Engine* engine;
  std::string_view rest;
};

Outcome<Named> engine_of(std::string_view url) {
  const auto colon = url.find(':');
  if (colon == std::string_view::npos) {
    return failure(Fault::invalid_argument,
                   fmt::format("store \"{}\": no engine is named; write {}", url, forms()));
  }
  const auto name = url.substr(0, colon);
  const auto* engine = std::ranges::find(kEngines, name, &Engine::name);
  if (engine == kEngines.end()) {
    // Only the name: what follows may hold a password.
    return failure(Fault::invalid_argument,
                   fmt::format("store engine \"{}\" is not known; write {}", name, forms()));
  }
  return Named{engine, url.substr(colon + 1)};
}

}  // namespace

Outcome<void> check_url(std::string_view url) {
  MINTMARK_TRY(named, engine_of(url));
  return named.engine->check(named.rest);
}

Opened open(std::string_view url, const Environment& environment, BootInstant deadline) {
  MINTMARK_TRY(named, engine_of(url));
  return named.engine->open(named.rest, environment, deadline);
}

}  // namespace mintmark::store
