// etcd servers of a test: a cluster of one or of three members on ports of 127.0.0.1 that were free, each
// with its data in a temporary folder and every write on its disk. Stopped by process id when the object
// goes, and by the kernel if the test dies.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>

#include "database_server.h"
#include "fleet/process.h"
#include "io/net/service_url.h"
#include "temp_folder.h"

namespace mintmark {

struct EtcdOptions {
  std::size_t members = 1;
  std::vector<std::string> settings{};  ///< more words of each member's command line
  std::string certificate{};            ///< with it and a key, clients come over TLS
  std::string key{};
};

/// What etcdctl said.
struct EtcdReply {
  int code = 0;
  std::string out;
};

/// One thread at a time.
class EtcdServer {
 public:
  explicit EtcdServer(EtcdOptions options = {}) : options_(std::move(options)) {
    for (std::size_t i = 0; i < options_.members; ++i) {
      members_.push_back({.client = fresh_port(), .peer = fresh_port()});
    }
    start();
  }
  EtcdServer(const EtcdServer&) = delete;
  EtcdServer& operator=(const EtcdServer&) = delete;
  ~EtcdServer() {
    for (std::size_t i = 0; i < members_.size(); ++i) end(i, SIGKILL);
  }

  /// Runs all members on the data that is there, and waits until each of them answers.
  void start() {
    for (std::size_t i = 0; i < members_.size(); ++i) run(i);
    for (std::size_t i = 0; i < members_.size(); ++i) wait_for(i);
  }
  void start(std::size_t member) {
    run(member);
    wait_for(member);
  }
  /// In order, and as a loss of power does, but for what the kernel still holds.
  void stop(std::size_t member = 0) { end(member, SIGTERM); }
  void kill(std::size_t member = 0) { end(member, SIGKILL); }
  /// SIGSTOP, SIGCONT and the like.
  void signal(int number, std::size_t member = 0) const {
    members_[member].process->signal(number);
  }
  /// Forgets all data, so that the next start makes another cluster.
  void forget(const std::string& token) {
    for (std::size_t i = 0; i < members_.size(); ++i) std::filesystem::remove_all(data(i));
    token_ = token;
  }
  /// Words of the command line from the next start on.
  void set(std::vector<std::string> settings) { options_.settings = std::move(settings); }

  /// The URL of all members, apart.
  [[nodiscard]] io::ServiceUrl url(const std::string& prefix = "") const {
    io::ServiceUrl url;
    url.scheme = secure() ? "etcds" : "etcd";
    url.path = prefix;
    for (const Member& member : members_) url.hosts.push_back({"127.0.0.1", member.client});
    return url;
  }
  [[nodiscard]] std::uint16_t port(std::size_t member = 0) const { return members_[member].client; }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_ / name; }

  /// A member more, without a vote: it copies and serves nobody. Gives its number.
  std::size_t add_learner() {
    const std::size_t member = members_.size();
    members_.push_back({.client = fresh_port(), .peer = fresh_port()});
    const EtcdReply added = ctl({"member", "add", "m" + std::to_string(member), "--learner",
                                 "--peer-urls=" + peer_url(member)},
                                0);
    EXPECT_EQ(added.code, 0) << added.out;
    options_.settings.emplace_back("--initial-cluster-state=existing");
    run(member);
    return member;
  }

  /// Runs etcdctl with all members, or with one, as its endpoints.
  EtcdReply ctl(const std::vector<std::string>& words) const { return ctl_at(endpoints(), words); }
  EtcdReply ctl(const std::vector<std::string>& words, std::size_t member) const {
    return ctl_at(client_url(member), words);
  }

  /// Puts a snapshot that etcdctl saved in place of the data of the only member.
  void restore(const std::string& snapshot) {
    std::filesystem::remove_all(data(0));
    const EtcdReply restored =
        ctl_at("", {"snapshot", "restore", snapshot, "--data-dir", data(0), "--name", "m0",
                    "--initial-cluster", all_members(), "--initial-advertise-peer-urls",
                    peer_url(0), "--initial-cluster-token", token_});
    EXPECT_EQ(restored.code, 0) << restored.out;
  }

  /// The member that the others follow, as they say now.
  [[nodiscard]] std::size_t leader() const {
    for (int tries = 0; tries < 300; ++tries) {
      for (std::size_t i = 0; i < members_.size(); ++i) {
        if (!members_[i].process) continue;
        const auto reply = ctl({"endpoint", "status", "-w", "fields"}, i);
        const std::string member = field(reply.out, "MemberID");
        if (!member.empty() && member == field(reply.out, "Leader")) return i;
      }
      fleet::rest(std::chrono::milliseconds{50});
    }
    ADD_FAILURE() << "no member leads";
    return 0;
  }

