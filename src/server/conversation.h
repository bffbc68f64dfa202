// A conversation: one protocol on one connection, sans IO. Bytes that came go in, bytes to send come out.
//
// Why apart from the socket: the same code runs behind a socket and in a test that cuts its input at
// every byte; and waiting, back-pressure and the end of a connection are solved once for all protocols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/net/out_buffer.h"
#include "mint/mint.h"
#include "mintmark/base/time.h"
#include "server/tally.h"

namespace mintmark::server {

/// When the output has grown beyond this, a conversation pauses until the peer has read it.
inline constexpr std::size_t kOutputHighWater = 256 * 1024;

/// Now, and how long the connection has waited since the turn that asked for it.
struct Moment {
  Instant wall{};
  Duration waited{};
};

/// What a conversation did and wants next.
struct Turn {
  enum class Next : std::uint8_t {
    read,   ///< more input
    flush,  ///< a turn with the rest of the input, once the output is written
    wait,   ///< a turn with the rest of the input after `wait`
    close,  ///< write the output, then end the connection
  };
  std::size_t consumed = 0;  ///< bytes from the front of the input
  Next next = Next::read;
  Duration wait{};
};

/// One thread at a time.
class Conversation {
 public:
  Conversation() = default;
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  virtual ~Conversation() = default;

  /// Handles what is complete at the front of `input` and appends the replies to `out`. What was not
  /// consumed comes again, at the front, in the next turn.
  [[nodiscard]] virtual Turn turn(std::string_view input, io::OutBuffer& out,
                                  const Moment& moment) = 0;
};

/// Who is at the other end, and where it came in. For display.
struct Peer {
  std::uint64_t number = 0;  ///< unique in the life of the server
  std::string address;
  std::string local;
};

/// What every conversation of one thread shares. Outlives them.
struct Surroundings {
  mint::Mint& mint;
  Tally& tally;            ///< of this thread
  const Tallies& tallies;  ///< of all threads
};

}  // namespace mintmark::server
