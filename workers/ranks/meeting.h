#pragma once

#include <list>
#include <optional>
#include <string>
#include <vector>

#include "shared/system/descriptor.h"
#include "workers/ranks/coordinator.h"
#include "workers/ranks/handshake.h"

namespace rv::workers {

/// The coordinator's server: accepts connections from processes that prove that they have the step's key, and
/// transports messages both ways. It runs in one thread, which calls `serve`.
class Meeting {
 public:
  Meeting(os::Descriptor listener, std::string key, Coordinator& coordinator);
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  /// Waits at most this long for connections and messages, and handles them.
  void serve(std::chrono::milliseconds most);
  /// Sends the exit code and the reason to the processes that started ranks elsewhere. New connections are no longer
  /// accepted.
  void notify_starters(int exit_code, const std::string& reason);

 private:
  struct Connection {
    Channel channel;
    Clock::time_point came{};
    std::optional<Challenge> challenge;  ///< the challenge that was sent to it
    int rank = -1;                       ///< its rank, once it has joined
    std::vector<int> starts;             ///< the ranks that it started, if it is a starter
    bool gone = false;
    bool known() const { return rank >= 0 || !starts.empty(); }
  };

  void challenge(Connection& connection, const Json& hello);
  void prove(Connection& connection, const Json& answer);
  void welcome(Connection& connection, const Json& hello);
  void receive(Connection& connection, const Json& message);
  void refuse(Connection& connection, const std::string& reason);
  void accept_all();
  void deliver();

  os::Descriptor listener_;
  std::string key_;
  Coordinator& coordinator_;
  std::list<Connection> connections_;
};

}  // namespace rv::workers
