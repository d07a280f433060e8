// Looking beside the screen, so that keys are answered at once however long Slurm takes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/options/invocation.h"
#include "cli/top/top_state.h"

namespace rv::cli::top {

class BackgroundPoller {
 public:
  explicit BackgroundPoller(const Invocation& invocation);
  /// Does not wait for a Slurm that does not answer.
  ~BackgroundPoller();
  BackgroundPoller(const BackgroundPoller&) = delete;
  BackgroundPoller& operator=(const BackgroundPoller&) = delete;

  /// The run whose GPUs are polled.
  void select(const std::string& run);
  /// The newest state; nothing if it has not changed since the last call.
  std::optional<Known> take();

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace rv::cli::top