 private:
  struct Member {
    std::uint16_t client = 0;
    std::uint16_t peer = 0;
    std::unique_ptr<fleet::Process> process{};
  };

  std::uint16_t fresh_port() {
    for (;;) {
      const auto port = static_cast<std::uint16_t>(free_port());
      if (std::ranges::find(ports_, port) != ports_.end()) continue;
      ports_.push_back(port);
      return port;
    }
  }

  [[nodiscard]] bool secure() const { return !options_.certificate.empty(); }
  [[nodiscard]] std::string data(std::size_t member) const {
    return folder_ / ("data" + std::to_string(member));
  }
  [[nodiscard]] std::string log(std::size_t member) const {
    return folder_ / ("log" + std::to_string(member));
  }
  [[nodiscard]] std::string client_url(std::size_t member) const {
    return (secure() ? "https://127.0.0.1:" : "http://127.0.0.1:") +
           std::to_string(members_[member].client);
  }
  [[nodiscard]] std::string peer_url(std::size_t member) const {
    return "http://127.0.0.1:" + std::to_string(members_[member].peer);
  }
  [[nodiscard]] std::string endpoints() const {
    std::string all;
    for (std::size_t i = 0; i < members_.size(); ++i) all += (i > 0 ? "," : "") + client_url(i);
    return all;
  }
  [[nodiscard]] std::string all_members() const {
    std::string all;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      all += (i > 0 ? ",m" : "m") + std::to_string(i) + "=" + peer_url(i);
    }
    return all;
  }

  /// The kernel ends it with this thread.
  void run(std::size_t member) {
    std::vector<std::string> words{"setpriv", "--pdeathsig", "KILL", "etcd"};
    const auto set = [&](const std::string& name, const std::string& value) {
      words.push_back("--" + name + "=" + value);
    };
    set("name", "m" + std::to_string(member));
    set("data-dir", data(member));
    set("listen-client-urls", client_url(member));
    set("advertise-client-urls", client_url(member));
    set("listen-peer-urls", peer_url(member));
    set("initial-advertise-peer-urls", peer_url(member));
    set("initial-cluster", all_members());
    set("initial-cluster-token", token_);
    if (secure()) {
      set("cert-file", options_.certificate);
      set("key-file", options_.key);
    }
    words.insert(words.end(), options_.settings.begin(), options_.settings.end());
    members_[member].process = std::make_unique<fleet::Process>(words, log(member), log(member));
  }
  void wait_for(std::size_t member) const {
    for (int tries = 0; tries < 300; ++tries) {
      // A user has to say who it is from when on there are users; the answer is enough.
      const EtcdReply reply = ctl({"endpoint", "health"}, member);
      if (reply.code == 0 || reply.out.contains("user name is empty")) return;
      if (members_[member].process->over()) break;
      fleet::rest(std::chrono::milliseconds{100});
    }
    ADD_FAILURE() << "etcd does not start\n" << fleet::contents(log(member));
    std::abort();
  }
  void end(std::size_t member, int number) {
    if (!members_[member].process) return;
    members_[member].process->signal(number);
    members_[member].process->signal(SIGCONT);
    static_cast<void>(members_[member].process->wait());
    members_[member].process.reset();
  }

  [[nodiscard]] EtcdReply ctl_at(const std::string& where,
                                 const std::vector<std::string>& words) const {
    std::vector<std::string> all{"env", "ETCDCTL_API=3", "etcdctl"};
    if (!where.empty()) all.push_back("--endpoints=" + where);
    if (secure()) all.push_back("--cacert=" + options_.certificate);
    all.insert(all.end(), words.begin(), words.end());
    std::filesystem::remove(file("ctl"));
    const int code = fleet::run(all, file("ctl"), file("ctl"));
    return {code, fleet::contents(file("ctl"))};
  }
  /// The value of a line `"Name" : value`.
  static std::string field(const std::string& text, const std::string& name) {
    const std::string start = "\"" + name + "\" : ";
    const std::size_t at = text.find(start);
    if (at == std::string::npos) return {};
    const std::size_t first = at + start.size();
    return text.substr(first, text.find('\n', first) - first);
  }

  EtcdOptions options_;
  TempFolder folder_;
  std::string token_ = "first";
  std::vector<std::uint16_t> ports_;
  std::vector<Member> members_;
};

}  // namespace mintmark
