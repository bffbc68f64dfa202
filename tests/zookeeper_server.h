// A ZooKeeper server of a test: Debian's own classes, run by java, with its data in a temporary folder and a
// port of 127.0.0.1. Stopped by process id when the object goes, and by the kernel if the test dies.
//
// Java takes a second to start: tests that do not spoil the data of others share one server (shared()).
// It never runs as root: there, nobody runs it.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fleet/process.h"
#include "temp_folder.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
/// The client library's thread that hands out answers may end before all requests of a handle that is closed
/// have theirs (mt_adaptor.c, do_completion); the library then forgets them, about 1 KB.
extern "C" inline __attribute__((used)) const char*
__lsan_default_suppressions() {  // NOLINT: its name
  return "leak:libzookeeper_mt.so\n";
}
#endif
#endif

namespace mintmark {

/// One thread at a time.
class ZookeeperServer {
 public:
  enum class Kind : std::uint8_t {
    alone,
    readable,  ///< one of three, the others never come; lets others read (readonlymode.enabled)
  };

  explicit ZookeeperServer(Kind kind = Kind::alone) : kind_(kind) {
    std::filesystem::create_directory(data());
    std::ofstream settings{folder_ / "settings"};
    settings << "dataDir=" << data() << "\nclientPort=" << port_
             << "\nclientPortAddress=127.0.0.1\ntickTime=2000\nmaxClientCnxns=0"
                "\nadmin.enableServer=false\n4lw.commands.whitelist=srvr\n";
    if (kind == Kind::readable) {
      settings << "initLimit=5\nsyncLimit=2\n";
      for (int i = 1; i <= 3; ++i) {
        settings << "server." << i << "=127.0.0.1:" << lasting_port() << ':' << lasting_port()
                 << '\n';
      }
      std::ofstream{data() + "/myid"} << "1\n";
    }
    settings.close();
    hand_over();
    start();
  }
  ZookeeperServer(const ZookeeperServer&) = delete;
  ZookeeperServer& operator=(const ZookeeperServer&) = delete;
  ~ZookeeperServer() { kill(); }

  /// The one of this test program, which lives until its end.
  static ZookeeperServer& shared() {
    static ZookeeperServer server;
    return server;
  }

  /// Runs the server on the data that is there, and waits until it says what it is.
  void start() {
    process_ = std::make_unique<fleet::Process>(words(), log_path(), log_path());
    const std::string_view mode = kind_ == Kind::alone ? "Mode: standalone" : "Mode: read-only";
    for (int tries = 0; tries < 1'200; ++tries) {
      if (status().contains(mode)) return;
      if (process_->over()) break;
      fleet::rest(std::chrono::milliseconds{50});
    }
    ADD_FAILURE() << "ZooKeeper does not start\n" << fleet::contents(log_path());
    std::abort();
  }
  /// Ends it in order, and waits for that.
  void stop() { end(SIGTERM); }
  /// Ends it as a loss of power does, but for what the kernel still holds.
  void kill() { end(SIGKILL); }
  /// It answers nothing from now on, and its connections stay open.
  void pause() const { process_->signal(SIGSTOP); }
  void resume() const { process_->signal(SIGCONT); }
  /// SIGSTOP, SIGCONT and the like, which take a moment.
  void signal(int number) const { process_->signal(number); }

  [[nodiscard]] int port() const { return port_; }
  /// Of snapshots and logs.
  [[nodiscard]] std::string data() const { return folder_ / "data"; }
  [[nodiscard]] const TempFolder& folder() const { return folder_; }

  /// What it answers to the four-letter word srvr; empty if nobody answers.
  [[nodiscard]] std::string status() const {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port_);
    const timeval patience{.tv_sec = 1, .tv_usec = 0};
    ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    std::string text;
    if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        ::send(descriptor, "srvr", 4, MSG_NOSIGNAL) == 4) {
      char piece[4096];
      for (ssize_t got = 0; (got = ::read(descriptor, piece, sizeof piece)) > 0;) {
        text.append(piece, static_cast<std::size_t>(got));
      }
    }
    ::close(descriptor);
    return text;
  }

 private:
  static constexpr const char* kClasses =
      "/usr/share/java/zookeeper.jar:/usr/share/java/slf4j-simple.jar";

  static sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
  }

  /// A free port that the kernel gives to nobody by itself (ip_local_port_range): a server that is killed
  /// and started again finds it free, and whoever connects in between does not meet himself there.
  static int lasting_port() {
    static int next = 20'000 + ::getpid() % 1'000 * 12;
    for (;;) {
      const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_in address = loopback(next);
      const bool free =
          ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
      ::close(descriptor);
      ++next;
      if (free) return next - 1;
      if (next > 32'000) std::abort();
    }
  }

  [[nodiscard]] std::string log_path() const { return logs_ / "log"; }

  void hand_over() const {
    if (::geteuid() != 0) return;
    const passwd* entry = ::getpwnam("nobody");
    if (entry == nullptr) std::abort();
    for (const std::string& path : {folder_.path(), data(), data() + "/myid"}) {
      static_cast<void>(::chown(path.c_str(), entry->pw_uid, entry->pw_gid));
    }
  }

  /// A small heap, and the compiler that starts fast.
  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> all{"env", "-C", folder_.path(), "setpriv", "--pdeathsig", "KILL"};
    if (::geteuid() == 0)
      all.insert(all.end(), {"--reuid", "nobody", "--regid", "nogroup", "--clear-groups"});
    all.insert(all.end(), {"java", "-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                           "-XX:-UsePerfData", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"});
    if (kind_ == Kind::readable) all.emplace_back("-Dreadonlymode.enabled=true");
    all.insert(all.end(), {"-cp", kClasses, "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                           folder_ / "settings"});
    return all;
  }

  void end(int number) {
    if (!process_) return;
    process_->signal(number);
    process_->signal(SIGCONT);
    static_cast<void>(process_->wait());
    process_.reset();
  }

  Kind kind_;
  TempFolder folder_;  ///< of the server
  TempFolder logs_;    ///< of the test
  int port_ = lasting_port();
  std::unique_ptr<fleet::Process> process_;
};

}  // namespace mintmark
