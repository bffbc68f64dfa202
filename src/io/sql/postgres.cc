#include "io/sql/postgres.h"

#include <charconv>

#include <fmt/format.h>
#include <poll.h>
#include <postgresql/libpq-fe.h>

#include "io/fork_guard.h"
#include "io/one_line.h"
#include "io/shared_library.h"
#include "io/wait.h"

namespace mintmark::io::sql {
namespace {

/// The functions of libpq.so.5 that are used; their types are those of its header.
struct Libpq {
  decltype(&::PQconnectStartParams) connect_start = nullptr;
  decltype(&::PQconnectPoll) connect_poll = nullptr;
  decltype(&::PQstatus) status = nullptr;
  decltype(&::PQsocket) socket = nullptr;
  decltype(&::PQerrorMessage) error_message = nullptr;
  decltype(&::PQfinish) finish = nullptr;
  decltype(&::PQsetnonblocking) set_nonblocking = nullptr;
  decltype(&::PQsetNoticeReceiver) set_notice_receiver = nullptr;
  decltype(&::PQsendQueryParams) send_query = nullptr;
  decltype(&::PQflush) flush = nullptr;
  decltype(&::PQconsumeInput) consume_input = nullptr;
  decltype(&::PQisBusy) is_busy = nullptr;
  decltype(&::PQgetResult) get_result = nullptr;
  decltype(&::PQresultStatus) result_status = nullptr;
  decltype(&::PQresultErrorField) error_field = nullptr;
  decltype(&::PQntuples) row_count = nullptr;
  decltype(&::PQnfields) column_count = nullptr;
  decltype(&::PQgetisnull) is_null = nullptr;
  decltype(&::PQgetvalue) value = nullptr;
  decltype(&::PQgetlength) length = nullptr;
  decltype(&::PQcmdTuples) changed_rows = nullptr;
  decltype(&::PQclear) clear = nullptr;
  std::optional<std::string> missing;
};

Libpq load() {
  Libpq pq;
  SharedLibrary library{"libpq.so.5", "libpq5"};
  library.find("PQconnectStartParams", pq.connect_start);
  library.find("PQconnectPoll", pq.connect_poll);
  library.find("PQstatus", pq.status);
  library.find("PQsocket", pq.socket);
  library.find("PQerrorMessage", pq.error_message);
  library.find("PQfinish", pq.finish);
  library.find("PQsetnonblocking", pq.set_nonblocking);
  library.find("PQsetNoticeReceiver", pq.set_notice_receiver);
  library.find("PQsendQueryParams", pq.send_query);
  library.find("PQflush", pq.flush);
  library.find("PQconsumeInput", pq.consume_input);
  library.find("PQisBusy", pq.is_busy);
  library.find("PQgetResult", pq.get_result);
  library.find("PQresultStatus", pq.result_status);
  library.find("PQresultErrorField", pq.error_field);
  library.find("PQntuples", pq.row_count);
  library.find("PQnfields", pq.column_count);
  library.find("PQgetisnull", pq.is_null);
  library.find("PQgetvalue", pq.value);
  library.find("PQgetlength", pq.length);
  library.find("PQcmdTuples", pq.changed_rows);
  library.find("PQclear", pq.clear);
  pq.missing = library.missing();
  return pq;
}

const Libpq& libpq() {
  static const Libpq pq = load();
  return pq;
}

/// PostgreSQL documentation, appendix A: 42501 insufficient_privilege; 57014 query_canceled and 55P03
/// lock_not_available are what statement_timeout and lock_timeout give.
Trouble trouble_of(std::string_view state) {
  if (state == "42501") return Trouble::not_permitted;
  return state == "57014" || state == "55P03" ? Trouble::cancelled : Trouble::refused;
}

class PostgresConnection final : public Connection {
 public:
  PostgresConnection(PGconn* connection, std::string words)
      : connection_(connection), words_(std::move(words)) {}
  ~PostgresConnection() override { close(); }

