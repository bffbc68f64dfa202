// HTTP: a conversation in HTTP/1.1 with JSON, plain text or bytes.
#pragma once

#include <memory>

#include "server/conversation.h"

namespace mintmark::server {

/// Requests pipelined on one connection are answered in order. A body is read, up to 64 KiB, and ignored.
/// No request takes more than 96 KiB; a transfer coding other than chunked ends the connection.
[[nodiscard]] std::unique_ptr<Conversation> make_http_conversation(Surroundings& surroundings);

}  // namespace mintmark::server
