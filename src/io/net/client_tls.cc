#include "io/net/client_tls.h"

#include <algorithm>
#include <climits>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>

#include "io/one_line.h"
#include "io/wait.h"

namespace mintmark::io {
namespace {

using Cause = NetFailure::Cause;

template <auto Free>
struct FreedBy {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Context = std::unique_ptr<SSL_CTX, FreedBy<SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, FreedBy<SSL_free>>;
using BioMethod = std::unique_ptr<BIO_METHOD, FreedBy<BIO_meth_free>>;

// The BIO of our own socket: OpenSSL's writes without MSG_NOSIGNAL, and a peer that is gone would end the
// process (BIO_s_socket(3) says nothing of it; its source calls write(2)).

const StreamSocket& socket_of(BIO* bio) { return *static_cast<StreamSocket*>(BIO_get_data(bio)); }

int moved_size(StreamSocket::Moved moved) {
  using State = StreamSocket::State;
  if (moved.state == State::moved) return static_cast<int>(moved.size);
  return moved.state == State::ended ? 0 : -1;
}

int bio_read(BIO* bio, char* to, int size) {
  BIO_clear_retry_flags(bio);
  const int moved = moved_size(socket_of(bio).read({to, static_cast<std::size_t>(size)}));
  if (moved < 0) BIO_set_retry_read(bio);
  return moved;
}

int bio_write(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const int moved = moved_size(socket_of(bio).write({bytes, static_cast<std::size_t>(size)}));
  if (moved < 0) BIO_set_retry_write(bio);
  return moved;
}

long bio_control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

const BIO_METHOD* socket_method() {
  static const BioMethod method = [] {
    BioMethod made{BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "client socket")};
    BIO_meth_set_read(made.get(), bio_read);
    BIO_meth_set_write(made.get(), bio_write);
    BIO_meth_set_ctrl(made.get(), bio_control);
    return made;
  }();
  return method.get();
}

/// The oldest of OpenSSL's words is the cause, the others say through what it came.
std::string openssl_words() {
  const unsigned long code = ERR_get_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "it failed without words" : one_line(reason);
}

bool is_address(const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  return ::inet_pton(AF_INET, host.c_str(), bytes) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

/// OpenSSL would ask the terminal for the password of a locked key.
int no_password(char*, int, int, void*) { return -1; }

std::expected<Context, std::string> make_context(const TlsOptions& options) {
  ERR_clear_error();
  Context made{SSL_CTX_new(TLS_client_method())};
  SSL_CTX* context = made.get();
  if (context == nullptr || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1) {
    return std::unexpected(openssl_words());
  }
  SSL_CTX_set_default_passwd_cb(context, no_password);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  const auto refused = [](std::string_view what, const std::string& file) {
    return std::unexpected(fmt::format("{} {}: {}", what, file, openssl_words()));
  };
  if (options.proof == TlsOptions::Proof::named) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    if (options.authorities.empty()) {
      SSL_CTX_set_default_verify_paths(context);
    } else if (SSL_CTX_load_verify_file(context, options.authorities.c_str()) != 1) {
      return refused("the certificates to trust", options.authorities);
    }
  }
  if (options.certificate.empty()) return made;
  if (SSL_CTX_use_certificate_chain_file(context, options.certificate.c_str()) != 1) {
    return refused("the certificate", options.certificate);
  }
  if (SSL_CTX_use_PrivateKey_file(context, options.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return refused("the key", options.key);
  }
  return made;
}

/// Says whom this side wants to speak with: to the server, which may have several names (RFC 6066, 3), and
/// to the check of its certificate (RFC 6125).
bool ask_for(SSL* session, const std::string& host, TlsOptions::Proof proof) {
  const bool address = is_address(host);
  if (!address && SSL_set_tlsext_host_name(session, host.c_str()) != 1) return false;
  if (proof == TlsOptions::Proof::none) return true;
  X509_VERIFY_PARAM* wanted = SSL_get0_param(session);
  X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return (address ? X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str())
                  : X509_VERIFY_PARAM_set1_host(wanted, host.data(), host.size())) == 1;
}

class TlsStream final : public ClientStream {
 public:
  TlsStream(StreamSocket socket, std::string words)
      : socket_(std::move(socket)), words_(std::move(words)) {}

