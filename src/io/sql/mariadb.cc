#include "io/sql/mariadb.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <mariadb/errmsg.h>
#include <mariadb/mysql.h>
#include <mariadb/mysqld_error.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "io/fork_guard.h"
#include "io/one_line.h"
#include "io/os_clock.h"
#include "io/shared_library.h"
#include "io/wait.h"

namespace mintmark::io::sql {
namespace {

/// The functions of libmariadb.so.3 that are used; their types are those of its header.
struct Libmariadb {
  decltype(&::mysql_init) init = nullptr;
  decltype(&::mysql_options) options = nullptr;
  decltype(&::mysql_close) close = nullptr;
  decltype(&::mysql_get_socket) socket = nullptr;
  decltype(&::mysql_real_connect_start) connect_start = nullptr;
  decltype(&::mysql_real_connect_cont) connect_cont = nullptr;
  decltype(&::mysql_real_query_start) query_start = nullptr;
  decltype(&::mysql_real_query_cont) query_cont = nullptr;
  decltype(&::mysql_store_result_start) result_start = nullptr;
  decltype(&::mysql_store_result_cont) result_cont = nullptr;
  decltype(&::mysql_get_ssl_cipher) cipher = nullptr;
  decltype(&::mysql_affected_rows) changed_rows = nullptr;
  decltype(&::mysql_warning_count) warning_count = nullptr;
  decltype(&::mysql_field_count) field_count = nullptr;
  decltype(&::mysql_num_fields) column_count = nullptr;
  decltype(&::mysql_fetch_row) fetch_row = nullptr;
  decltype(&::mysql_fetch_lengths) fetch_lengths = nullptr;
  decltype(&::mysql_free_result) free_result = nullptr;
  decltype(&::mysql_errno) error_number = nullptr;
  decltype(&::mysql_error) error = nullptr;
  decltype(&::mysql_sqlstate) state = nullptr;
  std::optional<std::string> missing;
};

Libmariadb load() {
  Libmariadb my;
  SharedLibrary library{"libmariadb.so.3", "libmariadb3"};
  library.find("mysql_init", my.init);
  library.find("mysql_options", my.options);
  library.find("mysql_close", my.close);
  library.find("mysql_get_socket", my.socket);
  library.find("mysql_real_connect_start", my.connect_start);
  library.find("mysql_real_connect_cont", my.connect_cont);
  library.find("mysql_real_query_start", my.query_start);
  library.find("mysql_real_query_cont", my.query_cont);
  library.find("mysql_store_result_start", my.result_start);
  library.find("mysql_store_result_cont", my.result_cont);
  library.find("mysql_get_ssl_cipher", my.cipher);
  library.find("mysql_affected_rows", my.changed_rows);
  library.find("mysql_warning_count", my.warning_count);
  library.find("mysql_field_count", my.field_count);
  library.find("mysql_num_fields", my.column_count);
  library.find("mysql_fetch_row", my.fetch_row);
  library.find("mysql_fetch_lengths", my.fetch_lengths);
  library.find("mysql_free_result", my.free_result);
  library.find("mysql_errno", my.error_number);
  library.find("mysql_error", my.error);
  library.find("mysql_sqlstate", my.state);
  my.missing = library.missing();
  return my;
}

const Libmariadb& libmariadb() {
  static const Libmariadb my = load();
  return my;
}

// MySQL's name for its limit of time, ER_QUERY_TIMEOUT; MariaDB's header does not have it.
constexpr unsigned kMysqlQueryTimeout = 3024;

Trouble trouble_of(unsigned number) {
  switch (number) {
    case ER_DBACCESS_DENIED_ERROR:
    case ER_TABLEACCESS_DENIED_ERROR:
    case ER_COLUMNACCESS_DENIED_ERROR:
    case ER_SPECIFIC_ACCESS_DENIED_ERROR:
      return Trouble::not_permitted;
    case ER_QUERY_INTERRUPTED:
    case ER_STATEMENT_TIMEOUT:
    case ER_LOCK_WAIT_TIMEOUT:
    case kMysqlQueryTimeout:
      return Trouble::cancelled;
    default:
      return number >= CR_MIN_ERROR && number <= CR_MAX_ERROR ? Trouble::lost : Trouble::refused;
  }
}

class MariadbConnection final : public Connection {
 public:
  MariadbConnection(MYSQL* connection, std::string words)
      : connection_(connection), words_(std::move(words)) {}
  ~MariadbConnection() override { close(); }

