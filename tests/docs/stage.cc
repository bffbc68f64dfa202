#include "docs/stage.h"

#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace mintmark::docs {
namespace {

namespace fs = std::filesystem;

// A block that hangs is a problem of its page, not of the whole test program.
constexpr const char* kBlockLimit = "300";
constexpr int kServerTries = 1'200;
constexpr std::chrono::milliseconds kServerPause{100};

constexpr std::string_view kHttpPort = "8080";  // as pages have it: the defaults
constexpr std::string_view kRespPort = "6380";

void write(const fs::path& path, std::string_view text) {
  std::ofstream{path, std::ios::binary} << text;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

bool starts_server(const Block& block) {
  const std::string_view line = first_line(block.text);
  return line == "./run" || line == "mintmark serve" || line.starts_with("mintmark serve ") ||
         line.starts_with("./run serve");
}

/// A block is one command if each line but the last goes on in the next.
bool is_one_command(std::string_view text) {
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1)) {
    if (at == 0 || text[at - 1] != '\\') return false;
  }
  return true;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Replaces a number where it stands whole.
std::string replace_number(std::string text, std::string_view number, const std::string& by) {
  for (std::size_t at = text.find(number); at != std::string::npos; at = text.find(number, at)) {
    const std::size_t end = at + number.size();
    const bool begins = at == 0 || !is_digit(text[at - 1]);
    const bool whole = begins && (end == text.size() || !is_digit(text[end]));
    if (whole) text.replace(at, number.size(), by);
    at += whole ? by.size() : number.size();
  }
  return text;
}

/// The port behind `word`, which the server says as `http 127.0.0.1:43817,`.
std::string port_behind(std::string_view words, std::string_view word) {
  const std::size_t at = words.find(word);
  if (at == std::string_view::npos) return {};
  const std::string_view address = words.substr(at, words.find(',', at) - at);
  const std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view port = address.substr(colon + 1);
  const bool number = port.find_first_not_of("0123456789") == std::string_view::npos;
  return number ? std::string{port} : std::string{};
}

std::string quoted(std::string_view title, std::string_view text) {
  if (text.empty()) return {};
  std::string words = "\n--- " + std::string{title} + "\n" + std::string{text};
  if (!words.ends_with('\n')) words += '\n';
  return words;
}

}  // namespace

Stage::Stage() : page_folder_(folder_ / "page") {
  for (const char* name : {"bin", "home", "state", "temp", "page"})
    fs::create_directory(folder_ / name);
  fs::create_symlink(MINTMARK_BINARY, folder_ / "bin" / "mintmark");
  write(page_folder_ / "run", "#!/usr/bin/env bash\nexec mintmark \"$@\"\n");
  fs::permissions(page_folder_ / "run", fs::perms::owner_all);
  // An error of the service is an error of the page: neither client says so by itself.
  write(folder_ / "home" / ".curlrc", "fail\n");
  write(folder_ / "bin" / "redis-cli",
        "#!/usr/bin/env bash\nPATH=${PATH#*:}\nexec redis-cli -e \"$@\"\n");
  fs::permissions(folder_ / "bin" / "redis-cli", fs::perms::owner_all);
}

Stage::~Stage() = default;

std::vector<std::string> Stage::shell(const std::string& script) const {
  const char* path = std::getenv("PATH");
  return {"env",
          "-C",
          page_folder_.string(),
          "-u",
          "MINTMARK_STORE",
          "-u",
          "MINTMARK_CONFIG",
          "-u",
          "XDG_CONFIG_HOME",
          "HOME=" + (folder_ / "home").string(),
          "XDG_STATE_HOME=" + (folder_ / "state").string(),
          "TMPDIR=" + (folder_ / "temp").string(),
          "PATH=" + (folder_ / "bin").string() + ":" + (path != nullptr ? path : "/usr/bin:/bin"),
          "bash",
          "-euo",
          "pipefail",
          "-c",
          "exec </dev/null\n" + script};
}

Stage::Ran Stage::run(const std::vector<std::string>& words) {
  const fs::path out = folder_ / "out";
  const fs::path err = folder_ / "err";
  fs::remove(out);
  fs::remove(err);
  std::vector<std::string> limited{"timeout", "--kill-after=10", kBlockLimit};
  limited.insert(limited.end(), words.begin(), words.end());
  const int code = fleet::run(limited, out, err);
  return {code, fleet::contents(out), fleet::contents(err)};
}

std::vector<std::string> Stage::play(const Page& page) {
  path_ = page.path;
  problems_.clear();
  for (const Block& block : page.blocks) play(block);
  stop_server();
  return std::move(problems_);
}

void Stage::play(const Block& block) {
  static constexpr std::array<std::string_view, 5> kToRead{"", "text", "console", "json", "tsv"};
  if (block.exact) return compare(block);
  has_last_ = false;
  if (block.language == "sh") return play_shell(block);
  if (block.language == "cpp") return play_cpp(block);
  if (block.language == "c") return play_c(block);
  if (block.language == "toml") return play_toml(block);
  for (const std::string_view language : kToRead) {
    if (block.language == language) return;
  }
  problem(block,
          "a fence is marked sh, cpp, c, toml, text, console, json, tsv or not at all; this one '" +
              block.language + "' would not be tested");
}

