// A load is what rv accept, rv stress or rv sweep runs. It runs at a place (place.h): through Slurm, on this machine,
// or on hosts over ssh.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/os/stamped_folder.h"
#include "cli/hosts/hosts_work.h"
#include "cli/kubernetes/pods/job_order.h"
#include "cli/launch/launch_options.h"
#include "cli/options/container_options.h"
#include "cli/options/hosts_options.h"
#include "cli/options/invocation.h"
#include "cli/options/kubernetes_options.h"
#include "cli/options/request_options.h"
#include "monitor/jobs/run_view.h"
#include "monitor/run/run_folder.h"
#include "slurm/gateway.h"

namespace rv::cli {

/// Why the work ended early.
struct WorkTrouble {
  std::string host;  // the host that had the problem; empty: not a single host
  std::string what, advice;
  int exit_code = 0;  // exit code of the program on this machine, or of the run; 0 if a host failed
};

/// What is needed to run a load on hosts without Slurm.
struct HostsLaunch {
  Programs programs;  // sent to each host
  ReportKind kind;    // kind of the reports that the hosts send back
};

/// What is needed to run a load on this machine.
struct LocalLaunch {
  std::function<int()> work;  // returns the exit code, 128 + N after signal N; called after begin()
  std::string name, advice;   // name of the program, and advice if it fails
};

/// What is needed to run a load through Slurm, as one run.
struct SlurmLaunch {
  LaunchOptions launching;
  WorkOrder work;
  std::optional<KnownCluster> known = std::nullopt;  // the state of the cluster, if it was read before
  bool stream = true;                                // print the output while the run is followed
  bool throws_container = false;                     // throw Error if the image can't be started (with --json: always)
  std::function<std::string(const monitor::RunView&)> progress = {};  // text of the progress line while it runs
  std::function<std::string(const std::string& run)> next = {};       // advice for a detached run
};

/// The options of rv accept, rv stress or rv sweep that every place reads.
struct LoadOptions {
  const RequestOptions& request;
  const ContainerOptions& container;
  std::optional<std::string> hosts;               // --hosts: over ssh
  const KubernetesOptions* kubernetes = nullptr;  // --kubernetes: in pods
  std::string pod_logs = {};                      // --kubernetes --judge: a file with the logs of pods that have ended
  bool local = false;                             // --local: on this machine; without the three: through Slurm
  bool detach = false, dry_run = false;
};

class Load {
 public:
  /// `name`: the load's folder is NAME in the run's folder; without Slurm it is a new folder in $RV_HOME/NAME.
  Load(const LoadOptions& options, const Invocation& invocation, std::string name)
      : options_(options), invocation_(invocation), name_(std::move(name)) {}
  virtual ~Load() = default;
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  const LoadOptions& options() const { return options_; }
  const Invocation& invocation() const { return invocation_; }

  /// --dry-run: prints what would run.
  virtual void show() const = 0;
  /// Without Slurm: makes the folder of the load. The destructor removes it, unless keep() was called.
  virtual void begin();
  /// Through Slurm: the load's folder is NAME in this run's folder.
  void begin_in(const monitor::RunFolder& run) { run_ = run; }
  /// With the reports of pods: makes the folder of the load, for a place to fill, and returns it. `name`: the pods'
  /// own.
  const std::string& begin_for(const std::string& name);
  /// The folder into which a place brings the reports; valid after begin().
  virtual std::string reports() const { return folder() + "/reports"; }
  /// Reads the reports, writes and prints the result. Returns the exit code. Throws Error.
  virtual int judge(const std::vector<WorkTrouble>& troubles) = 0;
  /// After Ctrl-C: what to do with the reports; empty if nothing is left.
  virtual std::string after_interrupt() { return ""; }
  /// Reports that the container image could not be started on `host` (empty: this machine), and discards the load's new
  /// folder. Returns the exit code, or throws Error with the engine's message.
  virtual int end_without_container(const std::string& host);

  /// Through Slurm: checks the options. Throws Error(usage).
  virtual SlurmLaunch for_slurm() = 0;
  /// Through Slurm: prints the part of --dry-run below the plan.
  virtual void show_below_plan() const {}
  /// Called if the run ended before all reports were complete. Returns whether the reports explain why.
  virtual bool explains_end(const monitor::RunFolder&, const monitor::RunView&, slurm::Gateway&) { return false; }
  /// Whether another run is needed after a run that succeeded.
  virtual bool goes_on() { return false; }

  /// On this machine: checks the options. Throws Error(usage).
  virtual LocalLaunch for_here() = 0;

  /// On hosts: checks the options, and returns what to send to the hosts. Throws Error(usage). Starts nothing.
  virtual HostsLaunch for_hosts(const std::vector<remote::Host>& hosts) = 0;
  /// On hosts: returns the number of slots to use on each host, in the order of the group. A slot is a GPU, or with
  /// --device cpu a process. Called when all hosts have answered. Throws Error(usage).
  virtual std::vector<int> slots_on(remote::HostGroup& group) = 0;
  /// On hosts: returns the files and the script for one host.
  virtual HostScript script_on(const HostPlace& place) = 0;

  /// In pods of Kubernetes: checks the options, and returns the objects to create. Throws Error(usage); by default for
  /// every call.
  virtual kubernetes::JobOrder for_kubernetes() { refuse_kubernetes(); }

 protected:
  /// Writes the files that the work needs to the new folder.
  virtual void prepare(const std::string&) {}
  std::string folder() const { return run_ ? run_->file(name_) : made_->path(); }
  /// The run's ID, the name of the pods, or that of the folder.
  std::string where() const { return run_ ? run_->id() : pods_.empty() ? made_->name() : pods_; }
  bool through_slurm() const { return run_.has_value(); }
  void keep();

 private:
  LoadOptions options_;
  const Invocation& invocation_;
  std::string name_, pods_;
  std::optional<monitor::RunFolder> run_;
  std::optional<os::StampedFolder> made_;
};

/// Runs the load at the place that its options name, and judges it. With --dry-run it only checks the options and
/// prints what would run. Returns the exit code. Throws Error.
int run_load(Load& load);

}  // namespace rv::cli
