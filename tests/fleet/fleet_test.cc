// A fleet on one store: servers and commands that are killed, stopped and started again while they mint.
// All that they gave out goes through `mintmark verify`.
#include <atomic>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "fleet/process.h"
#include "fleet/resp_client.h"
#include "mintmark/scheme/snowflake.h"

namespace mintmark::fleet {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const std::string kBinary = MINTMARK_BINARY;

/// One server, restarted at will on the same port, and a client that mints from it all the time. What the
/// client got in complete replies is in a file.
class Server {
 public:
  Server(std::string store, std::filesystem::path ids)
      : store_(std::move(store)), ids_(std::move(ids)) {
    start();
    client_ = std::jthread{[this](const std::stop_token& stop) { mint_until(stop); }};
  }
  ~Server() { client_ = {}; }

  void start() {
    process_ = std::make_unique<Process>(
        std::vector<std::string>{kBinary, "serve", "--store", store_, "--http", "off", "--resp",
                                 "127.0.0.1:" + std::to_string(port_), "--threads", "1"},
        "/dev/null", ids_.string() + ".log");
  }
  void kill_and_start_again() {
    process_->signal(SIGKILL);
    process_->wait();
    start();
  }
  void signal(int number) const { process_->signal(number); }
  int stop() {
    client_ = {};
    process_->signal(SIGTERM);
    return process_->wait();
  }
  [[nodiscard]] std::size_t minted() const { return minted_; }
  [[nodiscard]] std::string log() const { return contents(ids_.string() + ".log"); }

 private:
  void mint_until(const std::stop_token& stop) {
    std::ofstream out{ids_, std::ios::binary};
    while (!stop.stop_requested()) {
      RespClient client{port_};
      while (client.connected() && !stop.stop_requested()) {
        const auto ids = client.mint("snowflake", 500);
        if (!ids) {
          rest(milliseconds{5});
          continue;
        }
        for (const std::string& id : *ids) out << id << '\n';
        minted_ += ids->size();
      }
      rest(milliseconds{20});
    }
  }

  std::string store_;
  std::filesystem::path ids_;
  std::uint16_t port_ = free_port();
  std::unique_ptr<Process> process_;
  std::atomic<std::size_t> minted_{0};
  std::jthread client_;
};

bool wait_for(const Server& server, std::size_t more) {
  const std::size_t target = server.minted() + more;
  for (int i = 0; i < 2'000 && server.minted() < target; ++i) rest(milliseconds{10});
  return server.minted() >= target;
}

std::vector<std::string> new_command(const std::string& store) {
  return {kBinary, "new", "snowflake", "-n", "5000000", "--store", store};
}

TEST(Fleet, KilledStoppedAndRestartedProcessesRepeatNothing) {
  const Folder folder;
  std::vector<std::filesystem::path> files;
  const auto file = [&](const std::string& name) { return files.emplace_back(folder / name); };
  Server killed{folder.store(), file("killed.ids")};
  Server stopped{folder.store(), file("stopped.ids")};
  Server steady{folder.store(), file("steady.ids")};
  for (const Server* server : {&killed, &stopped, &steady}) {
    ASSERT_TRUE(wait_for(*server, 10'000)) << server->log();
  }

  stopped.signal(SIGSTOP);
  std::vector<std::unique_ptr<Process>> commands;
  for (int i = 0; i < 4; ++i) {
    commands.push_back(std::make_unique<Process>(
        new_command(folder.store()), file("new" + std::to_string(i) + ".ids"), folder / "new.log"));
  }
  rest(milliseconds{500});
  killed.kill_and_start_again();
  commands[0]->signal(SIGKILL);
  EXPECT_EQ(commands[0]->wait(), 128 + SIGKILL);
  commands[0] =
      std::make_unique<Process>(new_command(folder.store()), file("again.ids"), folder / "new.log");
  for (auto& command : commands) EXPECT_EQ(command->wait(), 0) << contents(folder / "new.log");
  EXPECT_TRUE(wait_for(killed, 10'000)) << killed.log();

  rest(seconds{11});  // longer than a window
  stopped.signal(SIGCONT);
  EXPECT_TRUE(wait_for(stopped, 10'000)) << stopped.log();
  EXPECT_TRUE(wait_for(steady, 10'000)) << steady.log();
  EXPECT_EQ(killed.stop(), 0);
  EXPECT_EQ(stopped.stop(), 0);
  EXPECT_EQ(steady.stop(), 0);

  std::vector<std::string> verify{kBinary, "verify"};
  for (const auto& path : files) {
    drop_torn_line(path);
    verify.push_back(path);
  }
  EXPECT_EQ(run(verify, folder / "verify.out", folder / "verify.err"), 0)
      << contents(folder / "verify.out") << contents(folder / "verify.err");
  const std::string report = contents(folder / "verify.out");
  EXPECT_NE(report.find("duplicates"), std::string::npos) << report;
  std::cout << report;
}

/// A process that has a slot and keeps it.
class Holder {
 public:
  Holder(const Folder& folder, int number, std::vector<std::string> more = {})
      : line_(folder / ("pipe" + std::to_string(number))),
        process_(words(folder, std::move(more)), line_.path(), folder / "err") {}
  std::string id() { return line_.wait(); }

 private:
  static std::vector<std::string> words(const Folder& folder, std::vector<std::string> more) {
    more.insert(more.begin(),
                {kBinary, "new", "snowflake", "-n", "inf", "--store", folder.store()});
    return more;
  }

  FirstLine line_;
  Process process_;
};

TEST(Fleet, SixtyFourProcessesAtOnceOnAnEmptyStoreHaveSixtyFourSlots) {
  const Folder folder;
  std::vector<std::unique_ptr<Holder>> holders;
  for (int i = 0; i < 64; ++i) holders.push_back(std::make_unique<Holder>(folder, i));
  std::set<std::uint64_t> slots;
  for (const auto& holder : holders) {
    const auto id = TwitterId::parse(holder->id());
    ASSERT_TRUE(id.has_value()) << contents(folder / "err");
    slots.insert(id->unpack().slot);
  }
  EXPECT_EQ(slots.size(), 64u);
}

TEST(Fleet, APinnedWorkerThatIsInUseFailsFast) {
  const Folder folder;
  Holder holder{folder, 0, {"--worker", "7"}};
  ASSERT_TRUE(TwitterId::parse(holder.id()).has_value()) << contents(folder / "err");
  const auto new_pinned = [&](const std::string& worker) {
    return run({kBinary, "new", "snowflake", "--worker", worker, "--store", folder.store()},
               folder / "out", folder / "err");
  };
  EXPECT_EQ(new_pinned("7"), 75);
  EXPECT_EQ(contents(folder / "out"), "");
  EXPECT_NE(contents(folder / "err").find("SlotTaken"), std::string::npos)
      << contents(folder / "err");
  EXPECT_EQ(new_pinned("8"), 0) << contents(folder / "err");
}

}  // namespace
}  // namespace mintmark::fleet
