// RESP: a conversation in the protocol of Redis, so that every Redis client is a client of the mint.
//
// MINT, INCR, INCRBY, INSPECT and SPACES are the mint's verbs; the rest is what stock clients, redis-cli
// and redis-benchmark ask of a server before they work. A command is a row of one table. Errors begin
// with the kind's word and the fault's name, so that programs need not read sentences.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/net/resp.h"
#include "server/conversation.h"
#include "server/order.h"

namespace mintmark::server {

class RespConversation final : public Conversation {
 public:
  RespConversation(Surroundings& surroundings, Peer peer)
      : around_(surroundings), peer_(std::move(peer)) {}

  [[nodiscard]] Turn turn(std::string_view input, io::OutBuffer& out,
                          const Moment& moment) override;

  /// The words after the command are in `words[1..]`.
  using Words = std::span<const std::string_view>;

  /// A command: one row.
  struct Command {
    std::string_view name;  ///< lower case, at most 8 letters
    int arity;              ///< words with the name; negative: at least as many
    void (RespConversation::*handle)(Words words);
    std::string_view summary;
    std::string_view group;  ///< as COMMAND DOCS has it
  };
  [[nodiscard]] static std::span<const Command> commands();

 private:
  friend struct RespCommands;

  void handle(Words words);
  [[nodiscard]] io::RespWriter reply() { return {*out_, version_}; }

  // resp.cc: the mint's verbs.
  void mint(Words words);
  void incr(Words words);
  void incrby(Words words);
  void inspect(Words words);
  void spaces(Words words);
  void take(std::string_view name, std::uint64_t count);
  void answer_order();
  void fail_with(const Error& error, std::string_view detail);
  [[nodiscard]] mint::Space* find(std::string_view name);

  // resp_session.cc: what belongs to the connection.
  void ping(Words words);
  void echo(Words words);
  void hello(Words words);
  void auth(Words words);
  void select(Words words);
  void client(Words words);
  void quit(Words words);
  void reset(Words words);
  [[nodiscard]] bool authenticate(std::string_view user);
  [[nodiscard]] bool set_name(std::string_view name);
  [[nodiscard]] std::string client_line() const;

  // resp_reference.cc: what the server says about itself.
  void command(Words words);
  void config(Words words);
  void info(Words words);
  void unknown_subcommand(Words words);

  Surroundings& around_;
  Peer peer_;
  io::RespParser parser_;
  Order order_;
  io::RespVersion version_ = io::RespVersion::two;
  std::string name_;
  mint::Space* last_space_ = nullptr;  ///< most connections ask for one space only
  bool batch_as_array_ = false;
  bool closing_ = false;
  // Of the running turn.
  io::OutBuffer* out_ = nullptr;
  Moment moment_;
};

}  // namespace mintmark::server
