#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace rv::workers {

/// The ranks of this process, each in a child process that dies with this one. TERM, INT, USR1 and USR2 are forwarded
/// to them. Create one object at a time.
class Children {
 public:
  struct Ended {
    int rank;
    bool well;        ///< exited with 0
    std::string how;  ///< "was killed by signal 9 (Killed)", "exited with 3"
  };

  Children();
  ~Children();  ///< kills and reaps the remaining children
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  /// Forks a child that runs `work` and exits with its return value. Throws std::runtime_error.
  void start(int rank, const std::function<int()>& work);
  /// The children that ended since the last call.
  std::vector<Ended> reap();
  bool any() const { return !running_.empty(); }
  void kill_all();  ///< also children that are stopped (SIGSTOP)

 private:
  struct Child {
    pid_t process;
    int rank;
  };
  std::vector<Child> running_;
};

}  // namespace rv::workers
