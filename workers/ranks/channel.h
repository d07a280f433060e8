#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "shared/system/descriptor.h"

namespace rv::workers {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// JSON messages over one TCP connection: a length of four bytes, most significant first, then the text. One thread may
/// send while another receives.
class Channel {
 public:
  Channel() = default;
  explicit Channel(os::Descriptor socket);

  int socket() const { return socket_.number(); }
  bool open() const { return socket() >= 0; }
  void close() { socket_.close(); }

  /// Sends the whole message. After an error or past `deadline` it closes the connection, since part of a message may
  /// have been sent. False if closed.
  bool send(const Json& message, Clock::time_point deadline);

  /// Reads the bytes that have arrived, without waiting. False if the other side has closed the connection or has sent
  /// something that is not a message (longer than `most` bytes: set that low until the sender has proven itself).
  bool receive_some(std::size_t most);
  /// The next complete message of the received bytes.
  std::optional<Json> next();

  /// The address of the other side, and of this side as the other one reaches it; empty if unknown.
  std::string peer_address() const;
  std::string own_address() const;

 private:
  os::Descriptor socket_;
  std::string received_;
};

/// Opens a socket that listens on every interface, or only on the loopback. `port` 0 selects a free port and is set to
/// it. Throws std::runtime_error with a hint.
os::Descriptor listen_on(int& port, bool loopback);

/// Connects, and retries until `deadline`: ranks start in any order. Throws std::runtime_error.
Channel connect_to(const std::string& host, int port, Clock::time_point deadline);

}  // namespace rv::workers
