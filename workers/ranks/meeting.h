#pragma once

#include <list>
#include <optional>
#include <string>
#include <vector>

#include "shared/system/descriptor.h"
#include "workers/ranks/coordinator.h"
#include "workers/ranks/handshake.h"

namespace rv::workers {

/// The coordinator's door: takes connections, lets in whoever proves that it has the step's key, carries messages both
/// ways. One thread, woken by `serve`.
class Meeting {
 public:
  Meeting(os::Descriptor listener, std::string key, Coordinator& coordinator);
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  /// Waits at most this long for something to come, and deals with it.
  void serve(std::chrono::milliseconds most);
  /// Tells the processes that started ranks elsewhere how it all ended. Nobody is welcomed any more.
  void tell_starters(int exit_code, const std::string& reason);

 private:
  struct Guest {
    Channel channel;
    Clock::time_point came{};
    std::optional<Challenge> challenge;  ///< that it has been sent
    int rank = -1;                       ///< a rank, once it has joined
    std::vector<int> starts;             ///< a process that started these ranks
    bool gone = false;
    bool known() const { return rank >= 0 || !starts.empty(); }
  };

  void challenge(Guest& guest, const Json& hello);
  void prove(Guest& guest, const Json& answer);
  void welcome(Guest& guest, const Json& hello);
  void receive(Guest& guest, const Json& message);
  void refuse(Guest& guest, const std::string& reason);
  void accept_all();
  void deliver();

  os::Descriptor listener_;
  std::string key_;
  Coordinator& coordinator_;
  std::list<Guest> guests_;
};

}  // namespace rv::workers
