// The smallest client of the Redis protocol that can mint: one connection, one request at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace mintmark::fleet {

/// A port that nobody listened on a moment ago.
inline std::uint16_t free_port() {
  const int probe = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(probe, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(probe);
  return ntohs(address.sin_port);
}

class RespClient {
 public:
  explicit RespClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    const timeval patience{.tv_sec = 30, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~RespClient() { ::close(socket_); }
  RespClient(const RespClient&) = delete;
  RespClient& operator=(const RespClient&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }

  /// The bulk strings of one complete array reply; nothing for an error reply or a broken connection.
  std::optional<std::vector<std::string>> mint(const std::string& space, int count) {
    const std::string request = "MINT " + space + " COUNT " + std::to_string(count) + "\r\n";
    if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) < 0) connected_ = false;
    const auto head = line();
    if (!head || (*head)[0] != '*') return std::nullopt;
    std::vector<std::string> ids;
    for (int i = std::stoi(head->substr(1)); i > 0; --i) {
      if (!line()) return std::nullopt;  // $size
      auto id = line();
      if (!id) return std::nullopt;
      ids.push_back(std::move(*id));
    }
    return ids;
  }

 private:
  std::optional<std::string> line() {
    for (;;) {
      const std::size_t end = buffer_.find("\r\n", at_);
      if (end != std::string::npos) {
        std::string found = buffer_.substr(at_, end - at_);
        at_ = end + 2;
        return found;
      }
      buffer_.erase(0, at_);
      at_ = 0;
      char more[65'536];
      const ssize_t size = ::recv(socket_, more, sizeof more, 0);
      if (size <= 0) {
        connected_ = false;
        return std::nullopt;
      }
      buffer_.append(more, static_cast<std::size_t>(size));
    }
  }

  int socket_;
  bool connected_ = false;
  std::string buffer_;
  std::size_t at_ = 0;
};

}  // namespace mintmark::fleet
