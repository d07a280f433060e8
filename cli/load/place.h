// A place is where a load runs: hosts over ssh, this machine, or Slurm.
#pragma once

#include "cli/kubernetes/pod_reports.h"
#include "cli/load/load.h"

namespace rv::cli {

/// How the work at a place ended. Nothing of it runs at the place any more, except if `exit_code` is set: then a run
/// through Slurm may continue (--detach, Ctrl-C).
struct WorkEnd {
  std::optional<int> exit_code = {};             // rv exits with this code; messages are printed already
  int interrupted = 0;                           // the exit code after a signal; 0: no signal
  std::optional<std::string> no_container = {};  // the host that could not start the image; empty: this machine
  std::vector<WorkTrouble> troubles = {};
};

class LoadPlace {
 public:
  virtual ~LoadPlace() = default;
  /// Checks the load's options, and connects to the place. Returns the exit code if a signal came meanwhile. Throws
  /// Error. Starts nothing of the load.
  virtual std::optional<int> reach(Load& load) = 0;
  /// With --dry-run: prints what would run. Returns the exit code.
  virtual int show(Load& load);
  /// Runs the load until it has ended, or a signal ended it. Throws Error if reports can't be written.
  virtual WorkEnd run(Load& load) = 0;
  /// Text for the user after a signal.
  virtual std::string interrupted_text() const { return "interrupted"; }
};

/// The hosts of --hosts, over ssh. The load starts only when all hosts have answered, and if one is lost, the work ends
/// on all. Throws Error(connection) with the names of all hosts that can't be used.
class HostsPlace : public LoadPlace {
 public:
  std::optional<int> reach(Load& load) override;
  WorkEnd run(Load& load) override;
  std::string interrupted_text() const override { return "ended on all hosts"; }

 private:
  std::optional<HostsWork> work_;  // the destructor ends the work on the hosts
  std::vector<int> slots_;
};

/// This machine, and the nodes of the allocation in which rv was called.
class LocalPlace : public LoadPlace {
 public:
  std::optional<int> reach(Load& load) override;
  WorkEnd run(Load& load) override;

 private:
  LocalLaunch launch_;
};

/// Slurm, where a load is a run. Ctrl-C does not end a run that has begun. --dry-run shows the plan.
class SlurmPlace : public LoadPlace {
 public:
  std::optional<int> reach(Load&) override { return std::nullopt; }
  int show(Load& load) override;
  WorkEnd run(Load& load) override;
};

/// Pods of Kubernetes, which the user creates: prints their manifests, also with --dry-run. With --collect, or with the
/// logs of --judge: the reports of pods that have ended.
class KubernetesPlace : public LoadPlace {
 public:
  std::optional<int> reach(Load& load) override;
  WorkEnd run(Load& load) override;

 private:
  kubernetes::JobOrder order_;
  std::optional<CollectedReports> found_;
};

}  // namespace rv::cli