  using Connection::query;
  SqlResult<Rows> query(const std::string& text, std::span<const Value> parameters,
                        BootInstant deadline) override {
    if (connection_ == nullptr || !guard_.same_process())
      return broken(Trouble::lost, "it was closed");
    const auto whole = with_parameters(text, parameters);
    if (!whole) {
      return std::unexpected(
          SqlFailure{Trouble::refused, "another number of parameters than of ?", {}});
    }
    if (encrypted_) limit_blocking(deadline);
    int wrong = 0;
    int status = my_.query_start(&wrong, connection_, whole->data(), whole->size());
    while (status != 0) status = my_.query_cont(&wrong, connection_, await(status, deadline));
    if (wrong != 0) return fail(deadline);
    MYSQL_RES* result = nullptr;
    status = my_.result_start(&result, connection_);
    while (status != 0) status = my_.result_cont(&result, connection_, await(status, deadline));
    if (result == nullptr) {
      if (my_.field_count(connection_) != 0 || my_.error_number(connection_) != 0)
        return fail(deadline);
      effect_ = {.rows = my_.changed_rows(connection_),
                 .warned = my_.warning_count(connection_) != 0};
      return Rows{};
    }
    effect_ = {.rows = 0, .warned = my_.warning_count(connection_) != 0};
    Rows rows;
    take(result, rows);
    my_.free_result(result);
    return rows;
  }

  [[nodiscard]] Effect effect() const override { return effect_; }

  SqlResult<void> set_options(const DatabaseUrl& url, BootInstant deadline);
  SqlResult<void> finish_connecting(const DatabaseUrl& url, BootInstant deadline);

