#include "io/sql/connection.h"

#include "io/sql/mariadb.h"
#include "io/sql/postgres.h"

namespace mintmark::io::sql {

SqlResult<std::unique_ptr<Connection>> connect(const DatabaseUrl& url, BootInstant deadline) {
  return url.engine == Engine::postgres ? connect_postgres(url, deadline)
                                        : connect_mariadb(url, deadline);
}

std::string quoted_name(Engine engine, std::string_view name) {
  const char quote = engine == Engine::postgres ? '"' : '`';
  std::string text{quote};
  for (const char c : name) {
    if (c == quote) text += quote;
    text += c;
  }
  return text + quote;
}

}  // namespace mintmark::io::sql
