// A real server in this process, on free ports, over a mint with a store in memory; and a client that is
// nothing but a socket.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mint/mint.h"
#include "server/server.h"
#include "store/store.h"

namespace mintmark::server {

/// As `spaces`, each with a name of its own, plus `slow`: 256 IDs in 10 ms, for which callers wait, and
/// `strict`: the same, but nobody waits.
inline std::vector<mint::SpaceConfig> test_spaces() {
  auto spaces = mint::default_spaces();
  mint::SnowflakeConfig slow;
  slow.layout = layouts::sonyflake;
  spaces.push_back({.name = "slow", .kind = slow});
  slow.wait_full = Duration::zero();
  spaces.push_back({.name = "strict", .kind = slow});
  return spaces;
}

class RunningServer {
 public:
  explicit RunningServer(ServerOptions options = {}) {
    const Clock& clock = io::os_clock();
    // Its own store: the memory of one name is one store for the whole process.
    static int stores = 0;
    const std::string url = "memory:server" + std::to_string(++stores);
    auto opened = mint::Mint::open(
        {.spaces = test_spaces(),
         .open_store =
             [url, &clock](BootInstant deadline) { return store::open(url, {clock}, deadline); },
         .observer = {}},
        clock, io::os_entropy());
    if (!opened) {
      ADD_FAILURE() << opened.error().detail;
      std::abort();
    }
    mint_ = std::move(*opened);
    for (const auto& space : mint_->spaces()) {
      for (int i = 0; i < 20'000 && !space->health(clock.wall()).ready; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
      }
      EXPECT_TRUE(space->health(clock.wall()).ready) << space->name();
    }
    options.http = options.http == ServerOptions{}.http ? "127.0.0.1:0" : options.http;
    options.resp = options.resp == ServerOptions{}.resp ? "127.0.0.1:0" : options.resp;
    options.threads = options.threads == 0 ? 2 : options.threads;
    options.on_signal = OnSignal::ignore;
    options.version = "1.2.3";
    auto server = Server::open(*mint_, std::move(options));
    if (!server) {
      ADD_FAILURE() << server.error().detail;
      std::abort();
    }
    server_ = std::move(*server);
    thread_ = std::thread{[this] { server_->run(); }};
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  ~RunningServer() { stop(); }

  [[nodiscard]] Server& server() { return *server_; }
  [[nodiscard]] mint::Mint& mint() { return *mint_; }
  [[nodiscard]] static std::string port(const std::string& address) {
    return address.substr(address.rfind(':') + 1);
  }
  [[nodiscard]] std::string http_port() const { return port(server_->http_address()); }
  [[nodiscard]] std::string resp_port() const { return port(server_->resp_address()); }

  void stop() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }

 private:
  std::unique_ptr<mint::Mint> mint_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

/// A connection to 127.0.0.1. Nothing waits longer than 20 s.
class Wire {
 public:
  explicit Wire(const std::string& port)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  ~Wire() { ::close(socket_); }

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // closed by the server: what it said before is what a test looks at
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  void finish_sending() const { ::shutdown(socket_, SHUT_WR); }

  /// Exactly so many bytes, or fewer at the end.
  [[nodiscard]] std::string read(std::size_t size) const {
    std::string text;
    while (text.size() < size && append(text, size - text.size())) {
    }
    return text;
  }
  /// Up to and with `end`, which is the last that was sent.
  [[nodiscard]] std::string read_to(std::string_view end) const {
    std::string text;
    while (!text.ends_with(end) && append(text, 1)) {
    }
    return text;
  }
  [[nodiscard]] std::string read_all() const {
    std::string text;
    while (append(text, 64 * 1024)) {
    }
    return text;
  }
  /// What there is, at least a byte; nothing at the end.
  [[nodiscard]] std::string read_some() const {
    std::string text;
    append(text, 64UL * 1024);
    return text;
  }
  /// Whether there is anything to read now.
  [[nodiscard]] bool has_answer() const {
    pollfd ready{.fd = socket_, .events = POLLIN, .revents = 0};
    return ::poll(&ready, 1, 0) == 1;
  }
  [[nodiscard]] bool at_end() const {
    std::string text;
    return !append(text, 1) && text.empty();
  }

 private:
  bool append(std::string& text, std::size_t most) const {
    pollfd ready{.fd = socket_, .events = POLLIN, .revents = 0};
    constexpr int kPatienceMs = 20'000;
    if (::poll(&ready, 1, kPatienceMs) != 1) {
      ADD_FAILURE() << "no answer; so far: " << text.substr(0, 200);
      return false;
    }
    std::string piece(most, '\0');
    const auto got = ::recv(socket_, piece.data(), most, 0);
    if (got <= 0) return false;
    text.append(piece, 0, static_cast<std::size_t>(got));
    return true;
  }

  int socket_;
};

/// Output of a shell command, and its exit code.
struct Ran {
  std::string output;
  int code = 0;
};
inline Ran run(const std::string& command) {
  Ran ran;
  FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {.output = "popen failed", .code = -1};
  char piece[4096];
  for (std::size_t got = 0; (got = std::fread(piece, 1, sizeof piece, pipe)) > 0;) {
    ran.output.append(piece, got);
  }
  const int status = ::pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
  return ran;
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace mintmark::server
