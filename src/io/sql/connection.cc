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

std::string one_line(std::string_view words) {
  const auto is_end = [](char c) { return c == '\n' || c == '\r'; };
  while (!words.empty() && (is_end(words.back()) || words.back() == ' ')) words.remove_suffix(1);
  std::string line;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto byte = static_cast<unsigned char>(words[i]);
    if (is_end(words[i])) {
      while (i + 1 < words.size() && (is_end(words[i + 1]) || words[i + 1] == '\t')) ++i;
      line += "; ";
    } else if (byte < 0x20 || byte == 0x7f) {
      line += words[i] == '\t' ? ' ' : '?';
    } else {
      line += words[i];
    }
  }
  return line;
}

}  // namespace mintmark::io::sql