  using Connection::query;
  SqlResult<Rows> query(const std::string& text, std::span<const Value> parameters,
                        BootInstant deadline) override {
    if (connection_ == nullptr || !guard_.same_process())
      return broken(Trouble::lost, "it was closed");
    std::vector<const char*> values;
    for (const Value& parameter : parameters) {
      // Sent as C strings: a NUL would cut the value.
      if (parameter && parameter->contains('\0')) {
        return std::unexpected(SqlFailure{Trouble::refused, "a NUL in a parameter", {}});
      }
      values.push_back(parameter ? parameter->c_str() : nullptr);
    }
    effect_ = {};
    if (text.contains('\0'))
      return std::unexpected(SqlFailure{Trouble::refused, "a NUL in SQL", {}});
    if (pq_.send_query(connection_, text.c_str(), static_cast<int>(values.size()), nullptr,
                       values.data(), nullptr, nullptr, 0) == 0) {
      return broken(Trouble::lost, pq_.error_message(connection_));
    }
    if (const auto sent = send_all(deadline); !sent) return std::unexpected(sent.error());
    return receive(deadline);
  }

  [[nodiscard]] Effect effect() const override { return effect_; }

  /// Drives the handshake to its end.
  SqlResult<void> finish_connecting(BootInstant deadline) {
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    while (next != PGRES_POLLING_OK) {
      if (next == PGRES_POLLING_FAILED) {
        return broken(Trouble::unreachable, pq_.error_message(connection_));
      }
      const short events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
      if (wait_until(pq_.socket(connection_), events, deadline) == 0) {
        return broken(Trouble::late, "no answer in time");
      }
      next = pq_.connect_poll(connection_);
    }
    // By itself the library writes notices to standard error.
    pq_.set_notice_receiver(
        connection_,
        [](void* self, const PGresult* notice) {
          static_cast<PostgresConnection*>(self)->take_notice(notice);
        },
        this);
    if (pq_.set_nonblocking(connection_, 1) != 0) {
      return broken(Trouble::unreachable, pq_.error_message(connection_));
    }
    return {};
  }

 private:
  /// The connection is of no use any more.
  std::unexpected<SqlFailure> broken(Trouble trouble, std::string_view why) {
    SqlFailure failure{trouble, fmt::format("{}: {}", words_, one_line(why)), {}};
    close();
    return std::unexpected(std::move(failure));
  }

  void close() {
    // In a forked child it would end the parent's session.
    if (connection_ != nullptr && guard_.same_process()) pq_.finish(connection_);
    connection_ = nullptr;
  }

  SqlResult<void> send_all(BootInstant deadline) {
    for (;;) {
      const int left = pq_.flush(connection_);
      if (left == 0) return {};
      if (left < 0) return broken(Trouble::lost, pq_.error_message(connection_));
      const short came = wait_until(pq_.socket(connection_), POLLIN | POLLOUT, deadline);
      if (came == 0) return broken(Trouble::late, "the statement was not taken in time");
      // A server that has much to say stops reading until it is heard.
      if ((came & POLLIN) != 0 && pq_.consume_input(connection_) == 0) {
        return broken(Trouble::lost, pq_.error_message(connection_));
      }
    }
  }

  SqlResult<Rows> receive(BootInstant deadline) {
    Rows rows;
    std::optional<SqlFailure> refusal;
    for (;;) {
      while (pq_.is_busy(connection_) != 0) {
        if (wait_until(pq_.socket(connection_), POLLIN, deadline) == 0) {
          return broken(Trouble::late, "no answer in time");
        }
        if (pq_.consume_input(connection_) == 0) {
          return broken(Trouble::lost, pq_.error_message(connection_));
        }
      }
      PGresult* result = pq_.get_result(connection_);
      if (result == nullptr) break;
      const ExecStatusType status = pq_.result_status(result);
      if (status == PGRES_TUPLES_OK) {
        take(result, rows);
      } else if (status == PGRES_COMMAND_OK) {
        effect_.rows = count_of(pq_.changed_rows(result));
      } else if (!refusal) {
        refusal = failure_of(result);
      }
      pq_.clear(result);
      // COPY speaks another protocol from here on.
      if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH) {
        return broken(Trouble::lost, "COPY is not for this connection");
      }
    }
    if (pq_.status(connection_) != CONNECTION_OK) {
      return broken(Trouble::lost, refusal ? refusal->detail : "the connection broke");
    }
    if (refusal) return std::unexpected(std::move(*refusal));
    return rows;
  }

