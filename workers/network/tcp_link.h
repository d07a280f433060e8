#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "shared/system/descriptor.h"

namespace rv::workers {

/// The result of one transfer, as the receiver counted it.
struct Transfer {
  double bytes = 0;
  double seconds = 0;
};

/// A number of TCP connections between two processes. Every operation has a deadline and throws std::runtime_error.
class TcpLink {
 public:
  using Clock = std::chrono::steady_clock;

  /// Opens `streams` connections. On each, both sides prove that they have the key (ranks/handshake.h), the listener
  /// first, so that no foreign connection is measured.
  static TcpLink to(const std::string& address, int port, const std::string& key, int streams,
                    Clock::time_point deadline);
  /// Accepts `streams` connections whose other side proves that it has the key, and closes all others.
  static TcpLink from(int listener, const std::string& key, int streams, Clock::time_point deadline);

  /// Sends over all streams at once, one thread per stream, for this many seconds, to the other side's receive().
  /// Returns the amount that the other side counted.
  Transfer send(double seconds);
  /// Receives until the last stream has ended. Returns the bytes of all streams, and the time since the first byte.
  Transfer receive();
  /// Sends 64 bytes and waits for the reply, `times` times over the first stream. Returns the round-trip times in
  /// microseconds.
  std::vector<double> ping(int times);
  void answer_pings(int times);

 private:
  TcpLink() = default;
  void add(os::Descriptor socket);
  /// False if the other side does not have the key.
  static bool prove(int socket, const std::string& key);
  static bool proven(int socket, const std::string& key);
  std::vector<os::Descriptor> sockets_;
};

}  // namespace rv::workers
