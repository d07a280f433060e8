// The near end of a forward: a process that listens on this machine and outlives the rv that started it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/remote/forward/channels.h"
#include "cli/remote/forward/forward_arguments.h"
#include "cli/remote/forward/forward_record.h"
#include "cli/remote/forward/relay_link.h"

namespace rv::forward {

struct ForwardOrder {
  std::optional<HostSettings> there;  // the login node; nothing: this machine is one
  std::string home;                   // rv's folder on this machine
  std::string run;                    // as typed; empty: the newest
  std::string node;                   // empty: the run's first
  std::vector<PortPair> ports;
  bool automatic = false;
};

class Forwarder {
 public:
  explicit Forwarder(ForwardOrder order);

  /// Finds the run, listens, writes the record. Throws Error; nothing is left behind then.
  ForwardRecord begin();
  /// Until the run has ended, or no port is left.
  void serve();

 private:
  void listen(const AgreedTargets& agreed);
  void accept_one(std::size_t place);
  void receive(const Frame& frame);
  void reread();
  void reconnect();
  void set_state(const std::string& state);
  void set_refusal(const std::string& refusal);
  void pause_listening(bool pause) { paused_ = pause; }

  struct Listening {
    ForwardedPort port;
    os::Descriptor socket;
  };

  ForwardOrder order_;
  os::PollLoop loop_;
  RelayLink link_;
  Channels channels_;
  std::vector<Listening> listening_;
  ForwardRecord record_;
  os::Descriptor signals_;
  std::uint32_t next_channel_ = 1;
  bool over_ = false;
  bool paused_ = false;
};

}  // namespace rv::forward
