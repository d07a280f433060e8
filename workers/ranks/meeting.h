#pragma once

#include <list>
#include <string>
#include <vector>

#include "workers/ranks/coordinator.h"
#include "workers/system/descriptor.h"

namespace rv::workers {

/// The coordinator's door: takes connections, lets in who knows the token, carries messages both ways. One thread,
/// woken by `serve`.
class Meeting {
 public:
  Meeting(Descriptor listener, std::string token, Coordinator& coordinator);
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
    int rank = -1;            ///< a rank, once it has joined
    std::vector<int> starts;  ///< a process that started these ranks
    bool gone = false;
    bool known() const { return rank >= 0 || !starts.empty(); }
  };

  void welcome(Guest& guest, const Json& hello);
  void receive(Guest& guest, const Json& message);
  void refuse(Guest& guest, const std::string& reason);
  void accept_all();
  void deliver();

  Descriptor listener_;
  std::string token_;
  Coordinator& coordinator_;
  std::list<Guest> guests_;
};

}  // namespace rv::workers
