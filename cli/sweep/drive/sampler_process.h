// rv-sample, run beside a point.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/os/child.h"

namespace rv::sweep {

/// What rv-sample --list says of this machine.
struct ThisMachine {
  std::string node;
  std::vector<std::string> gpus;  // models
  std::string why_none;           // of the driver
  std::string driver;             // its version; empty: there is none
};

/// Throws Error when the sampler can't be run or says nothing that can be read.
ThisMachine look_at_machine(const std::string& sampler);

class SamplerProcess {
 public:
  /// Starts it for the descendants of this process, and waits until its first sample is taken; `trouble` says why it
  /// could not be.
  SamplerProcess(const std::string& sampler, const std::string& folder, double every_s, bool gpu);
  ~SamplerProcess() { stop(); }
  SamplerProcess(const SamplerProcess&) = delete;
  SamplerProcess& operator=(const SamplerProcess&) = delete;

  pid_t pid() const { return child_ ? child_->pid() : 0; }
  /// It takes its last sample and ends. Empty when all went well, else what did not.
  std::string stop();

 private:
  std::optional<os::Child> child_;
  std::string trouble_;
};

}  // namespace rv::sweep
