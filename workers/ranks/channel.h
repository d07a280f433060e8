#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "shared/system/descriptor.h"

namespace rv::workers {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// JSON messages over one TCP connection: four bytes of length, most significant first, then the text. Sending and
/// receiving may happen in two threads; each of them in one at a time.
class Channel {
 public:
  Channel() = default;
  explicit Channel(os::Descriptor socket);

  int socket() const { return socket_.number(); }
  bool open() const { return socket() >= 0; }
  void close() { socket_.close(); }

  /// Sends whole, or closes: after a failure or `deadline` the stream has lost its place. False if closed.
  bool send(const Json& message, Clock::time_point deadline);

  /// Takes what has come without waiting. False once the other side has closed, or has sent what is no message
  /// (`most` bytes of length, set low until the sender is known).
  bool receive_some(std::size_t most);
  /// The next whole message among what has come.
  std::optional<Json> next();

  /// The address of the other side, and the own one as the other side reaches it; empty if unknown.
  std::string peer_address() const;
  std::string own_address() const;

 private:
  os::Descriptor socket_;
  std::string received_;
};

/// A socket that listens on every interface, or on the loopback alone; `port` 0 becomes the one it got. Throws
/// std::runtime_error with the way out.
os::Descriptor listen_on(int& port, bool loopback);

/// Connects, trying again until `deadline`: ranks start in any order. Throws std::runtime_error.
Channel connect_to(const std::string& host, int port, Clock::time_point deadline);

}  // namespace rv::workers
