// The steps of a run's job that a forward needs: rv itself on the run's nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/os/piped_child.h"
#include "cli/remote/forward/direct_line.h"
#include "cli/remote/forward/frame_pipe.h"
#include "cli/remote/forward/relay_request.h"

namespace rv::forward {

/// This program in the folder `home`/bin, which the nodes see as well; put there when it is missing. Throws Error.
std::string program_for_nodes(const std::string& home);

/// On which ports the processes of the job listen, on all `nodes`; those of the other elements of `array` too, where
/// there is one. `step` is srun with the job. Throws Error(slurm).
std::vector<Target> ports_of_job(std::vector<std::string> step, const std::vector<std::string>& nodes,
                                 const std::string& program, const std::string& array);

/// Connections that are made on the nodes themselves, one step a node for all of them.
class JobSteps {
 public:
  /// Gets what the steps send for the near end.
  using Send = std::function<void(const Frame& frame)>;

  /// Called for each step: returns srun with the run's job on this node. It may throw.
  using StepOn = std::function<std::vector<std::string>(const std::string& node)>;

  /// `array`: the array whose elements are all the run's, or nothing.
  JobSteps(os::PollLoop& loop, StepOn step, std::string program, std::string array, Send send);

  /// Hands over an open frame. The answer is the step's, or a refusal when there is no step.
  void open(const std::string& node, const Frame& frame);
  /// Hands over an ask frame. The answer comes unless the step ends before. Throws Error when there is no step.
  void ask(const std::string& node, const Frame& frame);
  /// Any other frame; those of channels that no step has are dropped.
  void pass_on(const Frame& frame);
  /// True when a step has ended since the last call. Its connections were reset. To be called at least every second.
  bool some_ended();

 private:
  struct Step {
    std::unique_ptr<os::PipedChild> child;
    std::unique_ptr<FramePipe> srun;
    std::unique_ptr<LineCaller> caller;
    std::unique_ptr<FrameSocket> line;  // where the node can be reached; else srun's way serves
    bool speaks = false;                // which of the two it is has been found out
    std::vector<Frame> held;            // until then

    bool ended() const { return srun->ended() || (line && line->pipe.ended()); }
  };
  struct Passage {
    std::string node;
    int ends = 0;  // both ends have sent eof: it is over
  };

  Step& step(const std::string& node);
  void call(const std::string& node, const LineOffer& offer);
  void speak(const std::string& node, os::Descriptor socket);
  void send(Step& step, const Frame& frame);
  void receive(const Frame& frame);
  void note(const Frame& frame);

  os::PollLoop& loop_;
  StepOn argv_;
  std::string program_;
  std::string array_;
  Send send_;
  std::map<std::string, Step> steps_;
  std::map<std::uint32_t, Passage> passages_;
};

}  // namespace rv::forward
