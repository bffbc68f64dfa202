// Database servers of a test: PostgreSQL and MariaDB, each with its data in a temporary folder, its socket in
// the same place, and nobody else's data in reach. Stopped by process id when the object goes, and by the
// kernel if the test dies.
//
// To make an empty database takes seconds: the first test of a build does it, and leaves a copy beside the
// test programs for the others.
//
// Neither runs as root: there, the account that its package has made runs it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fleet/process.h"
#include "temp_folder.h"

namespace mintmark {

/// Whom a server answers beside its socket in the file system.
enum class Listen : std::uint8_t { socket, loopback };

/// A port of 127.0.0.1 that nobody listens on now.
inline int free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound = ::bind(descriptor, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(descriptor);
  if (!bound) std::abort();
  return ntohs(address.sin_port);
}

/// What a client program said.
struct SqlReply {
  int code = 0;
  std::string out;
  std::string err;
};

/// What both servers have in common: a folder, an account, a process. One thread at a time.
class DatabaseServer {
 public:
  DatabaseServer(const DatabaseServer&) = delete;
  DatabaseServer& operator=(const DatabaseServer&) = delete;
  virtual ~DatabaseServer() = default;

  /// Runs the server on the data that is there, and waits until it answers.
  void start() {
    launch();
    // Some of the processes of a server that was killed outlive it for a moment, and it does not start then.
    int launches = 1;
    for (int tries = 0; tries < 600; ++tries) {
      if (run("SELECT 1;\n").code == 0) return;
      if (process_->over() && ++launches > 20) break;
      if (process_->over()) launch();
      fleet::rest(std::chrono::milliseconds{100});
    }
    ADD_FAILURE() << "the database server does not start\n" << fleet::contents(log_path());
    std::abort();
  }
  /// Ends it in order, and waits for that.
  void stop() { end(stop_signal()); }
  /// Ends it as a loss of power does, but for what the kernel still holds.
  void kill() { end(SIGKILL); }
  /// SIGSTOP, SIGCONT and the like.
  void signal(int number) const { process_->signal(number); }

  /// The folder of the socket.
  [[nodiscard]] const std::string& folder() const { return folder_.path(); }
  /// Of 127.0.0.1, with Listen::loopback.
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string log() const { return fleet::contents(log_path()); }

  /// Hands a script to the engine's client program, which stops at the first error. Rows come out as lines,
  /// their columns with a tab between them.
  [[nodiscard]] SqlReply run(const std::string& script) const {
    std::ofstream{scripts_ / "script.sql", std::ios::binary} << script;
    const auto client = client_words(scripts_ / "script.sql");
    std::filesystem::remove(scripts_ / "out");
    std::filesystem::remove(scripts_ / "err");
    SqlReply reply;
    reply.code = fleet::run(client, scripts_ / "out", scripts_ / "err");
    reply.out = fleet::contents(scripts_ / "out");
    reply.err = fleet::contents(scripts_ / "err");
    return reply;
  }

 protected:
  /// `settings` are the engine's, as name=value.
  DatabaseServer(std::string account, Listen listen, std::vector<std::string> settings)
      : account_(std::move(account)),
        listen_(listen),
        settings_(std::move(settings)),
        port_(listen == Listen::loopback ? free_port() : 0) {
    if (::geteuid() != 0) return;
    const passwd* entry = ::getpwnam(account_.c_str());
    if (entry == nullptr || ::chown(folder().c_str(), entry->pw_uid, entry->pw_gid) != 0) {
      ADD_FAILURE() << "there is no account " << account_ << " to run the server";
      std::abort();
    }
  }

  /// Puts an empty database in place; `words` make one. `version` names what they make.
  void prepare(const std::string& version, const std::vector<std::string>& words) const {
    const auto place = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "servers";
    std::filesystem::create_directories(place);
    const int lock = ::open((place / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0 || ::flock(lock, LOCK_EX) != 0) std::abort();
    const auto fresh = place / (account_ + "-" + version);
    if (!std::filesystem::exists(fresh)) {
      must(as_account(words, "KILL"));
      std::filesystem::remove_all(place / "unfinished");
      must({"cp", "-a", data(), place / "unfinished"});
      std::filesystem::rename(place / "unfinished", fresh);
    } else {
      must({"cp", "-a", fresh, data()});
    }
    ::close(lock);
  }
  void end(int number) {
    if (!process_) return;
    process_->signal(number);
    process_->signal(SIGCONT);
    static_cast<void>(process_->wait());
    process_.reset();
  }
  void launch() {
    process_ = std::make_unique<fleet::Process>(as_account(server_words(), stop_name()), log_path(),
                                                log_path());
  }
  [[nodiscard]] Listen listen() const { return listen_; }
  [[nodiscard]] const std::vector<std::string>& settings() const { return settings_; }
  [[nodiscard]] std::string data() const { return folder() + "/data"; }
  [[nodiscard]] std::string log_path() const { return scripts_ / "log"; }

  [[nodiscard]] virtual std::vector<std::string> server_words() const = 0;
  [[nodiscard]] virtual std::vector<std::string> client_words(const std::string& script) const = 0;
  [[nodiscard]] virtual int stop_signal() const = 0;
  [[nodiscard]] virtual std::string stop_name() const = 0;

 private:
  void must(const std::vector<std::string>& words) const {
    if (fleet::run(words, scripts_ / "made", scripts_ / "made") == 0) return;
    ADD_FAILURE() << "the database could not be made\n" << fleet::contents(scripts_ / "made");
    std::abort();
  }

  /// The words behind which the account runs a program, which gets that signal when this thread ends.
  [[nodiscard]] std::vector<std::string> as_account(const std::vector<std::string>& words,
                                                    const std::string& signal) const {
    std::vector<std::string> all{"env", "-C", folder(), "setpriv", "--pdeathsig", signal};
    if (::geteuid() == 0)
      all.insert(all.end(), {"--reuid", account_, "--regid", account_, "--init-groups"});
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }

  TempFolder folder_;   ///< of the account
  TempFolder scripts_;  ///< of the test
  std::string account_;
  Listen listen_;
  std::vector<std::string> settings_;
  int port_;
  std::unique_ptr<fleet::Process> process_;
};

/// A server of the newest PostgreSQL that is installed. The user is postgres, without a password.
class PostgresServer final : public DatabaseServer {
 public:
  explicit PostgresServer(Listen listen = Listen::socket, std::vector<std::string> settings = {})
      : DatabaseServer("postgres", listen, std::move(settings)) {
    const std::string version = std::filesystem::path{programs()}.parent_path().filename().string();
    prepare(version, {programs() + "/initdb", "--pgdata", data(), "--username", "postgres",
                      "--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync"});
    start();
  }
  ~PostgresServer() override { stop(); }