void Stage::play_shell(const Block& block) {
  if (starts_server(block)) return start_server(block);
  check(block, run(shell(with_real_ports(block.text))));
}

void Stage::play_cpp(const Block& block) {
  if (block.text.find("int main") == std::string::npos) return;
  write(page_folder_ / "example.cc", block.text);
  play_program(block, "g++ -std=c++23 -Wall -Wextra -Werror example.cc");
}

void Stage::play_c(const Block& block) {
  if (block.text.find("int main") == std::string::npos) return;
  write(page_folder_ / "example.c", block.text);
  play_program(block, "gcc -std=c89 -pedantic -Wall -Wextra -Werror example.c");
}

void Stage::play_program(const Block& block, const std::string& compile) {
  const fs::path library{MINTMARK_LIBRARY_FILE};
  const std::string folder = library.parent_path().string();
  const Ran compiled =
      run(shell(compile + " -o example -I '" MINTMARK_SOURCE_DIR "/include' -Wl,--as-needed '" +
                library.string() + "' -Wl,-rpath,'" + folder + "'"));
  if (compiled.code != 0) return check(block, compiled);
  check(block, run(shell("./example")));
}

void Stage::play_toml(const Block& block) {
  if (first_line(block.text) != "# mintmark.toml") return;
  write(page_folder_ / "mintmark.toml", block.text);
  check(block, run(shell("mintmark config check mintmark.toml")));
}

void Stage::compare(const Block& block) {
  if (!has_last_) {
    problem(block, "an output that is printed exactly stands behind the block that prints it");
  } else if (last_.out != block.text) {
    problem(block, "another output than the page says" + quoted("page", block.text) +
                       quoted("output", last_.out));
  }
  has_last_ = false;
}

void Stage::start_server(const Block& block) {
  stop_server();
  if (!is_one_command(block.text)) {
    return problem(block,
                   "a block that starts a server holds nothing else: it would wait for its end");
  }
  std::string command = block.text;
  if (command.starts_with("./run serve")) {
    command.replace(0, 5, "mintmark");
  } else if (command.starts_with("./run")) {
    command.replace(0, 5, "mintmark serve");
  }
  while (command.ends_with('\n')) command.pop_back();
  command = replace_number(replace_number(std::move(command), kHttpPort, "0"), kRespPort, "0");
  for (const std::string option : {"--http", "--resp"}) {
    if (command.find(option) == std::string::npos) command += " " + option + " 127.0.0.1:0";
  }
  const fs::path log = folder_ / "serve.log";
  fs::remove(log);
  server_ = std::make_unique<fleet::Process>(shell("exec " + command), log, log);
  server_block_ = block;
  for (int tries = 0; tries < kServerTries; ++tries) {
    const std::string words = fleet::contents(log);
    const std::size_t ready = words.find("is ready: ");
    if (ready != std::string::npos && words.find('\n', ready) != std::string::npos) {
      http_port_ = port_behind(std::string_view{words}.substr(ready), "http ");
      resp_port_ = port_behind(std::string_view{words}.substr(ready), "resp ");
      return;
    }
    if (server_->over()) break;
    fleet::rest(kServerPause);
  }
  problem(block, "the server does not become ready" + quoted("its words", fleet::contents(log)));
  server_.reset();
}

void Stage::stop_server() {
  if (!server_) return;
  server_->signal(SIGTERM);
  const int code = server_->wait();
  if (code != 0) {
    problem(server_block_, "the server ended with " + std::to_string(code) +
                               quoted("its words", fleet::contents(folder_ / "serve.log")));
  }
  server_.reset();
  http_port_.clear();
  resp_port_.clear();
}

void Stage::check(const Block& block, const Ran& ran) {
  last_ = ran;
  has_last_ = ran.code == 0;
  if (ran.code == 0) return;
  problem(block, "exit code " + std::to_string(ran.code) + quoted("block", block.text) +
                     quoted("output", ran.out) + quoted("errors", ran.err));
}

void Stage::problem(const Block& block, const std::string& words) {
  problems_.push_back(path_ + ":" + std::to_string(block.line) + ": " + words);
}

std::string Stage::with_real_ports(const std::string& text) const {
  std::string real = text;
  if (!http_port_.empty()) real = replace_number(std::move(real), kHttpPort, http_port_);
  if (!resp_port_.empty()) real = replace_number(std::move(real), kRespPort, resp_port_);
  return real;
}

std::vector<std::string> broken_links(const Page& page, const std::filesystem::path& root) {
  std::vector<std::string> problems;
  for (const Link& link : page.links) {
    if (fs::exists(root / fs::path{page.path}.parent_path() / link.target)) continue;
    problems.push_back(page.path + ":" + std::to_string(link.line) + ": the link to " +
                       link.target + " leads nowhere");
  }
  return problems;
}

}  // namespace mintmark::docs
