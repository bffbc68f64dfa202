// A stage: a folder where the blocks of one page are played as a reader would type them.
//
// Commands run with the real binary first on the path, and with a home and a state folder of their own.
// `./run ARGS` is `mintmark ARGS`: what the script adds is a build. A block that starts a server is taken
// apart from the others: the server runs in the background on free ports, and the ports of the page
// become the real ones in the blocks behind it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "docs/page.h"
#include "fleet/process.h"

namespace mintmark::docs {

class Stage {
 public:
  Stage();
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// Plays every block of the page in its order and ends its server. Each string says one problem:
  /// `path:line: words`, and the output.
  [[nodiscard]] std::vector<std::string> play(const Page& page);

 private:
  struct Ran {
    int code = 0;
    std::string out;
    std::string err;
  };

  /// The words behind which a line for bash stands, in the surroundings of the stage.
  [[nodiscard]] std::vector<std::string> shell(const std::string& script) const;
  Ran run(const std::vector<std::string>& words);

  void play(const Block& block);
  void play_shell(const Block& block);
  void play_cpp(const Block& block);
  void play_c(const Block& block);
  /// Ends the compiler's command, which may use the headers and libmintmark, and runs what it made.
  void play_program(const Block& block, const std::string& compile);
  void play_toml(const Block& block);
  void compare(const Block& block);
  void start_server(const Block& block);
  void stop_server();
  void check(const Block& block, const Ran& ran);
  void problem(const Block& block, const std::string& words);
  [[nodiscard]] std::string with_real_ports(const std::string& text) const;

  fleet::Folder folder_;
  std::filesystem::path page_folder_;
  std::string path_;  ///< of the page, for problems
  std::vector<std::string> problems_;
  std::unique_ptr<fleet::Process> server_;
  Block server_block_;
  std::string http_port_;
  std::string resp_port_;
  Ran last_;  ///< of the block before, for what it "prints exactly"
  bool has_last_ = false;
};

/// Links of a page that lead nowhere, as problems. `root` is that of the tree.
[[nodiscard]] std::vector<std::string> broken_links(const Page& page,
                                                    const std::filesystem::path& root);

}  // namespace mintmark::docs
