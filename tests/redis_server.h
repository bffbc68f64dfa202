// A Redis of a test: a real redis-server with its data in a temporary folder and a Unix socket there, beside
// a port of 127.0.0.1 if one is asked for. Stopped by process id when the object goes, and by the kernel if
// the test dies.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>

#include "database_server.h"
#include "fleet/process.h"
#include "temp_folder.h"

namespace mintmark {

/// Where a Redis answers beside its Unix socket.
enum class RedisListen : std::uint8_t { socket, tcp, tls };

/// One thread at a time.
class RedisServer {
 public:
  /// What a store wants of it (docs/internals/protocol.md, 2.7).
  static std::vector<std::string> safe() { return {"appendonly yes", "appendfsync always"}; }

  /// `settings` are lines of redis.conf.
  explicit RedisServer(std::vector<std::string> settings = safe(),
                       RedisListen listen = RedisListen::socket)
      : listen_(listen),
        port_(listen == RedisListen::socket ? 0 : free_port()),
        settings_(std::move(settings)) {
    start();
  }
  ~RedisServer() { stop(); }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  /// Runs the server on the data that is there, and waits until it answers.
  void start() {
    process_ = std::make_unique<fleet::Process>(words(), log_path(), log_path());
    for (int tries = 0; tries < 600; ++tries) {
      const std::string answer = ask({"PING"});
      if (answer == "PONG" || answer.starts_with("NOAUTH")) return;
      if (process_->over()) break;
      fleet::rest(std::chrono::milliseconds{50});
    }
    ADD_FAILURE() << "redis-server does not start\n" << fleet::contents(log_path());
    std::abort();
  }
  /// Ends it in order, and waits for that.
  void stop() { end(SIGTERM); }
  /// Ends it as a loss of power does, but for what the kernel still holds.
  void kill() { end(SIGKILL); }
  /// SIGSTOP, SIGCONT and the like.
  void signal(int number) const { process_->signal(number); }

  [[nodiscard]] std::string socket() const { return folder_ / "redis.sock"; }
  [[nodiscard]] int port() const { return port_; }
  /// With more behind it: a database and parameters.
  [[nodiscard]] std::string url(const std::string& parameters = "") const {
    const std::string more = parameters.empty() ? "" : "&" + parameters;
    return "redis:///0?host=" + socket() + more;
  }

  /// What redis-cli prints for a command, without its last line end.
  [[nodiscard]] std::string ask(const std::vector<std::string>& command) const {
    std::vector<std::string> all{"env",   "-u", "REDISCLI_AUTH", "redis-cli",
                                 "--raw", "-s", socket()};
    all.insert(all.end(), command.begin(), command.end());
    static_cast<void>(std::filesystem::remove(folder_ / "out"));
    static_cast<void>(fleet::run(all, folder_ / "out", folder_ / "out"));
    std::string answer = fleet::contents(folder_ / "out");
    while (answer.ends_with('\n')) answer.pop_back();
    return answer;
  }

 private:
  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> all{"setpriv", "--pdeathsig", "KILL", "redis-server"};
    const auto add = [&](const std::string& line) {
      std::istringstream parts{"--" + line};
      for (std::string part; parts >> part;) all.push_back(part);
    };
    add("dir " + folder_.path());
    add("unixsocket " + socket());
    add("bind 127.0.0.1");
    add("repl-diskless-sync-delay 0");
    add("port " + std::to_string(listen_ == RedisListen::tcp ? port_ : 0));
    if (listen_ == RedisListen::tls) add("tls-port " + std::to_string(port_));
    for (const std::string& line : settings_) add(line);
    return all;
  }
  [[nodiscard]] std::string log_path() const { return folder_ / "log"; }

  void end(int number) {
    if (!process_) return;
    process_->signal(SIGCONT);
    // Redis forgets a SIGTERM that comes while it writes its first AOF.
    while (!process_->over()) {
      process_->signal(number);
      fleet::rest(std::chrono::milliseconds{20});
    }
    static_cast<void>(process_->wait());
    process_.reset();
  }

  TempFolder folder_;
  RedisListen listen_;
  int port_;
  std::vector<std::string> settings_;
  std::unique_ptr<fleet::Process> process_;
};

}  // namespace mintmark
