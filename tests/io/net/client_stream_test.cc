#include "io/net/client_stream.h"

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "child_process.h"
#include "database_server.h"
#include "io/os_clock.h"
#include "server_files.h"

namespace mintmark::io {
namespace {

using Cause = NetFailure::Cause;
using Proof = TlsOptions::Proof;
using Opened = std::unique_ptr<ClientStream>;

BootInstant ample() { return os_clock().boot() + std::chrono::minutes{1}; }

/// A socket that listens, on a port of 127.0.0.1 or on a path.
class Listener {
 public:
  Listener() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof name;
    listen_at(reinterpret_cast<sockaddr*>(&name), size);
    ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&name), &size);
    port_ = ntohs(name.sin_port);
  }
  explicit Listener(const std::string& path)
      : descriptor_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    path.copy(name.sun_path, sizeof name.sun_path - 1);
    listen_at(reinterpret_cast<sockaddr*>(&name), sizeof name);
  }
  ~Listener() { ::close(descriptor_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] int accept() const {
    return ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
  }

 private:
  void listen_at(const sockaddr* name, socklen_t size) const {
    EXPECT_EQ(::bind(descriptor_, name, size), 0);
    EXPECT_EQ(::listen(descriptor_, 8), 0);
  }

  int descriptor_;
  std::uint16_t port_ = 0;
};

