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
  std::string_view form;
  /// `rest` is the URL without the engine's name and the colon.
  Opened (*open)(std::string_view rest, const Environment& environment, BootInstant deadline);
};

constexpr std::array kEngines{
    Engine{
        "sqlite", "sqlite:PATH",
        [](std::string_view rest, const Environment& environment, BootInstant deadline) -> Opened {
          // sqlite:///var/lib/x has an empty host between its slashes (RFC 3986, 3.2).
          if (rest.starts_with("//")) {
            if (!rest.starts_with("///")) {
              return failure(Fault::invalid_argument,
                             fmt::format("sqlite:{}: a file has no host; write sqlite:PATH or "
                                         "sqlite:///PATH",
                                         rest));
            }
            rest.remove_prefix(2);
          }
          return open_sqlite(std::string{rest}, environment, deadline);
        }},
    Engine{"memory", "memory:NAME",
           [](std::string_view rest, const Environment& environment, BootInstant) -> Opened {
             return open_memory(rest, environment);
           }},
};

std::string forms() {
  std::string text;
  for (const Engine& engine : kEngines) {
    fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ", ", engine.form);
  }
  return text;
}

}  // namespace

Opened open(std::string_view url, const Environment& environment, BootInstant deadline) {
  const auto colon = url.find(':');
  if (colon == std::string_view::npos) {
    return failure(Fault::invalid_argument,
                   fmt::format("store \"{}\": no engine is named; known are {}", url, forms()));
  }
  const auto name = url.substr(0, colon);
  const auto* engine = std::ranges::find(kEngines, name, &Engine::name);
  if (engine == kEngines.end()) {
    // Only the name: what follows may hold a password.
    return failure(Fault::invalid_argument,
                   fmt::format("store engine \"{}\" is not known; known are {}", name, forms()));
  }
  return engine->open(url.substr(colon + 1), environment, deadline);
}

}  // namespace mintmark::store
