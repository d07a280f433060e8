// What rv stress runs, at each place.
#pragma once

#include "cli/launch/container.h"
#include "cli/load/load.h"
#include "cli/options/stress_options.h"

namespace rv::cli {

class StressLoad : public Load {
 public:
  StressLoad(const StressOptions& options, const Invocation& invocation);

  void show() const override;
  int judge(const std::vector<WorkTrouble>& troubles) override;
  SlurmLaunch for_slurm() override;
  LocalLaunch for_here() override;
  HostsLaunch for_hosts(const std::vector<remote::Host>& hosts) override;
  std::vector<int> slots_on(remote::HostGroup& group) override;
  HostScript script_on(const HostPlace& place) override;

 private:
  int run_here();

  const StressOptions& options_;
  std::vector<std::string> arguments_;  // of rv-stress
  std::string worker_;                  // its path here; on hosts its name
  Container container_;
  std::size_t hosts_ = 0;
};

/// The folder of rv-stress: --worker-folder, or as in workers_folder.h. Throws Error(usage).
std::string rv_stress_folder(const StressOptions& options, const Settings& settings);

/// Of a run that has ended, or a folder. Returns the exit code.
int judge_stress_again(const StressOptions& options, const Invocation& invocation);

}  // namespace rv::cli