/// Gives back what one client sends, until it ends.
void echo(const Listener& listener) {
  const int client = listener.accept();
  char piece[10'000];
  for (;;) {
    const auto size = ::recv(client, piece, sizeof piece, 0);
    if (size <= 0) break;
    EXPECT_EQ(::send(client, piece, static_cast<std::size_t>(size), MSG_NOSIGNAL), size);
  }
  ::close(client);
}

Opened opened(const std::string& host, std::uint16_t port,
              const std::optional<TlsOptions>& tls = {}) {
  auto stream = connect_stream(host, port, tls, ample());
  if (!stream) ADD_FAILURE() << stream.error().detail;
  return stream ? std::move(*stream) : nullptr;
}

NetFailure failure_to(const std::string& host, std::uint16_t port,
                      const std::optional<TlsOptions>& tls = {}) {
  auto stream = connect_stream(host, port, tls, ample());
  if (stream) ADD_FAILURE() << host << " did not fail";
  return stream ? NetFailure{} : stream.error();
}

/// Reads as many bytes as are expected.
std::string read(ClientStream& stream, std::size_t size) {
  std::string text;
  while (text.size() < size) {
    char piece[4096];
    const auto got = stream.read_some(piece, ample());
    if (!got) return text + " failed: " + got.error().detail;
    text.append(piece, *got);
  }
  return text;
}

std::string asked(ClientStream& stream, const std::string& words, std::size_t size) {
  const auto sent = stream.write_all(words, ample());
  return sent ? read(stream, size) : "failed: " + sent.error().detail;
}

/// That a silent peer holds a call until its deadline, and no longer.
void expect_late(const std::function<NetFailure(BootInstant)>& call) {
  const BootInstant before = os_clock().boot();
  const NetFailure failure = call(before + std::chrono::milliseconds{200});
  const Duration took = os_clock().boot() - before;
  EXPECT_EQ(failure.cause, Cause::late) << failure.detail;
  EXPECT_GE(took, std::chrono::milliseconds{200});
  EXPECT_LT(took, std::chrono::seconds{20});
}

NetFailure reading(ClientStream& stream, BootInstant deadline) {
  char byte = 0;
  const auto got = stream.read_some({&byte, 1}, deadline);
  return got ? NetFailure{Cause::unreachable, "it did not fail"} : got.error();
}

NetFailure writing(ClientStream& stream, std::string_view words, BootInstant deadline) {
  const auto sent = stream.write_all(words, deadline);
  return sent ? NetFailure{Cause::unreachable, "it did not fail"} : sent.error();
}

/// `openssl s_server`, which gives each line back from its end to its start; one client at a time.
class TlsServer {
 public:
  TlsServer(const ServerFiles& files, const std::vector<std::string>& more = {})
      : port_(static_cast<std::uint16_t>(free_port())) {
    std::vector<std::string> words{"setpriv",  "--pdeathsig",
                                   "KILL",     "openssl",
                                   "s_server", "-rev",
                                   "-accept",  "127.0.0.1:" + std::to_string(port_),
                                   "-cert",    files.certificate(),
                                   "-key",     files.key()};
    words.insert(words.end(), more.begin(), more.end());
    process_ = std::make_unique<fleet::Process>(words, folder_ / "log", folder_ / "log");
    for (int tries = 0; tries < 600; ++tries) {
      if (connect_stream("127.0.0.1", port_, {}, ample())) return;
      fleet::rest(std::chrono::milliseconds{20});
    }
    ADD_FAILURE() << "openssl s_server does not start\n" << fleet::contents(folder_ / "log");
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  TempFolder folder_;
  std::uint16_t port_;
  std::unique_ptr<fleet::Process> process_;
};

TlsOptions trusting(const std::string& authorities) {
  TlsOptions tls;
  tls.authorities = authorities;
  return tls;
}
TlsOptions showing(const std::string& certificate, const std::string& key) {
  TlsOptions tls;
  tls.proof = Proof::none;
  tls.certificate = certificate;
  tls.key = key;
  return tls;
}

struct Certified : ServerFiles {
  Certified() : ServerFiles("root") { make_certificate(); }
  [[nodiscard]] TlsOptions trusted() const { return trusting(certificate()); }
};

TEST(ClientStream, CarriesBytesOverTcpAndUnixSockets) {
  const TempFolder folder;
  const Listener tcp;
  const Listener local{folder / "socket"};
  std::string much;
  for (int i = 0; i < 300'000; ++i) much += static_cast<char>(i % 251);
  for (const auto& [listener, host] : {std::pair{&tcp, std::string{"127.0.0.1"}},
                                       {&tcp, "localhost"},
                                       {&local, folder / "socket"}}) {
    std::jthread server{[one = listener] { echo(*one); }};
    const Opened stream = opened(host, listener->port());
    ASSERT_TRUE(stream);
    EXPECT_EQ(asked(*stream, "a", 1), "a");
    EXPECT_TRUE(stream->write_all("", ample()));
    for (std::size_t at = 0; at < much.size(); at += 100'000) {
      const std::string piece = much.substr(at, 100'000);
      EXPECT_EQ(asked(*stream, piece, piece.size()), piece);
    }
  }
}

TEST(ClientStream, SaysWhyThereIsNoConnection) {
  const TempFolder folder;
  const auto port = static_cast<std::uint16_t>(free_port());
  const std::string where = "127.0.0.1:" + std::to_string(port);
  const NetFailure nobody = failure_to("127.0.0.1", port);
  EXPECT_EQ(nobody.cause, Cause::unreachable);
  EXPECT_EQ(nobody.detail, where + ": Connection refused");
  EXPECT_TRUE(failure_to("localhost", port).detail.contains("(127.0.0.1): Connection refused"));
  // A name that no resolver has to be asked for.
  const NetFailure unknown = failure_to(std::string(64, 'x') + ".invalid", port);
  EXPECT_EQ(unknown.cause, Cause::unreachable);
  EXPECT_TRUE(unknown.detail.contains("not known")) << unknown.detail;
  const NetFailure missing = failure_to(folder / "nowhere", 0);
  EXPECT_EQ(missing.cause, Cause::unreachable);
  EXPECT_EQ(missing.detail, folder / "nowhere" + ": No such file or directory");
  EXPECT_TRUE(failure_to("/" + std::string(200, 'x'), 0).detail.contains("too long"));
  EXPECT_TRUE(failure_to(folder / "nowhere", 0, TlsOptions{}).detail.contains("no name to prove"));
}

TEST(ClientStream, ReturnsByItsDeadline) {
  const Listener silent;
  const Opened stream = opened("127.0.0.1", silent.port());
  ASSERT_TRUE(stream);
  expect_late([&](BootInstant deadline) { return reading(*stream, deadline); });
  const std::string more(50'000'000, 'x');  // than the buffers of two sockets hold
  expect_late([&](BootInstant deadline) { return writing(*stream, more, deadline); });
  expect_late([&](BootInstant deadline) {
    const auto late = connect_stream("127.0.0.1", silent.port(), TlsOptions{}, deadline);
    return late ? NetFailure{} : late.error();
  });
}

TEST(ClientStream, NoticesThatThePeerHasGone) {
  const Listener listener;
  const Opened stream = opened("127.0.0.1", listener.port());
  ASSERT_TRUE(stream);
  ::close(listener.accept());
  EXPECT_EQ(reading(*stream, ample()).cause, Cause::lost);
  // The first write may still be taken; none brings a signal.
  NetFailure gone;
  for (int tries = 0; tries < 100 && gone.detail.empty(); ++tries) {
    const auto sent = stream->write_all("x", ample());
    if (!sent) gone = sent.error();
    fleet::rest(std::chrono::milliseconds{10});
  }
  EXPECT_EQ(gone.cause, Cause::lost);
  EXPECT_TRUE(gone.detail.contains("127.0.0.1:")) << gone.detail;
}

TEST(ClientStream, ProvesTheServerByItsCertificate) {
  const Certified files;
  const Certified others;
  const TlsServer server{files};
  for (const std::string host : {"127.0.0.1", "localhost"}) {
    const Opened stream = opened(host, server.port(), files.trusted());
    ASSERT_TRUE(stream);
    EXPECT_EQ(asked(*stream, "abc\n", 4), "cba\n");
    const std::string line(5'000, 'y');
    EXPECT_EQ(asked(*stream, line + "\n", line.size() + 1), line + "\n");
  }
  const NetFailure forged = failure_to("127.0.0.1", server.port(), others.trusted());
  EXPECT_EQ(forged.cause, Cause::unreachable);
  EXPECT_TRUE(forged.detail.contains("certificate verify failed: self-signed certificate"))
      << forged.detail;
  EXPECT_TRUE(
      failure_to("127.0.0.1", server.port(), TlsOptions{}).detail.contains("verify failed"));
  const Opened unproven = opened("localhost", server.port(), showing("", ""));
  ASSERT_TRUE(unproven);
  EXPECT_EQ(asked(*unproven, "abc\n", 4), "cba\n");
}

TEST(ClientStream, RefusesACertificateForAnotherName) {
  Certified files;
  files.make_certificate_for("DNS:elsewhere.example,IP:127.0.0.2");
  const TlsServer server{files};
  const TlsOptions tls = files.trusted();
  const NetFailure address = failure_to("127.0.0.1", server.port(), tls);
  EXPECT_EQ(address.cause, Cause::unreachable);
  EXPECT_TRUE(address.detail.contains("IP address mismatch")) << address.detail;
  const NetFailure name = failure_to("localhost", server.port(), tls);
  EXPECT_TRUE(name.detail.contains("hostname mismatch")) << name.detail;
}

TEST(ClientStream, NamesTheServerThatItWants) {
  const Certified first;
  const Certified second;
  const TlsServer server{
      first, {"-servername", "localhost", "-cert2", second.certificate(), "-key2", second.key()}};
  const Opened by_name = opened("localhost", server.port(), second.trusted());
  ASSERT_TRUE(by_name);
  EXPECT_EQ(asked(*by_name, "abc\n", 4), "cba\n");
}

TEST(ClientStream, ShowsItsOwnCertificate) {
  const Certified files;
  const Certified own;
  const TlsServer server{files,
                         {"-Verify", "1", "-verify_return_error", "-CAfile", own.certificate()}};
  TlsOptions tls = files.trusted();
  {
    // Under TLS 1.3 the server's refusal comes behind the client's part of the handshake.
    auto without = connect_stream("127.0.0.1", server.port(), tls, ample());
    const NetFailure refused = without ? reading(**without, ample()) : without.error();
    EXPECT_TRUE(refused.detail.contains("certificate required")) << refused.detail;
  }
  tls.certificate = own.certificate();
  tls.key = own.key();
  const Opened stream = opened("127.0.0.1", server.port(), tls);
  ASSERT_TRUE(stream);
  EXPECT_EQ(asked(*stream, "abc\n", 4), "cba\n");
}

TEST(ClientStream, SaysWhichFileIsOfNoUse) {
  const TempFolder folder;
  const Certified files;
  const Certified others;
  const Listener silent;
  EXPECT_EQ(fleet::run({"openssl", "pkey", "-in", files.key(), "-aes256", "-passout", "pass:secret",
                        "-out", folder / "locked"},
                       folder / "words"),
            0);
  const auto words = [&](const TlsOptions& tls) {
    return failure_to("127.0.0.1", silent.port(), tls).detail;
  };
  EXPECT_TRUE(words(trusting("/nowhere")).contains("trust /nowhere: "))
      << words(trusting("/nowhere"));
  EXPECT_TRUE(words(showing(files.key(), files.key())).contains("the certificate "));
  for (const std::string& key : {folder / "locked", others.key(), std::string{"/nowhere"}}) {
    const std::string said = words(showing(files.certificate(), key));
    EXPECT_TRUE(said.contains("the key " + key + ": ")) << said;
  }
}

TEST(ClientStream, RefusesOldTls) {
  const Certified files;
  const TlsServer server{files, {"-tls1_1", "-cipher", "ALL@SECLEVEL=0"}};
  const NetFailure old = failure_to("127.0.0.1", server.port(), files.trusted());
  EXPECT_EQ(old.cause, Cause::unreachable);
  EXPECT_TRUE(old.detail.contains("protocol version")) << old.detail;
}

TEST(ClientStream, OutlivesAChildThatDropsIt) {
  const Certified files;
  const TlsServer server{files};
  Opened stream = opened("127.0.0.1", server.port(), files.trusted());
  ASSERT_TRUE(stream);
  EXPECT_EQ(asked(*stream, "abc\n", 4), "cba\n");
  ChildProcess child{[&](int) {
    stream.reset();
    return 0;
  }};
  EXPECT_EQ(child.status(), 0);
  EXPECT_EQ(asked(*stream, "def\n", 4), "fed\n");
}

}  // namespace
}  // namespace mintmark::io
