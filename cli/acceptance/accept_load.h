// What rv accept runs, at each place.
#pragma once

#include "cli/launch/container.h"
#include "cli/load/load.h"
#include "cli/options/accept_options.h"

namespace rv::cli {

class AcceptLoad : public Load {
 public:
  AcceptLoad(const AcceptOptions& options, const Invocation& invocation);

  void show() const override;
  void show_below_plan() const override { show(); }
  int judge(const std::vector<WorkTrouble>& troubles) override;
  std::string after_interrupt() override;
  SlurmLaunch for_slurm() override;
  LocalLaunch for_here() override;
  HostsLaunch for_hosts(const std::vector<remote::Host>& hosts) override;
  std::vector<int> slots_on(remote::HostGroup& group) override;
  HostScript script_on(const HostPlace& place) override;
  kubernetes::JobOrder for_kubernetes() override;

 protected:
  void prepare(const std::string& folder) override;

 private:
  int run_here();
  Container with_io_folders(Container container) const;

  const AcceptOptions& options_;
  accept::Order order_;
  std::string workers_;  // their folder
  Container container_;
};

}  // namespace rv::cli
