// A load: what rv accept, rv stress or rv sweep runs. Where it runs is a place (place.h); run_load() has the rest.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/os/stamped_folder.h"
#include "cli/hosts/hosts_work.h"
#include "cli/options/container_options.h"
#include "cli/options/invocation.h"
#include "cli/options/request_options.h"

namespace rv::cli {

/// Why the work ended before its time.
struct WorkTrouble {
  std::string host;  // the one where it happened; empty: no host in particular
  std::string what, advice;
  int exit_code = 0;  // of the program that failed, on this machine
};

/// What of a load goes to hosts without Slurm.
struct HostsShare {
  Programs programs;
  ReportKind kind;
};

/// What of a load runs on this machine.
struct LocalShare {
  std::function<int()> work;  // returns the exit code, 128 + N after signal N; called after begin()
  std::string name, advice;   // of the program, for a failure
};

/// The options of its command that every place reads; they outlive the load.
struct LoadOptions {
  const RequestOptions& request;
  const ContainerOptions& container;
  const bool &local, &detach, &dry_run;
};

class Load {
 public:
  /// `folders`: the folder in which each load without Slurm gets a new folder for its reports.
  Load(const LoadOptions& options, const Invocation& invocation, std::string folders)
      : options_(options), invocation_(invocation), folders_(std::move(folders)) {}
  virtual ~Load() = default;
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  const LoadOptions& options() const { return options_; }
  const Invocation& invocation() const { return invocation_; }

  /// --dry-run: prints what would run.
  virtual void show() const = 0;
  /// Makes the folder of the reports. It is removed with the load, unless the load keeps it.
  virtual void begin();
  /// The folder into which a place brings the reports; valid after begin().
  virtual std::string reports() const { return made_->path() + "/reports"; }
  /// Reads the reports, writes and prints the result. Returns the exit code. Throws Error.
  virtual int judge(const std::vector<WorkTrouble>& troubles) = 0;
  /// After Ctrl-C: what to do with the reports; empty if nothing is left.
  virtual std::string after_interrupt() { return ""; }
  /// The image could not be started, on this machine if `host` is empty. Returns the exit code, or throws Error.
  virtual int end_without_container(const std::string& host);

  /// On this machine: checks the options. Throws Error(usage).
  virtual LocalShare for_here() = 0;

  /// On hosts: checks the options, and returns what is sent. Throws Error(usage). Nothing runs yet.
  virtual HostsShare for_hosts(const std::vector<remote::Host>& hosts) = 0;
  /// The number of slots to use on each host, once all have answered. Throws Error(usage).
  virtual std::vector<int> slots_on(remote::HostGroup& group) = 0;
  /// The files and the script of one host.
  virtual HostScript script_on(const HostPlace& place) = 0;

 protected:
  /// Writes into the new folder what the work needs there.
  virtual void prepare(const std::string&) {}
  os::StampedFolder& made() { return *made_; }
  const os::StampedFolder& made() const { return *made_; }

 private:
  LoadOptions options_;
  const Invocation& invocation_;
  std::string folders_;
  std::optional<os::StampedFolder> made_;
};

}  // namespace rv::cli
