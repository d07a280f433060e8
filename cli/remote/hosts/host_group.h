// All hosts of one piece of work: started together, watched together, ended together.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/remote/hosts/host_session.h"

namespace rv::remote {

/// The result for a host that was lost.
struct HostTrouble {
  std::string host;
  std::string what;  // a sentence without its end
  std::string advice;
};

class HostGroup {
 public:
  /// `sink_of(i)`: where the i-th host's output goes.
  HostGroup(const std::vector<Host>& hosts, const KnownWorkers& workers,
            const std::function<HostSession::Sink(std::size_t)>& sink_of);
  /// Ends the connections, and with them all that runs.
  ~HostGroup();
  HostGroup(const HostGroup&) = delete;
  HostGroup& operator=(const HostGroup&) = delete;

  std::vector<std::unique_ptr<HostSession>>& sessions() { return sessions_; }
  std::vector<HostFacts> facts() const;
  const std::vector<HostTrouble>& troubles() const { return troubles_; }

  /// Serves all for a while, and notes in `troubles` who was lost, hangs, or whose script failed.
  void serve();
  bool all_answered() const;  ///< each has sent its facts or failed
  bool all_ended() const;     ///< each one's script has ended

  /// Tells all to end what they run, and waits until they have, for some seconds, or until Ctrl-C; what can't answer
  /// any more is ended over a separate connection. Returns the hosts on which processes may be left.
  std::vector<std::string> end();

 private:
  void look_at(HostSession& session);
  bool in_trouble(const std::string& host) const;

  os::PollLoop loop_;  // before the sessions, which it outlives
  std::vector<std::unique_ptr<HostSession>> sessions_;
  std::vector<HostTrouble> troubles_;
  HostSession::Clock::time_point begun_ = HostSession::Clock::now(), last_beat_ = begun_;
  bool ending_ = false;
};

}  // namespace rv::remote
