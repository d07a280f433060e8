#include "cli/remote/forward/job_processes.h"

#include <doctest/doctest.h>

#include "fake_proc.h"

namespace rv::forward {

namespace {

constexpr auto own = forward::Membership::Kind::own;
constexpr auto other = forward::Membership::Kind::other;
constexpr auto unknown = forward::Membership::Kind::unknown;
const forward::RunJob job{.job = "42", .sluid = "", .array = "", .user = 1000};

forward::Membership::Kind kind(const FakeProc& proc, int process, const forward::RunJob& run = job) {
  return JobProcesses(run, proc.path()).membership_of(process).kind;
}

}  // namespace

TEST_CASE("if Slurm uses cgroups, they decide, not the environment") {
  const FakeProc proc;
  proc.own_cgroup("0::/system.slice/slurmstepd.scope/job_42/step_1/user/task_0\n");
  proc.has(
      {.id = 7, .environment = "SLURM_JOB_ID=43\n", .cgroup = "0::/system.slice/slurmstepd.scope/job_42/step_batch\n"});
  proc.has({.id = 8, .environment = "SLURM_JOB_ID=42\n", .cgroup = "9:cpuset:/slurm/uid_1000/job_421/step_0\n"});
  proc.has({.id = 9, .cgroup = "0::/user.slice\n"});
  CHECK(kind(proc, 7) == own);
  CHECK(JobProcesses(job, proc.path()).membership_of(8) == forward::Membership{.kind = other, .job = "421"});
  CHECK(kind(proc, 9) == unknown);
}

TEST_CASE("cgroups of 26.05 have the job's SLUID for a name") {
  const FakeProc proc;
  const forward::RunJob run{.job = "42", .sluid = "sEKNKTV3WPV500", .array = "", .user = 1000};
  proc.own_cgroup("0::/system.slice/slurmstepd.scope/sEKNKTV3WPV500/step_1/user/task_0\n");
  proc.has({.id = 7,
            .environment = "SLURM_JOB_ID=43\n",
            .cgroup = "0::/system.slice/slurmstepd.scope/sEKNKTV3WPV500/step_batch/user/task_0\n"});
  proc.has({.id = 8,
            .environment = "SLURM_JOB_ID=42\n",
            .cgroup = "0::/system.slice/slurmstepd.scope/sEKNKTV3WPV501/step_0/user/task_0\n"});
  proc.has({.id = 9, .environment = "SLURM_JOB_ID=42\n", .cgroup = "0::/user.slice/session/step_0\n"});
  CHECK(kind(proc, 7, run) == own);
  CHECK(kind(proc, 8, run) == other);
  CHECK(kind(proc, 9, run) == own);
}

TEST_CASE("a cgroup of the whole machine does not identify a job") {
  const FakeProc proc;
  proc.own_cgroup("0::/slurm/uid_5/job_7/step_0\n");
  proc.has({.id = 7, .environment = "SLURM_JOB_ID=42\n", .cgroup = "0::/slurm/uid_5/job_7/step_0\n"});
  CHECK(kind(proc, 7) == own);
}

TEST_CASE("a parent slurmstepd identifies the job of a process that has overwritten its environment") {
  const FakeProc proc;
  proc.has({.id = 5, .user = 0, .name = "slurmstepd", .command_line = "slurmstepd: [42.batch]"});
  proc.has({.id = 6, .parent = 5, .name = "bash"});
  proc.has({.id = 7, .parent = 6, .environment = "a title of its own"});
  proc.has({.id = 15, .user = 0, .name = "slurmstepd", .command_line = "slurmstepd: [43.0]"});
  proc.has({.id = 17, .parent = 15, .environment = "SLURM_JOB_ID=42\n"});
  CHECK(kind(proc, 7) == own);
  CHECK(kind(proc, 17) == other);
}

TEST_CASE("claims of another user's process do not count") {
  const FakeProc proc;
  proc.has({.id = 7, .user = 1001, .environment = "SLURM_JOB_ID=42\nSLURM_ARRAY_JOB_ID=40\n"});
  proc.has({.id = 8, .user = 1001, .name = "slurmstepd", .command_line = "slurmstepd: [42.batch]"});
  proc.has({.id = 9, .parent = 8, .user = 1001});
  CHECK(kind(proc, 7, {.job = "42", .sluid = "", .array = "40", .user = 1000}) == unknown);
  CHECK(kind(proc, 8) == unknown);
  CHECK(kind(proc, 9) == unknown);
}

TEST_CASE("the environment identifies the user's own processes, also those outside their tree") {
  const FakeProc proc;
  proc.has({.id = 7, .environment = "HOME=/home/ann\nSLURM_JOB_ID=42\n"});
  proc.has({.id = 8, .environment = "SLURM_JOB_ID=421\n"});
  proc.has({.id = 9, .environment = "HOME=/home/ann\n"});
  CHECK(kind(proc, 7) == own);
  CHECK(kind(proc, 8) == other);
  CHECK(kind(proc, 9) == unknown);
  CHECK(kind(proc, 1234) == unknown);
}

TEST_CASE("all elements of the run's array are the run's") {
  const FakeProc proc;
  const forward::RunJob element{.job = "42", .sluid = "", .array = "40", .user = 1000};
  proc.has({.id = 5, .user = 0, .name = "slurmstepd", .command_line = "slurmstepd: [41.batch]"});
  proc.has({.id = 7, .parent = 5, .environment = "SLURM_JOB_ID=41\nSLURM_ARRAY_JOB_ID=40\n"});
  proc.has({.id = 8, .parent = 5, .environment = "SLURM_JOB_ID=41\nSLURM_ARRAY_JOB_ID=39\n"});
  CHECK(kind(proc, 7, element) == own);
  CHECK(kind(proc, 8, element) == other);
  CHECK(kind(proc, 7) == other);
}

TEST_CASE("the ports of the run's processes on one node, without Slurm's own") {
  const FakeProc proc;
  proc.listens("0.0.0.0", 8888, 1000, 1);
  proc.listens("::1", 6006, 1000, 2);
  proc.listens("0.0.0.0", 7000, 1000, 3);
  proc.listens("0.0.0.0", 7001, 1000, 4);
  proc.listens("0.0.0.0", 7002, 1000, 5);
  proc.has({.id = 5, .environment = "SLURM_JOB_ID=42\nSLURMD_NODENAME=n1\n", .sockets = {1, 2}});
  proc.has({.id = 6, .environment = "SLURM_JOB_ID=42\nSLURMD_NODENAME=n2\n", .sockets = {3}});
  proc.has({.id = 7, .name = "srun", .environment = "SLURM_JOB_ID=42\n", .sockets = {4}});
  proc.has({.id = 8, .environment = "SLURM_JOB_ID=43\n", .sockets = {5}});
  CHECK(JobProcesses(job, proc.path()).listening_ports("n1") == std::vector<int>{6006, 8888});
}

}  // namespace rv::forward
