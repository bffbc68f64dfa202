// serve: gives IDs to others until it is told to stop.
#include <array>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <stop_token>
#include <thread>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/readiness.h"
#include "cli/settings.h"
#include "cli/words.h"
#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mint/mint.h"
#include "mint/request.h"
#include "server/server.h"
#include "store/store.h"

namespace mintmark::cli {
namespace {

/// A store that was lost and made anew holds claims back for H_max, 10 s (protocol 2.2); so long, and a
/// little more, a start may take before the service goes on and answers NotReady.
constexpr Duration kReadyDeadline = std::chrono::seconds{12};
/// Between two looks whether the service was stopped meanwhile.
constexpr Duration kGlance = std::chrono::milliseconds{50};

OrExit<server::ServerOptions> server_options(const Arguments& arguments,
                                             const mint::Config& config) {
  server::ServerOptions options;
  options.http = arguments.value("http").value_or(config.http);
  options.resp = arguments.value("resp").value_or(config.resp);
  options.threads = config.threads;
  options.version = MINTMARK_VERSION;
  if (const auto text = arguments.value("threads")) {
    const auto [end, error] =
        std::from_chars(text->data(), text->data() + text->size(), options.threads);
    if (error != std::errc{} || end != text->data() + text->size() || options.threads > 256) {
      return std::unexpected(usage_error(fmt::format("--threads: '{}' is not in 0 to 256", *text)));
    }
  }
  return options;
}

OrExit<std::unique_ptr<mint::Mint>> open_mint(const Settings& settings) {
  const auto url = store_url(settings);
  if (!url) return std::unexpected(url.error());
  mint::MintOptions options{
      .spaces = settings.config.spaces,
      .open_store = store_opener(settings, *url),
      .observer = [](std::string_view space,
                     std::string_view words) { say(fmt::format("space '{}': {}", space, words)); },
  };
  auto opened = mint::Mint::open(std::move(options), io::os_clock(), io::os_entropy());
  if (!opened) return std::unexpected(report(opened.error()));
  return std::move(*opened);
}

/// The name of the first space of a scheme, for commands to paste.
std::string first_of(const mint::Mint& mint, std::string_view scheme) {
  for (const auto& space : mint.spaces()) {
    if (space->config().scheme() == scheme) return std::string{space->name()};
  }
  return std::string{mint.spaces().front()->name()};
}

/// "127.0.0.1:6380" as the options of redis-cli.
std::string redis_address(const std::string& address) {
  constexpr std::string_view kUnix = "unix:";
  if (address.starts_with(kUnix)) return "-s " + address.substr(kUnix.size());
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return fmt::format("-h {} -p {}", host, address.substr(colon + 1));
}

/// What a person can do now.
std::string invitation(const mint::Mint& mint, const server::Server& server,
                       std::string_view state) {
  const std::string& http = server.http_address();
  const std::string& resp = server.resp_address();
  std::string words = fmt::format("mintmark {} is {}: http {}, resp {}, {} spaces. Try:\n",
                                  MINTMARK_VERSION, state, http, resp, mint.spaces().size());
  if (http.starts_with("unix:")) {
    words +=
        fmt::format("  curl --unix-socket {} -X POST 'http://localhost/v1/spaces/{}/ids?count=3'\n",
                    http.substr(5), first_of(mint, "uuid7"));
  } else if (http != "off") {
    words += fmt::format("  curl -X POST 'http://{}/v1/spaces/{}/ids?count=3'\n", http,
                         first_of(mint, "uuid7"));
  }
  if (resp != "off") {
    words += fmt::format("  redis-cli {} MINT {} COUNT 3\n", redis_address(resp),
                         first_of(mint, "snowflake"));
  }
  const char* const given = std::getenv("MINTMARK_COMMAND");
  const std::string_view command = given == nullptr ? "mintmark" : given;
  return words + fmt::format("  {0} inspect $({0} new uuid7)\n", command);
}

/// Says what can be done now, as soon as every space has its first grant, while others are served already.
void greet(const mint::Mint& mint, const server::Server& server, const std::stop_token& stop) {
  const BootInstant deadline = io::os_clock().boot() + kReadyDeadline;
  std::string_view state = "ready";
  for (const auto& space : mint.spaces()) {
    mint::SpaceHealth health;
    do {
      if (stop.stop_requested()) return;
      health = wait_ready(*space, std::min(deadline, io::os_clock().boot() + kGlance));
    } while (!health.ready && io::os_clock().boot() < deadline);
    if (health.ready) continue;
    state = "up, but not every space is ready";
    say(fmt::format("space '{}' is not ready: {}", space->name(),
                    words_of({trouble_of(health), health.detail})));
  }
  io::write_words(invitation(mint, server, state));
}

int run(const Arguments& arguments) {
  const auto settings = load_settings(arguments);
  if (!settings) return settings.error();
  const auto options = server_options(arguments, settings->config);
  if (!options) return options.error();
  for (const LayoutRemark& remark : layout_remarks(settings->config, io::wall_now())) {
    say(remark.words);
    if (remark.ended) return kUsage;
  }
  auto mint = open_mint(*settings);
  if (!mint) return mint.error();
  auto server = server::Server::open(**mint, *options);
  if (!server) return report(server.error());
  for (const std::string& warning : (*server)->warnings()) say(warning);
  {
    const std::jthread greeter{[&](const std::stop_token& stop) { greet(**mint, **server, stop); }};
    (*server)->run();
  }
  (*mint)->close();
  say("stopped");
  return kDone;
}

constexpr std::array kOptions{
    kConfigOption,
    kStoreOption,
    kAllowUnsafeOption,
    Option{"http", "", "ADDR",
           "HTTP and JSON: HOST:PORT, unix:PATH or off; default 127.0.0.1:8080"},
    Option{"resp", "", "ADDR", "the protocol of Redis; default 127.0.0.1:6380"},
    Option{"threads", "", "N", "default one a core"},
};
constexpr std::array kExamples{
    Example{"mintmark serve", "the default spaces on 127.0.0.1"},
    Example{"mintmark serve --http off --resp 127.0.0.1:6380", "one protocol only"},
    Example{"mintmark serve --store sqlite:data/ids.db --config mintmark.toml",
            "own spaces, own file"},
};

}  // namespace

const Command kServe{
    .name = "serve",
    .summary = "gives IDs to others by HTTP and by the protocol of Redis",
    .operands = "",
    .fewest_operands = 0,
    .most_operands = 0,
    .options = kOptions,
    .examples = kExamples,
    .notes = "SIGTERM and SIGINT end it: what was read is answered first, for at most 5 s.\n",
    .run = run,
};

}  // namespace mintmark::cli
