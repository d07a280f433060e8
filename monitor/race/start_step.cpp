#include "monitor/race/start_step.h"

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include "base/os/atomic_file.h"
#include "base/os/child.h"
#include "monitor/run/run_facts.h"
#include "slurm/environment.h"

namespace rv::monitor {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// How long a claim may take to become visible after its step has ended.
constexpr auto claim_delay = 3s;

std::vector<std::string> srun_words(const RunFolder& folder, const RunRecord& record) {
  const auto& inside = *record.job.inside;
  const int gpus = record.candidates.front().gpus;
  std::string log = folder.file("candidates/1/slurm.log");
  for (auto at = log.find('%'); at != std::string::npos; at = log.find('%', at + 2)) log.insert(at, "%");
  // --mem=0: the memory of the job, which its steps share. A step that states none takes all of it, and the next waits.
  std::vector<std::string> words = {"bash",
                                    "-c",
                                    R"(exec "$@" >"$0" 2>&1)",
                                    folder.file("candidates/1/srun.log"),
                                    "srun",
                                    "--jobid=" + std::to_string(inside.job),
                                    "--exact",
                                    "--nodes=1",
                                    "--ntasks=1",
                                    gpus > 0 ? "--gres=gpu:" + std::to_string(gpus) : "--gres=none",
                                    "--cpus-per-task=" + std::to_string(inside.cpus),
                                    "--mem=0",
                                    "--job-name=" + step_name(record),
                                    "--input=none",
                                    "--output=" + log,
                                    "--open-mode=append",
                                    "--chdir=" + folder.path()};
  if (inside.overlap) words.emplace_back("--overlap");
  words.insert(words.end(), {"bash", folder.file("candidates/1/script.sh")});
  return words;
}

/// The caller's GPUs, where it is a process of a job, are not the step's.
std::vector<std::string> step_environment() {
  auto variables = slurm::submit_environment();
  std::erase_if(variables, [](const std::string& variable) { return variable.starts_with("CUDA_VISIBLE_DEVICES="); });
  variables.emplace_back("CUDA_VISIBLE_DEVICES=");
  return variables;
}

/// srun's last message of an error, without its prefix.
std::string fault_in(const std::string& log) {
  constexpr std::string_view prefix = "srun: error: ";
  const auto at = log.rfind(prefix);
  if (at == std::string::npos) return "srun ended without a message";
  const auto begin = at + prefix.size();
  return log.substr(begin, log.find('\n', begin) - begin);
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// Another srun may succeed later. While a part of the requested GPUs is in use, 22.05 calls the request invalid
/// instead of letting srun wait; rv has checked that the job has that many.
bool is_transient(const std::string& fault) {
  return has(fault, "Invalid generic resource") || has(fault, "Unable to contact") || has(fault, "timed out") ||
         has(fault, "onnection");
}

class StepStart {
 public:
  explicit StepStart(const RunFolder& folder) : folder_(folder), record_(folder.record()) {}

  void run() {
    append(EventKind::intent);
    for (auto pause = 1s; !is_decided(); pause = std::min(pause + 1s, 15s)) {
      if (!start_once()) return;
      std::this_thread::sleep_for(pause);
    }
  }

 private:
  /// Returns true if another srun may succeed.
  bool start_once() {
    const os::Child srun({.argv = srun_words(folder_, record_),
                          .environment = step_environment(),
                          .group = os::Group::own,
                          .death_signal = SIGTERM});
    int status = 0;
    for (auto pause = 20ms; ::waitpid(srun.pid(), &status, WNOHANG) == 0; pause = std::min(pause * 2, 500ms)) {
      if (is_decided()) {
        end(srun);
        return false;
      }
      std::this_thread::sleep_for(pause);
    }
    return !is_decided() && may_try_again();
  }

  /// A second process of srun kills the step if only the first is killed, so both get the signal at once. An srun that
  /// still waits for GPUs ends its request at TERM.
  void end(const os::Child& srun) {
    ::kill(-srun.pid(), standing().claim ? SIGKILL : SIGTERM);
    [[maybe_unused]] const int code = srun.wait();
  }

  bool may_try_again() {
    auto fault = fault_in(os::read_file(folder_.file("candidates/1/srun.log")).value_or(""));
    if (is_transient(fault)) return true;
    for (const auto until = Clock::now() + claim_delay; Clock::now() < until; std::this_thread::sleep_for(100ms)) {
      if (is_decided()) return false;
    }
    if (has(fault, "already completing") || has(fault, "Invalid job id") || has(fault, "expired")) {
      fault = "run " + record_.job.inside->run + " ended before the command started";
    }
    append(EventKind::refused, {{"message", fault}});
    return false;
  }

  Standing standing() {
    read_ledger(folder_.ledger(), entries_);
    return standing_of(entries_, rules_of(record_));
  }

  bool is_decided() {
    const auto now = standing();
    return now.claim || now.stop || now.outcome;
  }

  void append(EventKind kind, nlohmann::json more = nlohmann::json::object()) {
    folder_.append(
        {.time = {}, .name = kind, .candidate = 1, .job = std::nullopt, .attempt = 1, .more = std::move(more)});
  }

  const RunFolder& folder_;
  RunRecord record_;
  std::vector<Entry> entries_;
};

}  // namespace

void start_step(const RunFolder& folder, const SubmitLock& /*held*/) {
  StepStart(folder).run();
}

const std::string& step_name(const RunRecord& record) {
  return record.candidates.front().job_name;
}

}  // namespace rv::monitor