  /// Empty for a statement that changes no rows.
  static std::uint64_t count_of(std::string_view text) {
    std::uint64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
  }

  void take_notice(const PGresult* notice) {
    const char* severity = pq_.error_field(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity != nullptr && std::string_view{severity} == "WARNING") effect_.warned = true;
  }

  void take(PGresult* result, Rows& rows) const {
    const int columns = pq_.column_count(result);
    for (int i = 0; i < pq_.row_count(result); ++i) {
      Row& row = rows.emplace_back();
      for (int j = 0; j < columns; ++j) {
        Value& value = row.emplace_back();
        if (pq_.is_null(result, i, j) != 0) continue;
        value.emplace(pq_.value(result, i, j), static_cast<std::size_t>(pq_.length(result, i, j)));
      }
    }
  }

  SqlFailure failure_of(const PGresult* result) const {
    const auto field = [&](int code) -> std::string {
      const char* text = pq_.error_field(result, code);
      return text == nullptr ? "" : text;
    };
    SqlFailure failure;
    failure.state = field(PG_DIAG_SQLSTATE);
    failure.trouble = trouble_of(failure.state);
    failure.detail = one_line(field(PG_DIAG_MESSAGE_PRIMARY));
    for (const int code : {PG_DIAG_MESSAGE_DETAIL, PG_DIAG_MESSAGE_HINT}) {
      if (const std::string more = field(code); !more.empty())
        failure.detail += "; " + one_line(more);
    }
    if (failure.detail.empty()) failure.detail = one_line(pq_.error_message(connection_));
    return failure;
  }

  const Libpq& pq_ = libpq();
  PGconn* connection_;
  std::string words_;
  Effect effect_;
  ForkGuard guard_;
};

}  // namespace

SqlResult<std::unique_ptr<Connection>> connect_postgres(const DatabaseUrl& url,
                                                        BootInstant deadline) {
  const Libpq& pq = libpq();
  if (pq.missing) return std::unexpected(SqlFailure{Trouble::no_library, *pq.missing, {}});
  const std::string port = url.port ? std::to_string(*url.port) : "";
  std::vector<const char*> keys;
  std::vector<const char*> values;
  const auto add = [&](const char* key, const std::string& value) {
    keys.push_back(key);
    values.push_back(value.c_str());
  };
  const std::string encoding = "UTF8";
  const std::string program = "mintmark";
  add("fallback_application_name", program);
  for (const auto& [key, value] : url.parameters) add(key.c_str(), value);
  if (!url.host.empty()) add("host", url.host);
  if (url.port) add("port", port);
  if (url.user) add("user", *url.user);
  if (url.password) add("password", *url.password);
  // Never as a connection string of its own (expand_dbname is 0): a name is a name.
  if (!url.database.empty()) add("dbname", url.database);
  add("client_encoding", encoding);
  keys.push_back(nullptr);
  values.push_back(nullptr);
  PGconn* raw = pq.connect_start(keys.data(), values.data(), 0);
  if (raw == nullptr) {
    return std::unexpected(SqlFailure{Trouble::unreachable, url.words() + ": no memory", {}});
  }
  auto connection = std::make_unique<PostgresConnection>(raw, url.words());
  if (pq.status(raw) == CONNECTION_BAD) {
    const std::string why = one_line(pq.error_message(raw));
    const bool wrong = why.starts_with("invalid ");
    return std::unexpected(SqlFailure{wrong ? Trouble::bad_url : Trouble::unreachable,
                                      fmt::format("{}: {}", url.words(), why),
                                      {}});
  }
  if (const auto done = connection->finish_connecting(deadline); !done) {
    return std::unexpected(done.error());
  }
  return connection;
}

}  // namespace mintmark::io::sql