  NetResult<void> shake_hands(const std::string& host, const TlsOptions& options,
                              BootInstant deadline) {
    auto context = make_context(options);
    if (!context) return failed(Cause::unreachable, context.error());
    session_.reset(SSL_new(context->get()));
    BIO* bio = BIO_new(socket_method());
    if (session_ == nullptr || bio == nullptr) {
      BIO_free(bio);
      return failed(Cause::unreachable, openssl_words());
    }
    BIO_set_data(bio, &socket_);
    BIO_set_init(bio, 1);
    SSL_set_bio(session_.get(), bio, bio);
    if (!ask_for(session_.get(), host, options.proof)) {
      return failed(Cause::unreachable, openssl_words());
    }
    const auto shaken =
        carry_out([&](std::size_t&) { return SSL_connect(session_.get()); }, deadline);
    if (shaken) return {};
    const long proven = SSL_get_verify_result(session_.get());
    if (shaken.error().cause == Cause::late) return std::unexpected(shaken.error());
    if (proven == X509_V_OK) {
      return std::unexpected(NetFailure{Cause::unreachable, shaken.error().detail});
    }
    return failed(Cause::unreachable, fmt::format("certificate verify failed: {}",
                                                  X509_verify_cert_error_string(proven)));
  }

  NetResult<std::size_t> read_some(std::span<char> to, BootInstant deadline) override {
    return carry_out(
        [&](std::size_t& size) { return SSL_read_ex(session_.get(), to.data(), to.size(), &size); },
        deadline);
  }

  NetResult<void> write_all(std::string_view bytes, BootInstant deadline) override {
    while (!bytes.empty()) {
      const auto written = carry_out(
          [&](std::size_t& size) {
            return SSL_write_ex(session_.get(), bytes.data(), bytes.size(), &size);
          },
          deadline);
      if (!written) return std::unexpected(written.error());
      bytes.remove_prefix(*written);
    }
    return {};
  }

 private:
  /// Repeats one of OpenSSL's calls until it has done something, waiting for what it wants to wait for.
  template <class Call>
  NetResult<std::size_t> carry_out(const Call& call, BootInstant deadline) {
    for (;;) {
      std::size_t size = 0;
      ERR_clear_error();
      const int done = call(size);
      if (done == 1) return size;
      const int wanted = SSL_get_error(session_.get(), done);
      if (wanted != SSL_ERROR_WANT_READ && wanted != SSL_ERROR_WANT_WRITE) {
        const bool spoke = wanted == SSL_ERROR_SSL;
        return failed(Cause::lost, spoke ? "TLS: " + openssl_words() : "the connection has ended");
      }
      const short events = wanted == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT;
      if (wait_until(socket_.descriptor(), events, deadline) == 0) {
        return failed(Cause::late, "no answer in time");
      }
    }
  }

  [[nodiscard]] std::unexpected<NetFailure> failed(Cause cause, std::string_view why) const {
    return std::unexpected(NetFailure{cause, fmt::format("{}: {}", words_, why)});
  }

  StreamSocket socket_;
  std::string words_;
  // Freed without SSL_shutdown: a forked child must not end the parent's session, and each protocol above
  // says itself where an answer ends.
  Session session_;
};

}  // namespace

NetResult<std::unique_ptr<ClientStream>> start_tls(StreamSocket socket, const std::string& host,
                                                   const std::string& words,
                                                   const TlsOptions& options,
                                                   BootInstant deadline) {
  auto stream = std::make_unique<TlsStream>(std::move(socket), words);
  if (const auto agreed = stream->shake_hands(host, options, deadline); !agreed) {
    return std::unexpected(agreed.error());
  }
  return stream;
}

}  // namespace mintmark::io
