// The one place that knows which engines there are: a new one is one row of the table.

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/net/service_url.h"
#include "io/os_clock.h"
#include "store/decide.h"
#include "store/etcd.h"
#include "store/key_value_store.h"
#include "store/mariadb.h"
#include "store/memory.h"
#include "store/postgres.h"
#include "store/redis.h"
#include "store/sqlite.h"
#include "store/store.h"
#include "store/zookeeper.h"

namespace mintmark::store {

namespace {

using Opened = Outcome<std::unique_ptr<Store>>;

/// A URL, and what stands behind the engine's name and the colon.
struct Url {
  std::string_view whole;
  std::string_view rest;
};

struct Engine {
  std::string_view name;
  /// How a person names a store of it; empty for an engine that keeps nothing, and for a second name.
  std::string_view form;
  Opened (*open)(const Url& url, const Environment& environment, BootInstant deadline);
  Outcome<void> (*check)(const Url& url);
  const SqlDialect& (*dialect)() = nullptr;  ///< of a SQL server
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

Opened open_file(const Url& url, const Environment& environment, BootInstant deadline) {
  MINTMARK_TRY(path, sqlite_path(url.rest));
  return open_sqlite(path, environment, deadline);
}
Outcome<void> check_file(const Url& url) {
  if (auto path = sqlite_path(url.rest); !path) return std::unexpected(path.error());
  return {};
}

Outcome<io::sql::DatabaseUrl> database_of(const Url& url) {
  auto database = io::sql::parse_database_url(url.whole);
  // The words repeat nothing of the URL, which may hold a password.
  if (!database) return failure(Fault::invalid_argument, "store: " + database.error());
  if (database->engine == io::sql::Engine::mariadb && database->database.empty()) {
    return failure(Fault::invalid_argument,
                   fmt::format("store {}: the database is missing", database->words()));
  }
  return *std::move(database);
}
template <const SqlDialect& (*dialect)()>
Opened open_database(const Url& url, const Environment& environment, BootInstant deadline) {
  MINTMARK_TRY(database, database_of(url));
  return open_sql(dialect(), database, environment, deadline);
}
Outcome<void> check_database(const Url& url) {
  if (auto database = database_of(url); !database) return std::unexpected(database.error());
  return {};
}

using ConnectKeyValue = Outcome<std::unique_ptr<KeyValue>> (*)(const io::ServiceUrl&, Unsafe,
                                                               BootInstant);
using CheckKeyValue = Outcome<void> (*)(const io::ServiceUrl&);

Outcome<io::ServiceUrl> service_of(const Url& url) {
  auto service = io::parse_service_url(url.whole);
  if (!service) return failure(Fault::invalid_argument, "store: " + service.error());
  return *std::move(service);
}
template <ConnectKeyValue connect>
Opened open_service(const Url& url, const Environment& environment, BootInstant deadline) {
  MINTMARK_TRY(service, service_of(url));
  const BootInstant until = io::os_clock().boot() + (deadline - environment.clock.boot());
  MINTMARK_TRY(engine, connect(service, environment.unsafe, until));
  return open_key_value(std::move(engine), environment, until);
}
template <CheckKeyValue check>
Outcome<void> check_service(const Url& url) {
  auto service = service_of(url);
  if (!service) return std::unexpected(service.error());
  return check(*service);
}

Opened open_in_memory(const Url& url, const Environment& environment, BootInstant) {
  return open_memory(url.rest, environment);
}
Outcome<void> refuse_memory(const Url& /*url*/) {
  return failure(Fault::invalid_argument,
                 "store engine \"memory\" forgets everything with its process; write sqlite:PATH");
}

constexpr std::array kEngines{
    Engine{"sqlite", "sqlite:PATH", open_file, check_file},
    Engine{"postgres", "postgres://USER@HOST/DATABASE", open_database<postgres_dialect>,
           check_database, postgres_dialect},
    Engine{"postgresql", "", open_database<postgres_dialect>, check_database, postgres_dialect},
    Engine{"mariadb", "mariadb://USER@HOST/DATABASE", open_database<mariadb_dialect>,
           check_database, mariadb_dialect},
    Engine{"mysql", "", open_database<mariadb_dialect>, check_database, mariadb_dialect},
    Engine{"etcd", "etcd://HOST", open_service<connect_etcd>, check_service<check_etcd_url>},
    Engine{"etcds", "", open_service<connect_etcd>, check_service<check_etcd_url>},
    Engine{"zookeeper", "zookeeper://HOST", open_service<connect_zookeeper>,
           check_service<check_zookeeper_url>},
    Engine{"redis", "redis://HOST", open_service<connect_redis>, check_service<check_redis_url>},
    Engine{"rediss", "", open_service<connect_redis>, check_service<check_redis_url>},
    Engine{"memory", "", open_in_memory, refuse_memory},
};

std::string forms() {
  std::vector<std::string_view> all;
  for (const Engine& engine : kEngines) {
    if (!engine.form.empty()) all.push_back(engine.form);
  }
  const auto last = all.back();
  all.pop_back();
  return fmt::format("{} or {}", fmt::join(all, ", "), last);
}

struct Named {
  const Engine* engine;
  Url url;
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
  return Named{engine, {url, url.substr(colon + 1)}};
}

}  // namespace

Outcome<void> check_url(std::string_view url) {
  MINTMARK_TRY(named, engine_of(url));
  return named.engine->check(named.url);
}

Outcome<std::string> schema(std::string_view url) {
  MINTMARK_TRY(named, engine_of(url));
  if (auto checked = named.engine->check(named.url); !checked) {
    return std::unexpected(checked.error());
  }
  if (named.engine->dialect == nullptr) {
    return failure(Fault::invalid_argument,
                   fmt::format("store engine \"{}\" has no tables to prepare", named.engine->name));
  }
  std::string text;
  for (const std::string_view statement : named.engine->dialect().schema) {
    text += statement;
    text += ";\n";
  }
  return text;
}

Opened open(std::string_view url, const Environment& environment, BootInstant deadline) {
  MINTMARK_TRY(named, engine_of(url));
  return named.engine->open(named.url, environment, deadline);
}

}  // namespace mintmark::store
