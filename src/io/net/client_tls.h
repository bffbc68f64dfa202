// TLS over a connected socket, the side of the client.
//
// TLS 1.2 at least. Refused: a name that the certificate does not have, a key that is locked by a password,
// anything that would ask a person.
#pragma once

#include <memory>
#include <string>

#include "io/net/client_stream.h"
#include "io/net/stream_socket.h"

namespace mintmark::io {

/// Agrees on TLS with the server, whose name or address `host` is. `words` names it in the details.
/// Thread-safe.
[[nodiscard]] NetResult<std::unique_ptr<ClientStream>> start_tls(StreamSocket socket,
                                                                 const std::string& host,
                                                                 const std::string& words,
                                                                 const TlsOptions& options,
                                                                 BootInstant deadline);

}  // namespace mintmark::io