  /// For client libraries.
  [[nodiscard]] std::string url(const std::string& database = "postgres",
                                const std::string& user = "postgres") const {
    return listen() == Listen::socket
               ? "postgresql:///" + database + "?user=" + user + "&host=" + folder()
               : "postgresql://" + user + "@127.0.0.1:" + std::to_string(port()) + "/" + database;
  }

 private:
  static std::string programs() {
    std::vector<std::filesystem::path> versions;
    const std::filesystem::path all{"/usr/lib/postgresql"};
    if (std::filesystem::exists(all)) {
      for (const auto& entry : std::filesystem::directory_iterator{all}) {
        if (std::filesystem::exists(entry.path() / "bin/postgres"))
          versions.push_back(entry.path());
      }
    }
    std::ranges::sort(versions, {},
                      [](const auto& path) { return std::stoi(path.filename().string()); });
    return versions.empty() ? "/usr/bin" : (versions.back() / "bin").string();
  }

  [[nodiscard]] std::vector<std::string> server_words() const override {
    std::vector<std::string> words{
        programs() + "/postgres",
        "-D",
        data(),
        "-k",
        folder(),
        "-p",
        std::to_string(listen() == Listen::socket ? 5432 : port()),
        "-c",
        listen() == Listen::socket ? "listen_addresses=" : "listen_addresses=127.0.0.1"};
    for (const std::string& setting : settings()) words.insert(words.end(), {"-c", setting});
    return words;
  }
  [[nodiscard]] std::vector<std::string> client_words(const std::string& script) const override {
    return {"env",
            "PGOPTIONS=",
            "psql",
            "-X",
            "-q",
            "-A",
            "-t",
            "-F",
            "\t",
            "-v",
            "ON_ERROR_STOP=1",
            "-f",
            script,
            "-d",
            "postgresql:///postgres?user=postgres&host=" + folder() +
                "&port=" + std::to_string(listen() == Listen::socket ? 5432 : port())};
  }
  [[nodiscard]] int stop_signal() const override { return SIGINT; }  // a fast shutdown
  [[nodiscard]] std::string stop_name() const override { return "INT"; }
};

/// A server of MariaDB. The user is root, without a password.
class MariadbServer final : public DatabaseServer {
 public:
  explicit MariadbServer(Listen listen = Listen::socket, std::vector<std::string> settings = {})
      : DatabaseServer("mysql", listen, std::move(settings)) {
    prepare("mariadb", {"mariadb-install-db", "--no-defaults", "--datadir=" + data(),
                        "--skip-test-db", "--auth-root-authentication-method=normal"});
    start();
  }
  ~MariadbServer() override { stop(); }

  [[nodiscard]] std::string socket() const { return folder() + "/mariadb.sock"; }
  /// For client libraries.
  [[nodiscard]] std::string url(const std::string& database = "",
                                const std::string& user = "root") const {
    return listen() == Listen::socket
               ? "mariadb://" + user + "@/" + database + "?host=" + socket()
               : "mariadb://" + user + "@127.0.0.1:" + std::to_string(port()) + "/" + database;
  }

 private:
  [[nodiscard]] std::vector<std::string> server_words() const override {
    std::vector<std::string> words{"mariadbd", "--no-defaults", "--datadir=" + data(),
                                   "--socket=" + socket(),
                                   "--pid-file=" + folder() + "/mariadb.pid"};
    if (listen() == Listen::socket) {
      words.emplace_back("--skip-networking");
    } else {
      words.emplace_back("--bind-address=127.0.0.1");
      words.push_back("--port=" + std::to_string(port()));
    }
    for (const std::string& setting : settings()) words.push_back("--" + setting);
    return words;
  }
  [[nodiscard]] std::vector<std::string> client_words(const std::string& script) const override {
    // From a file that is its input: of one that it was told to source it forgets the errors.
    return {"sh",
            "-c",
            "exec \"$@\" <'" + script + "'",
            "sh",
            "mariadb",
            "--no-defaults",
            "--batch",
            "--skip-column-names",
            "--socket=" + socket(),
            "--user=root"};
  }
  [[nodiscard]] int stop_signal() const override { return SIGTERM; }
  [[nodiscard]] std::string stop_name() const override { return "TERM"; }
};

}  // namespace mintmark
