// A place: where a load runs, and how it ends there.
#pragma once

#include "cli/load/load.h"

namespace rv::cli {

/// How the work at a place ended. Then nothing of it runs there any more, unless `exit_code` says so.
struct WorkEnd {
  std::optional<int> exit_code = {};             // rv ends with it, and all has been said
  int interrupted = 0;                           // the exit code after a signal
  std::optional<std::string> no_container = {};  // the host that could not start the image; empty: this machine
  std::vector<WorkTrouble> troubles = {};
};

class LoadPlace {
 public:
  virtual ~LoadPlace() = default;
  /// Checks that the load's options fit, and reaches the place. Returns the exit code if a signal ended that. Throws
  /// Error; nothing has been started then.
  virtual std::optional<int> reach(Load& load) = 0;
  /// --dry-run. Returns the exit code.
  virtual int show(Load& load);
  /// Runs the load until it has ended, or a signal ended it. Throws Error if reports can't be written.
  virtual WorkEnd run(Load& load) = 0;
  /// The end after a signal, for the user.
  virtual std::string interrupted_text() const { return "interrupted"; }
};

/// The hosts of --hosts, over ssh. Nothing runs anywhere before all have answered; one that is lost ends the work on
/// all. Throws Error(connection) that names every host which can't be used.
class HostsPlace : public LoadPlace {
 public:
  std::optional<int> reach(Load& load) override;
  WorkEnd run(Load& load) override;
  std::string interrupted_text() const override { return "ended on all hosts"; }

 private:
  std::optional<HostsWork> work_;  // the destructor ends what runs on the hosts
  std::vector<int> slots_;
};

/// This machine, and the nodes of the allocation that rv was called in.
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

}  // namespace rv::cli