 private:
  /// What came of what the library waits for; that its time is over, once ours is: then it unwinds by itself.
  int await(int wanted, BootInstant deadline) {
    short events = 0;
    if ((wanted & MYSQL_WAIT_READ) != 0) events |= POLLIN;
    if ((wanted & MYSQL_WAIT_WRITE) != 0) events |= POLLOUT;
    if ((wanted & MYSQL_WAIT_EXCEPT) != 0) events |= POLLPRI;
    const int descriptor = static_cast<int>(my_.socket(connection_));
    const short came = wait_until(descriptor, events, deadline);
    if (came == 0) {
      late_ = true;
      // With TLS the library does not hear of a time that is over, but of an end of the connection.
      static_cast<void>(::shutdown(descriptor, SHUT_RDWR));
      return MYSQL_WAIT_TIMEOUT | wanted;
    }
    // An end or an error shows when it is read or written.
    if ((came & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
      return wanted & (MYSQL_WAIT_READ | MYSQL_WAIT_WRITE | MYSQL_WAIT_EXCEPT);
    }
    int told = 0;
    if ((came & POLLIN) != 0) told |= MYSQL_WAIT_READ;
    if ((came & POLLOUT) != 0) told |= MYSQL_WAIT_WRITE;
    if ((came & POLLPRI) != 0) told |= MYSQL_WAIT_EXCEPT;
    return told;
  }

  /// The library reads and writes TLS on a socket that it leaves blocking: the kernel ends each of these
  /// calls at the deadline. (On a socket that does not block, it waits to read before it writes.)
  void limit_blocking(BootInstant deadline) const {
    const auto left =
        std::chrono::duration_cast<std::chrono::microseconds>(deadline - os_clock().boot());
    const auto count = std::max<std::int64_t>(left.count(), 1);  // 0 would be for ever
    const timeval time{.tv_sec = count / 1'000'000, .tv_usec = count % 1'000'000};
    for (const int option : {SO_RCVTIMEO, SO_SNDTIMEO}) {
      static_cast<void>(::setsockopt(static_cast<int>(my_.socket(connection_)), SOL_SOCKET, option,
                                     &time, sizeof time));
    }
  }

  std::unexpected<SqlFailure> broken(Trouble trouble, std::string_view why) {
    SqlFailure failure{trouble, fmt::format("{}: {}", words_, one_line(why)), {}};
    close();
    return std::unexpected(std::move(failure));
  }

  /// The failure of the call that just ended.
  std::unexpected<SqlFailure> fail(BootInstant deadline) {
    const Trouble trouble = trouble_of(my_.error_number(connection_));
    const bool over = trouble == Trouble::lost && os_clock().boot() >= deadline;
    if (late_ || over) return broken(Trouble::late, "no answer in time");
    if (trouble == Trouble::lost) return broken(trouble, my_.error(connection_));
    return std::unexpected(
        SqlFailure{trouble, one_line(my_.error(connection_)), my_.state(connection_)});
  }

  void close() {
    // In a forked child it would end the parent's session.
    if (connection_ != nullptr && guard_.same_process()) my_.close(connection_);
    connection_ = nullptr;
  }

  void take(MYSQL_RES* result, Rows& rows) const {
    const unsigned columns = my_.column_count(result);
    while (const MYSQL_ROW values = my_.fetch_row(result)) {
      const unsigned long* lengths = my_.fetch_lengths(result);
      Row& row = rows.emplace_back();
      for (unsigned i = 0; i < columns; ++i) {
        Value& value = row.emplace_back();
        if (values[i] != nullptr) value.emplace(values[i], lengths[i]);
      }
    }
  }

  template <class T>
  void set(mysql_option option, const T& value) {
    my_.options(connection_, option, &value);
  }

  const Libmariadb& my_ = libmariadb();
  MYSQL* connection_;
  std::string words_;
  Effect effect_;
  ForkGuard guard_;
  bool encrypted_ = false;  ///< has to be
  bool late_ = false;
};

SqlResult<void> MariadbConnection::set_options(const DatabaseUrl& url, BootInstant deadline) {
  static constexpr std::array<std::pair<std::string_view, mysql_option>, 3> kFiles{{
      {"sslrootcert", MYSQL_OPT_SSL_CA},
      {"sslcert", MYSQL_OPT_SSL_CERT},
      {"sslkey", MYSQL_OPT_SSL_KEY},
  }};
  my_.options(connection_, MYSQL_OPT_NONBLOCK, nullptr);
  my_.options(connection_, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  set(MYSQL_OPT_LOCAL_INFILE, 0U);
  // For the handshake of TLS, which the library does without asking us to wait.
  const auto left = std::chrono::ceil<std::chrono::seconds>(deadline - os_clock().boot());
  set(MYSQL_OPT_CONNECT_TIMEOUT,
      static_cast<unsigned>(std::clamp<std::int64_t>(left.count(), 1, 86'400)));
  // A port says TCP; the library would take the socket for localhost all the same.
  if (url.port) set(MYSQL_OPT_PROTOCOL, static_cast<unsigned>(MYSQL_PROTOCOL_TCP));
  std::string_view mode = "disable";
  bool files = false;
  bool proof = false;
  for (const auto& [name, value] : url.parameters) {
    if (name == "sslmode") {
      mode = value;
      continue;
    }
    const auto* file = std::ranges::find(kFiles, name, [](const auto& row) { return row.first; });
    if (file == kFiles.end()) {
      return broken(Trouble::bad_url,
                    fmt::format("no parameter {}; there are host, port, user, password, sslmode, "
                                "sslrootcert, sslcert and sslkey",
                                name));
    }
    my_.options(connection_, file->second, value.c_str());
    files = true;
    proof = proof || file->second == MYSQL_OPT_SSL_CA;
  }
  if (mode != "disable" && mode != "require" && mode != "verify-full") {
    return broken(Trouble::bad_url,
                  fmt::format("sslmode={}; it is disable, require or verify-full", mode));
  }
  if (mode == "disable" && files) {
    return broken(Trouble::bad_url,
                  "a certificate, and sslmode=disable; it is require or verify-full");
  }
  // Without it the library believes every name.
  if (mode == "verify-full" && !proof) {
    return broken(Trouble::bad_url, "sslmode=verify-full needs sslrootcert=FILE");
  }
  encrypted_ = mode != "disable";
  const my_bool on = 1;
  const my_bool off = 0;
  set(MYSQL_OPT_SSL_ENFORCE, encrypted_ ? on : off);
  set(MYSQL_OPT_SSL_VERIFY_SERVER_CERT, mode == "verify-full" ? on : off);
  return {};
}

SqlResult<void> MariadbConnection::finish_connecting(const DatabaseUrl& url, BootInstant deadline) {
  const auto text = [](const std::string& value) {
    return value.empty() ? nullptr : value.c_str();
  };
  const bool socket = url.host.starts_with('/');
  MYSQL* connected = nullptr;
  int status = my_.connect_start(&connected, connection_, socket ? "localhost" : text(url.host),
                                 url.user ? url.user->c_str() : nullptr,
                                 url.password ? url.password->c_str() : nullptr, text(url.database),
                                 url.port.value_or(0), socket ? url.host.c_str() : nullptr, 0);
  while (status != 0) status = my_.connect_cont(&connected, connection_, await(status, deadline));
  const bool over = connected == nullptr && os_clock().boot() >= deadline;
  if (late_ || over) return broken(Trouble::late, "no answer in time");
  if (connected == nullptr) return broken(Trouble::unreachable, my_.error(connection_));
  // The library's ENFORCE is content with a server that has no TLS.
  if (encrypted_ && my_.cipher(connection_) == nullptr) {
    return broken(Trouble::unreachable, "the server does not offer TLS");
  }
  return {};
}

}  // namespace

std::optional<std::string> with_parameters(std::string_view text,
                                           std::span<const Value> parameters) {
  std::string whole;
  std::size_t used = 0;
  for (const char c : text) {
    if (c != '?') {
      whole += c;
      continue;
    }
    if (used == parameters.size()) return std::nullopt;
    const Value& value = parameters[used++];
    if (!value) {
      whole += "NULL";
      continue;
    }
    whole += "_utf8mb4 X'";
    for (const char byte : *value) {
      fmt::format_to(std::back_inserter(whole), "{:02x}", static_cast<unsigned char>(byte));
    }
    whole += '\'';
  }
  if (used != parameters.size()) return std::nullopt;
  return whole;
}

SqlResult<std::unique_ptr<Connection>> connect_mariadb(const DatabaseUrl& url,
                                                       BootInstant deadline) {
  const Libmariadb& my = libmariadb();
  if (my.missing) return std::unexpected(SqlFailure{Trouble::no_library, *my.missing, {}});
  MYSQL* raw = my.init(nullptr);
  if (raw == nullptr) {
    return std::unexpected(SqlFailure{Trouble::unreachable, url.words() + ": no memory", {}});
  }
  auto connection = std::make_unique<MariadbConnection>(raw, url.words());
  if (const auto set = connection->set_options(url, deadline); !set)
    return std::unexpected(set.error());
  if (const auto done = connection->finish_connecting(url, deadline); !done) {
    return std::unexpected(done.error());
  }
  return connection;
}

}  // namespace mintmark::io::sql
