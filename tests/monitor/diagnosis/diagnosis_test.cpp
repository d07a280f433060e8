#include "monitor/diagnosis/diagnosis.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

namespace {

TimePoint at(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

RunEvidence ended(RunState state, std::optional<int> code = std::nullopt) {
  RunEvidence evidence;
  Candidate candidate;
  candidate.job_name = "x@k3f9x2.1";
  candidate.summary = "4× A40 on gpu-a40";
  candidate.time_limit = std::chrono::minutes(30);
  evidence.facts.record.candidates.push_back(candidate);
  evidence.view.state = state;
  evidence.view.exit_code = code;
  evidence.view.winner = 1;
  evidence.view.nodes = "n[1-2]";
  evidence.view.candidates.push_back({candidate, {}, std::nullopt});
  return evidence;
}

void log(RunEvidence& evidence, const std::string& node, std::vector<std::string> lines,
         std::optional<long> first = 1) {
  evidence.logs.push_back(
      {.file = "logs/" + node + ".err", .node = node, .lines = std::move(lines), .first_line = first});
}

void event(RunEvidence& evidence, EventKind kind, nlohmann::json more = nlohmann::json::object()) {
  evidence.facts.events.push_back(
      {.time = at(1), .name = kind, .candidate = 1, .job = JobId{7}, .more = std::move(more)});
}

rv::slurm::AccountingRow row(const char* state, int status, int signal) {
  rv::slurm::AccountingRow accounting;
  accounting.state = state;
  accounting.exit_status = status;
  accounting.exit_signal = signal;
  return accounting;
}

}  // namespace

TEST_CASE("the nearest to the root is the cause, with file and line; the rest is reported too") {
  auto evidence = ended(RunState::failed, 1);
  log(evidence, "n1", {"epoch 1", "x NCCL error in: y", "NCCL error in: z"});
  log(evidence, "n2", {"epoch 1", "epoch 2", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate"}, 101);
  const auto diagnosis = diagnose(evidence);
  CHECK(diagnosis.cause == Cause::cuda_out_of_memory);
  REQUIRE(diagnosis.proofs.size() == 1);
  CHECK(diagnosis.proofs[0].source == "logs/n2.err");
  CHECK(diagnosis.proofs[0].line == 103);
  CHECK(diagnosis.also == std::vector<Cause>{Cause::nccl});
  CHECK(!diagnosis.retry_elsewhere);
  CHECK(diagnosis.bad_nodes.empty());
  CHECK(diagnosis.tail.empty());
}

TEST_CASE("broken hardware names its node and is worth another try elsewhere") {
  auto evidence = ended(RunState::failed, 1);
  log(evidence, "n1", {"NCCL error in: y"});
  log(evidence, "n2", {"RuntimeError: CUDA error: uncorrectable ECC error encountered"});
  const auto diagnosis = diagnose(evidence);
  CHECK(diagnosis.cause == Cause::gpu_hardware);
  CHECK(diagnosis.retry_elsewhere);
  CHECK(diagnosis.bad_nodes == std::vector<std::string>{"n2"});
}

TEST_CASE("messages of an earlier start of the job are not a cause of the last one's end") {
  auto evidence = ended(RunState::failed, 6);
  evidence.view.nodes = "n2";
  log(evidence, "n1", {"RuntimeError: CUDA error: uncorrectable ECC error encountered"});
  evidence.logs.push_back(
      {.file = "candidates/1/slurm.log",
       .node = "",
       .lines = {"slurmstepd-n1: error: *** JOB 213 ON n1 CANCELLED AT 2026-11-23T04:00:44 DUE TO NODE FAILURE ***"},
       .first_line = 1});
  CHECK(diagnose(evidence).cause == Cause::node_failure);  // nothing is on record of how the last one ended
  ExitRecord exit;
  exit.kind = ExitKind::exited;
  exit.code = 6;
  evidence.facts.exit = exit;
  const auto diagnosis = diagnose(evidence);
  CHECK(diagnosis.cause == Cause::unknown);
  CHECK(diagnosis.bad_nodes.empty());
  CHECK(!diagnosis.retry_elsewhere);
  evidence.facts.exit->kind = ExitKind::terminated;  // the other node of two failed, and Slurm ended the script
  CHECK(diagnose(evidence).cause == Cause::node_failure);
}

TEST_CASE("a log too long to count has no line numbers") {
  auto evidence = ended(RunState::failed, 1);
  log(evidence, "n1", {"ModuleNotFoundError: No module named 'x'"}, std::nullopt);
  CHECK(!diagnose(evidence).proofs.at(0).line);
}

TEST_CASE("only the relevant piece of a line with progress bars is shown") {
  auto evidence = ended(RunState::failed, 1);
  log(evidence, "n1", {"10%\r20%\rOSError: [Errno 28] No space left on device\r30%"});
  CHECK(diagnose(evidence).proofs.at(0).text == "OSError: [Errno 28] No space left on device");
}

TEST_CASE("the advice for too little memory has figures if the job's request is known") {
  auto evidence = ended(RunState::out_of_memory);
  CHECK(diagnose(evidence).advice == "ask for more with --mem");
  evidence.memory = Mebibytes{83 * 1024};
  CHECK(diagnose(evidence).advice == "this run had 83G a node; try --mem 170G");
  evidence.memory = Mebibytes{1500};
  CHECK(diagnose(evidence).advice == "this run had 1500M a node; try --mem 3G");
  auto killed = ended(RunState::failed, 137);
  killed.memory = Mebibytes{40 * 1024};
  CHECK(diagnose(killed).advice.starts_with("this run had 40G a node; try --mem 80G; if that does not help"));
  auto other = ended(RunState::failed, 3);
  other.memory = Mebibytes{40 * 1024};
  CHECK(diagnose(other).advice.find("40G") == std::string::npos);
}

TEST_CASE("Slurm's record decides about memory, even with the program's own exit code") {
  auto evidence = ended(RunState::failed, 1);
  evidence.accounting = row("OUT_OF_MEMORY", 0, 125);
  log(evidence, "n1", {"RuntimeError: DataLoader worker (pid 7) is killed by signal: Killed."});
  const auto diagnosis = diagnose(evidence);
  CHECK(diagnosis.cause == Cause::out_of_memory);
  CHECK(diagnosis.proofs.at(0).source == "sacct");
  CHECK(diagnosis.proofs.at(0).text == "State=OUT_OF_MEMORY ExitCode=0:125");
}

TEST_CASE("an unknown cause is reported as unknown, with the end of stderr") {
  auto evidence = ended(RunState::failed, 3);
  evidence.logs.push_back({.file = "logs/n1.out", .node = "n1", .lines = {"out"}, .first_line = 1});
  std::vector<std::string> lines;
  for (int i = 1; i <= 15; ++i) lines.push_back("line " + std::to_string(i));
  log(evidence, "n1", lines);
  const auto diagnosis = diagnose(evidence);
  CHECK(diagnosis.cause == Cause::unknown);
  CHECK(diagnosis.summary == "the command ended with exit code 3; the cause is not known");
  REQUIRE(diagnosis.tail.size() == 10);
  CHECK(diagnosis.tail.front() == "line 6");
  CHECK(diagnose(ended(RunState::lost)).cause == Cause::unknown);
  CHECK(diagnose(ended(RunState::unknown)).cause == Cause::unknown);
  CHECK(diagnose(ended(RunState::failed, 139)).summary.find("SIGSEGV") != std::string::npos);
}

TEST_CASE("exit codes speak where the logs are silent") {
  CHECK(diagnose(ended(RunState::failed, 127)).cause == Cause::command_not_found);
  CHECK(diagnose(ended(RunState::failed, 126)).cause == Cause::permission);
  CHECK(diagnose(ended(RunState::failed, 137)).cause == Cause::killed);
  auto evidence = ended(RunState::failed, 137);
  log(evidence, "n1", {"slurmstepd: error: Detected 1 oom_kill event in StepId=7.batch. Some of the step tasks have"});
  CHECK(diagnose(evidence).cause == Cause::out_of_memory);
}

TEST_CASE("a harmless-looking complaint counts only at the end") {
  auto evidence = ended(RunState::failed, 1);
  std::vector<std::string> lines(50, "step");
  lines.front() = "cat: /etc/x: No such file or directory";
  log(evidence, "n1", lines);
  CHECK(diagnose(evidence).cause == Cause::unknown);
  evidence.logs.front().lines.push_back("cp: /data/x: No such file or directory");
  evidence.logs.front().lines.erase(evidence.logs.front().lines.begin());
  CHECK(diagnose(evidence).cause == Cause::command_not_found);
}

TEST_CASE("endings by Slurm") {
  CHECK(diagnose(ended(RunState::timeout)).summary == "it reached its time limit of 30m");
  auto shortened = ended(RunState::timeout);
  shortened.accounting = row("TIMEOUT", 0, 0);
  shortened.accounting->start = at(100);
  shortened.accounting->end = at(100 + 1830);
  CHECK(diagnose(shortened).summary == "it reached its time limit of 30m");
  shortened.accounting->end = at(100 + 420);
  CHECK(diagnose(shortened).summary == "it reached its time limit after 7m");
  shortened.accounting->state = "DEADLINE";
  CHECK(diagnose(shortened).summary == "its deadline passed (--deadline)");
  CHECK(diagnose(ended(RunState::preempted)).cause == Cause::preempted);
  CHECK(diagnose(ended(RunState::out_of_memory)).cause == Cause::out_of_memory);
  auto evidence = ended(RunState::node_failure);
  CHECK(diagnose(evidence).bad_nodes.empty());  // which of the two is not known
  evidence.logs.push_back(
      {.file = "candidates/1/slurm.log", .node = "", .lines = {"srun: error: Node failure on n2"}, .first_line = 1});
  CHECK(diagnose(evidence).bad_nodes == std::vector<std::string>{"n2"});
  evidence = ended(RunState::node_failure);
  evidence.view.nodes = "n7";
  CHECK(diagnose(evidence).bad_nodes == std::vector<std::string>{"n7"});
  evidence = ended(RunState::lost);
  evidence.accounting = row("FAILED", 0, 53);
  CHECK(diagnose(evidence).cause == Cause::launch_failure);
}

TEST_CASE("the user who cancelled the run is named") {
  auto evidence = ended(RunState::stopped);
  evidence.user = 1001;
  CHECK(diagnose(evidence).summary == "its job was cancelled; the user who did it is not known");
  evidence.accounting = row("CANCELLED", 0, 15);
  evidence.accounting->cancelled_by = 1001;
  CHECK(diagnose(evidence).summary == "its job was cancelled by you (scancel)");
  evidence.accounting->cancelled_by = 0;
  CHECK(diagnose(evidence).summary == "its job was cancelled by root, an administrator");
  evidence.accounting->cancelled_by = 1002;
  CHECK(diagnose(evidence).summary == "its job was cancelled by user 1002");
  evidence.facts.stop_requested = true;
  CHECK(diagnose(evidence).summary == "it was stopped with rv");
}

TEST_CASE("elements that rv stopped have no other cause") {
  auto evidence = ended(RunState::stopped);
  evidence.accounting = row("COMPLETED", 0, 0);
  evidence.view.array.emplace();
  for (const int index : {0, 1, 2}) {
    const auto kind = index == 0 ? ExitKind::exited : ExitKind::stopped;
    evidence.view.array->elements.push_back(
        {.index = index, .start = {}, .exit = ExitRecord{.code = 0, .time = at(9), .job = JobId{7}, .kind = kind}});
  }
  evidence.facts.exit = evidence.view.array->elements.back().exit;
  auto diagnosis = diagnose(evidence);
  CHECK(diagnosis.cause == Cause::cancelled);
  CHECK(diagnosis.summary == "elements 1, 2 were stopped with rv (rv stop --element)");
  REQUIRE(diagnosis.proofs.size() == 1);
  CHECK(diagnosis.proofs[0].source == "events.jsonl");
  evidence.view.array.reset();  // as rv why --element explains one
  CHECK(diagnose(evidence).summary == "it was stopped with rv (rv stop --element)");
}

TEST_CASE("fewer GPUs than requested explain CUDA's errors, but not a missing module") {
  auto evidence = ended(RunState::failed, 1);
  event(evidence, EventKind::missing_gpu, {{"node", "n2"}, {"asked", 4}, {"got", 3}});
  log(evidence, "n2", {"RuntimeError: CUDA error: invalid device ordinal"});
  auto diagnosis = diagnose(evidence);
  CHECK(diagnosis.cause == Cause::gpu_missing);
  CHECK(diagnosis.bad_nodes == std::vector<std::string>{"n2"});
  CHECK(diagnosis.proofs.at(0).text == "missing_gpu: asked 4, got 3");
  evidence.logs.front().lines = {"ModuleNotFoundError: No module named 'torch'"};
  CHECK(diagnose(evidence).cause == Cause::python_import);
}

TEST_CASE("a run that has not ended: waiting with its reason, running, not submitted") {
  auto evidence = ended(RunState::queued);
  JobStatus status;
  status.reason = "Priority";
  status.source = "squeue";
  evidence.view.candidates.front().status = status;
  CHECK(diagnose(evidence).summary == "it is waiting in the queue: other jobs are ahead in the queue");
  evidence.view.candidates.front().status->reason = "PartitionTimeLimit";
  CHECK(diagnose(evidence).summary == "it will not start by itself: asks for more time than the partition allows");
  CHECK(diagnose(evidence).advice == "ask for less --time");
  evidence = ended(RunState::running);
  log(evidence, "n1", {"CUDA out of memory. Tried again with a smaller batch"});
  CHECK(diagnose(evidence).cause == Cause::under_way);
  CHECK(diagnose(evidence).also.empty());
  CHECK(diagnose(ended(RunState::unsubmitted)).cause == Cause::not_submitted);
  CHECK(diagnose(ended(RunState::done, 0)).cause == Cause::nothing_wrong);
}

TEST_CASE("refusals: Slurm's, the gate's, a second start's") {
  auto evidence = ended(RunState::refused);
  evidence.view.candidates.front().journal.refusal = "Job violates accounting/QOS policy";
  CHECK(diagnose(evidence).proofs.at(0).text == "4× A40 on gpu-a40: Job violates accounting/QOS policy");
  evidence = ended(RunState::lost);
  evidence.view.nodes = "n3";
  evidence.logs.push_back({.file = "candidates/1/slurm.log",
                           .node = "",
                           .lines = {"rv: can't read or write the run folder /x on n3, so the command did not start"},
                           .first_line = 1});
  CHECK(diagnose(evidence).cause == Cause::gate);
  CHECK(diagnose(evidence).bad_nodes == std::vector<std::string>{"n3"});
  event(evidence, EventKind::refused_restart);
  CHECK(diagnose(evidence).cause == Cause::restart_refused);
}

TEST_CASE("a command that the watch ended has stalled, whatever its processes printed at their end") {
  auto evidence = ended(RunState::failed, 143);
  log(evidence, "n1", {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate"});
  event(evidence, EventKind::stalled, {{"silent_s", 1200}, {"ends", 0}, {"suspect", ""}});
  CHECK(diagnose(evidence).cause == Cause::cuda_out_of_memory);  // it was only warned of
  event(evidence, EventKind::stalled, {{"silent_s", 1260}, {"ends", 1}, {"suspect", "rank 3 is stopped"}});
  const auto diagnosis = diagnose(evidence);
  CHECK(diagnosis.cause == Cause::stalled);
  CHECK(diagnosis.summary == "it made no progress for 21m, and --on-stall ended it");
  CHECK(diagnosis.proofs.at(0).text == "rank 3 is stopped");
}

TEST_CASE("ends that a chain or a predecessor gave it") {
  auto chain = ended(RunState::failed);
  chain.view.detail = "segment 2 saved nothing";
  chain.facts.exit = ExitRecord{.code = 0, .time = at(9), .job = JobId{7}, .kind = ExitKind::no_progress};
  CHECK(diagnose(chain).cause == Cause::no_progress);
  CHECK(diagnose(chain).summary == "segment 2 saved nothing");
  CHECK(diagnose(chain).advice.find("RV_CHECKPOINT_DIR") != std::string::npos);

  auto follower = ended(RunState::stopped);
  follower.view.detail = "not started: run a1b2c3, which it follows, did not succeed";
  follower.facts.exit = ExitRecord{.code = 1, .time = at(9), .job = JobId{7}, .kind = ExitKind::predecessor};
  const auto diagnosis = diagnose(follower);
  CHECK(diagnosis.cause == Cause::predecessor);
  REQUIRE(diagnosis.proofs.size() == 1);
  CHECK(diagnosis.proofs[0].source == "ledger");
}

TEST_CASE("a signal during a preemption is the preemption, even if Slurm reports FAILED") {
  auto evidence = ended(RunState::failed, 143);
  evidence.record.emplace();
  evidence.record->state = "FAILED";
  evidence.record->exit_status = 143;
  CHECK(diagnose(evidence).cause == Cause::unknown);
  evidence.record->preempted = true;
  const auto diagnosis = diagnose(evidence);
  CHECK(diagnosis.cause == Cause::preempted);
  REQUIRE(diagnosis.proofs.size() == 1);
  CHECK(diagnosis.proofs[0].text == "State=FAILED ExitCode=143:0, preempted (PreemptTime)");
  evidence.view.exit_code = 3;  // its own
  CHECK(diagnose(evidence).cause == Cause::unknown);
  evidence = ended(RunState::failed, 143);
  evidence.accounting = row("PREEMPTED", 143, 0);
  CHECK(diagnose(evidence).cause == Cause::preempted);
  log(evidence, "n1", {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate"});
  CHECK(diagnose(evidence).cause == Cause::cuda_out_of_memory);
}

TEST_CASE("an array's failed elements are grouped by their end, and the tail names its element") {
  auto evidence = ended(RunState::failed, 1);
  evidence.view.array.emplace();
  for (const auto& [index, code] : {std::pair(0, 0), {3, 1}, {8, 1}, {13, 4}, {18, 1}}) {
    evidence.view.array->indices.push_back(index);
    evidence.view.array->elements.push_back(
        {.index = index, .start = {}, .exit = ExitRecord{.code = code, .time = at(9), .job = JobId{7}}});
  }
  log(evidence, "3", {"it says nothing"});
  log(evidence, "8", {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate"});
  log(evidence, "18.n2", {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate"});
  const auto diagnosis = diagnose(evidence);
  REQUIRE(diagnosis.elements.size() == 3);
  CHECK(diagnosis.elements[0].indices == std::vector<int>{8, 18});
  CHECK(diagnosis.elements[0].exit_code == 1);
  CHECK(diagnosis.elements[0].cause == Cause::cuda_out_of_memory);
  CHECK(diagnosis.elements[1].indices == std::vector<int>{3});
  CHECK(diagnosis.elements[1].cause == std::nullopt);
  CHECK(diagnosis.elements[2].indices == std::vector<int>{13});
  CHECK(diagnosis.elements[2].exit_code == 4);
  CHECK_FALSE(diagnosis.tail_element);  // no tail: the cause is known
  evidence.logs.resize(1);
  CHECK(diagnose(evidence).tail_element == 3);
  evidence.view.array.reset();
  CHECK(diagnose(evidence).elements.empty());
}
