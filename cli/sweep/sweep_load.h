// What rv sweep runs, at each place.
#pragma once

#include "cli/load/load.h"
#include "cli/sweep/drive/report_folder.h"
#include "cli/sweep/sweep_order.h"

namespace rv::cli {

class SweepLoad : public Load {
 public:
  SweepLoad(const SweepOptions& options, const SweepSetup& setup, const Invocation& invocation);
  ~SweepLoad() override;

  void show() const override;
  void begin() override;
  std::string reports() const override { return setup_.report_dir; }
  int judge(const std::vector<WorkTrouble>& troubles) override;
  std::string after_interrupt() override;
  int end_without_container(const std::string& host) override;
  SlurmLaunch for_slurm() override;
  void show_below_plan() const override;
  bool explains_end(const monitor::RunFolder& run, const monitor::RunView& view, slurm::Gateway& gateway) override;
  bool goes_on() override;
  LocalLaunch for_here() override;
  HostsLaunch for_hosts(const std::vector<remote::Host>& hosts) override;
  std::vector<int> slots_on(remote::HostGroup& group) override;
  HostScript script_on(const HostPlace& place) override;

 private:
  int run_here();
  /// The sweep of one host, in its own folder.
  SweepSetup setup_of(const std::string& host) const;
  void claim(const SweepSetup& setup);
  void withdraw();
  int judge_hosts(const std::vector<WorkTrouble>& troubles);

  const SweepOptions& options_;
  SweepSetup setup_;
  std::string workers_;                       // their folder
  std::vector<std::string> hosts_;            // empty: on this machine, or through Slurm
  std::vector<sweep::ReportFolder> claimed_;  // begun by this rv; withdrawn at the end if no point began
  bool is_new_ = false;                       // the run began the report folder
  std::size_t over_before_ = 0;               // points that had ended before the run
};

/// Whether the options mean this machine: --local, or an allocation that rv was called in.
bool runs_here(const SweepOptions& options);

/// Goes through the sweep in its folder, here, and prints nothing but progress (stderr). The exit code: 0, or that of
/// an interrupt. `one_point`: of the next point alone.
int drive_here(const std::string& report_dir, const std::string& workers, const Invocation& invocation,
               bool one_point = false);

}  // namespace rv::cli
