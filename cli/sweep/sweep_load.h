// What rv sweep runs, at each place.
#pragma once

#include <memory>

#include "cli/load/load.h"
#include "cli/sweep/drive/report_folder.h"
#include "cli/sweep/sweep_order.h"

namespace rv::cli {

/// A report folder that this rv has begun: it is withdrawn again unless it is kept, or a point began in it.
class SweepClaim {
 public:
  /// Throws Error.
  explicit SweepClaim(const SweepWords& words) : folder_(words.report_dir), withdraws_(begin_sweep(words)) {}
  ~SweepClaim();
  SweepClaim(const SweepClaim&) = delete;
  SweepClaim& operator=(const SweepClaim&) = delete;
  void keep() { withdraws_ = false; }

 private:
  sweep::ReportFolder folder_;
  bool withdraws_;
};

class SweepLoad : public Load {
 public:
  SweepLoad(const SweepOptions& options, const SweepWords& words, const Invocation& invocation);

  void show() const override;
  void begin() override;
  std::string reports() const override { return words_.report_dir; }
  int judge(const std::vector<WorkTrouble>& troubles) override;
  std::string after_interrupt() override;
  int end_without_container(const std::string& host) override;
  LocalShare for_here() override;
  HostsShare for_hosts(const std::vector<remote::Host>& hosts) override;
  std::vector<int> slots_on(remote::HostGroup& group) override;
  HostScript script_on(const HostPlace& place) override;

 private:
  int run_here();
  /// The sweep of one host, in a folder of its own.
  SweepWords words_of(const std::string& host) const;
  int judge_hosts(const std::vector<WorkTrouble>& troubles);

  const SweepOptions& options_;
  SweepWords words_;
  std::string workers_;             // their folder
  std::vector<std::string> hosts_;  // empty: on this machine
  std::vector<std::unique_ptr<SweepClaim>> claims_;
};

/// Within an allocation of Slurm.
bool in_allocation();

/// Goes through the sweep in its folder, here, and prints nothing but progress (stderr). The exit code: 0, or that of
/// an interrupt. `one_point`: of the next point alone.
int drive_here(const std::string& report_dir, const std::string& workers, const Invocation& invocation,
               bool one_point = false);

}  // namespace rv::cli
