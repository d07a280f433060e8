// Which of a node's processes are a job's, from /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace rv::forward {

/// The run's properties that this process, a step of the run's job, can read.
struct RunJob {
  std::string job;    // Slurm's number of it
  std::string sluid;  // from 26.05 on, SLURM_JOB_SLUID: its name in cgroup v2
  std::string array;  // of the array whose elements are all the run's; empty: none
  uid_t user = 0;
};

struct Membership {
  enum class Kind {
    own,      // the run's
    other,    // another job's
    unknown,  // the owner is unknown
  };
  Kind kind = Kind::unknown;
  std::string job;  // if another job's process: its number

  bool operator==(const Membership&) const = default;
};

class JobProcesses {
 public:
  /// `proc`: where the kernel shows its processes, the calling one as "self".
  explicit JobProcesses(RunJob job, std::string proc = "/proc");

  /// Asked are the cgroup and the slurmstepd above it, which no process can choose; then the environment, of the
  /// user's own processes.
  Membership membership_of(pid_t process) const;

  std::vector<pid_t> all() const;
  /// The sockets that a process has open, as far as this user may know: inodes.
  std::set<std::uint64_t> sockets_of(pid_t process) const;

  /// Ports that the run's processes on Slurm's node `node` listen on, ascending. Slurm's own (srun's, slurmstepd's) and
  /// rv's are left out.
  std::vector<int> listening_ports(const std::string& node) const;

  const RunJob& run() const { return run_; }
  const std::string& proc() const { return proc_; }

 private:
  std::string folder(pid_t process) const { return proc_ + "/" + std::to_string(process); }
  Membership by_number(const std::string& job) const;
  Membership by_cgroup(pid_t process) const;
  Membership by_ancestor(pid_t process) const;
  bool is_users(pid_t process) const;
  bool is_on(const std::string& node, pid_t process) const;

  RunJob run_;
  std::string proc_;
  bool cgroups_tell_;  // this Slurm puts jobs into cgroups
};

}  // namespace rv::forward
