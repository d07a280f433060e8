#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "shared/system/descriptor.h"

namespace rv::workers {

/// What one stretch of sending came to, as the receiver counted it.
struct Transfer {
  double bytes = 0;
  double seconds = 0;
};

/// Some TCP connections between two processes; everything has a deadline. All throw std::runtime_error.
class TcpLink {
 public:
  using Clock = std::chrono::steady_clock;

  /// Connects `streams` times. On each both sides prove that they have the key (ranks/handshake.h), the one that
  /// listens first, so that nobody else's connection is measured.
  static TcpLink to(const std::string& address, int port, const std::string& key, int streams,
                    Clock::time_point deadline);
  /// Takes as many that prove that they have the key; others are closed.
  static TcpLink from(int listener, const std::string& key, int streams, Clock::time_point deadline);

  /// Sends over all streams at once for so long, to the other side's receive(); a thread a stream. What the other side
  /// counted comes back.
  Transfer send(double seconds);
  /// The sum of bytes over the time from the first one until the last stream ended.
  Transfer receive();
  /// 64 bytes there and back, so often, over the first stream; microseconds each.
  std::vector<double> ping(int times);
  void answer_pings(int times);

 private:
  TcpLink() = default;
  void add(os::Descriptor socket);
  /// False where the other side does not have the key.
  static bool prove(int socket, const std::string& key);
  static bool proven(int socket, const std::string& key);
  std::vector<os::Descriptor> sockets_;
};

}  // namespace rv::workers
