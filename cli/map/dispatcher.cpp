#include "cli/map/dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <deque>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/os/host_name.h"
#include "base/variable.h"
#include "cli/map/node_tasks.h"
#include "cli/map/task_journal.h"
#include "monitor/tasks/task_claims.h"
#include "monitor/tasks/task_results.h"
#include "shared/number.h"

namespace rv::cli {
namespace {

using namespace std::chrono_literals;
using monitor::ClaimKind;
using monitor::TaskEvent;
using monitor::TaskRecord;

/// Further failures are only counted, so that thousands of them do not fill the log.
constexpr int most_printed = 20;

using Clock = std::chrono::steady_clock;

/// Slurm's TERM reaches the tasks and this process a moment apart, in any order.
constexpr auto signal_spread = 500ms;

constexpr auto longest_refusal = 10min;
constexpr std::chrono::milliseconds retry_pause = 1s;

/// This process's place in the job.
struct Place {
  std::string start;  // of the job, "4711.0"
  std::string node;
  int nodes = 1;

  std::string writer() const { return start + "." + node; }
};

Place place_in_job() {
  const auto job = variable("SLURM_JOB_ID"), restarts = variable("SLURM_RESTART_COUNT");
  auto node = variable("SLURMD_NODENAME");
  if (node.empty()) node = os::host_name();
  return {job + "." + (restarts.empty() ? "0" : restarts), node, number_in<int>(variable("NNODES"), 1).value_or(1)};
}

sigset_t awaited_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&signals, number);
  return signals;
}

int cpus_of_job() {
  return number_in<int>(variable("SLURM_CPUS_ON_NODE"), 1).value_or(1);
}

std::vector<TaskSlot> slots_here(const monitor::TaskList& list, const std::string& node) {
  auto slots = task_slots(list, variable("CUDA_VISIBLE_DEVICES"), cpus_of_job());
  if (!slots.empty()) return slots;
  throw Error(list.gpus_per_task == 0 ? fmt::format("{} has {} CPUs for this job, and a task needs {}", node,
                                                    cpus_of_job(), list.cpus_per_task)
                                      : fmt::format("a task needs {} GPUs on {}, where CUDA_VISIBLE_DEVICES is \"{}\"",
                                                    list.gpus_per_task, node, variable("CUDA_VISIBLE_DEVICES")),
              "request more with -g, --single-node or --cpus");
}

/// Goes on where the job's log can't be written, for example on a full disk.
void print(const std::string& line) {
  std::fputs(("rv: " + line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

class Dispatcher {
 public:
  Dispatcher(const std::string& folder, const monitor::TaskList& list, Place place)
      : folder_(folder),
        list_(list),
        place_(std::move(place)),
        claims_(folder),
        tasks_(list, slots_here(list, place_.node), folder + "/map/output/" + place_.writer()),
        journal_(folder + "/map/journal/" + place_.writer()),
        signals_(awaited_signals()) {
    ::sigprocmask(SIG_BLOCK, &signals_, nullptr);
  }

  int run() {
    begin_pass();
    while (true) {
      settle_failures();
      // A full disk shows here first: nothing is claimed that could not be recorded.
      written_ = journal_.write();
      const bool filled = may_start() && start_more();
      written_ = written_ && journal_.write();
      if (tasks_.none() && doubtful_.empty() && (filled || stopped_by_ != 0)) break;
      await_signal();
      while (const auto ended = tasks_.reap()) take_end(*ended);
    }
    return end();
  }

 private:
  bool is_superseded() const {
    return claims_.claims().has_begun(place_.start) && claims_.claims().start() != place_.start;
  }

  /// The first node of a start writes down which tasks it is to run: all that have not ended in an earlier one.
  void begin_pass() {
    claims_.read();
    monitor::TaskReader reader(folder_, list_);
    reader.read();
    std::vector<int> left;
    for (const auto& result : reader.results(/*over=*/true, /*earlier=*/false)) {
      if (!result.end || result.state == monitor::TaskState::interrupted) left.push_back(result.task);
      if (result.start) attempts_[result.task] = result.start->attempt;
    }
    while (!claims_.claims().has_begun(place_.start)) {
      claims_.append({ClaimKind::pass, place_.start, place_.node, "", left});
    }
    if (is_superseded())
      throw Error("another start of this job has taken over its tasks", "there is nothing to do here");
  }

  void claim_more() {
    while (claimed_.empty() && !is_superseded() && claims_.claims().unclaimed() > 0) {
      const int size = monitor::chunk_size(claims_.claims().unclaimed(), static_cast<int>(list_.numbers.size()),
                                           place_.nodes, tasks_.free_slots());
      const auto next = claims_.claims().next(size);
      if (claims_.append({ClaimKind::chunk, place_.start, place_.node, "", next})) {
        claimed_.assign(next.begin(), next.end());
      }
    }
  }

  /// A task that failed is started again before others are claimed.
  std::optional<int> next_task() {
    if (!again_.empty()) {
      const int task = again_.front();
      again_.pop_front();
      return task;
    }
    if (claimed_.empty()) claim_more();
    if (claimed_.empty()) return std::nullopt;
    const int task = claimed_.front();
    claimed_.pop_front();
    return task;
  }

  /// Not while results can't be recorded, nor while a task's death may be the first sign of the job's end.
  bool may_start() const {
    const auto killed = [](const auto& doubtful) { return doubtful.first.code > 128; };
    return stopped_by_ == 0 && written_ && std::none_of(doubtful_.begin(), doubtful_.end(), killed);
  }

  /// False if a task could not be claimed or started, mostly on a full disk. The caller tries again in a second. Throws
  /// after ten minutes of that.
  bool start_more() {
    try {
      fill_slots();
      refused_since_.reset();
      return true;
    } catch (const std::exception& fault) {
      if (!refused_since_) {
        refused_since_ = Clock::now();
        print(fmt::format("no task can be started: {}; trying again for ten minutes", fault.what()));
      }
      if (Clock::now() - *refused_since_ > longest_refusal && tasks_.none()) throw;
      return false;
    }
  }

  void fill_slots() {
    while (tasks_.free_slots() > 0) {
      const auto task = next_task();
      if (!task) return;
      try {
        journal_.add(tasks_.start(*task, attempts_[*task] + 1));
      } catch (...) {
        again_.push_front(*task);
        throw;
      }
      ++attempts_[*task];
    }
  }

  /// Until a task ends or a signal comes, or the journal is to be stored or a failure is certain.
  void await_signal() {
    auto wait = journal_.store(/*now=*/false);
    if (!doubtful_.empty()) {
      const auto certain = std::chrono::ceil<std::chrono::milliseconds>(doubtful_.front().second - Clock::now());
      wait = std::max(1ms, wait > 0ms ? std::min(wait, certain) : certain);
    }
    if (refused_since_) wait = wait > 0ms ? std::min(wait, retry_pause) : retry_pause;
    const timespec limit{.tv_sec = wait.count() / 1000, .tv_nsec = wait.count() % 1000 * 1'000'000};
    const int number = wait > 0ms ? ::sigtimedwait(&signals_, nullptr, &limit) : ::sigwaitinfo(&signals_, nullptr);
    if (number < 0 || number == SIGCHLD) return;
    if (stopped_by_ == 0) stopped_by_ = number;
    tasks_.signal(number);
    for (auto& [record, certain] : doubtful_) cut(record);
    doubtful_.clear();
  }

  void cut(TaskRecord& record) {
    record.event = TaskEvent::cut;
    journal_.add(record);
  }

  void take_end(TaskRecord record) {
    if (record.code == 0) {
      journal_.add(record);
    } else if (stopped_by_ != 0) {
      cut(record);
    } else {
      doubtful_.emplace_back(record, Clock::now() + signal_spread);
    }
  }

  /// Records the failures that no signal to stop explains, and starts such a task again where it has retries left.
  void settle_failures() {
    while (!doubtful_.empty() && doubtful_.front().second <= Clock::now()) {
      const auto record = doubtful_.front().first;
      doubtful_.pop_front();
      journal_.add(record);
      const bool once_more = retried_[record.task] < list_.retries;
      if (once_more) {
        ++retried_[record.task];
        again_.push_back(record.task);
      }
      print_failure(record, once_more);
    }
  }

  void print_failure(const TaskRecord& record, bool once_more) {
    if (++printed_ > most_printed) return;
    print(fmt::format("task {} failed: {}{}", record.task, end_in_words(record),
                      once_more ? "; it is started again" : ""));
    if (printed_ == most_printed) print("further failures are only counted; rv map --results lists them");
  }

  int end() {
    for (const int task : claimed_) journal_.add({.event = TaskEvent::returned, .task = task});
    while (!journal_.write()) std::this_thread::sleep_for(1s);
    journal_.store(/*now=*/true);
    if (stopped_by_ != 0) return 128 + stopped_by_;
    if (is_superseded()) return 0;
    while (!claims_.append({ClaimKind::done, place_.start, place_.node, "", {}})) {
      if (is_superseded()) return 0;
    }
    return claims_.claims().nodes_done() < place_.nodes ? 0 : judge();
  }

  /// On the node that ends last: all records are written.
  int judge() {
    monitor::TaskReader reader(folder_, list_);
    reader.read();
    const auto results = reader.results(/*over=*/true);
    print(monitor::summary_of(results));
    if (monitor::count_states(reader.results(/*over=*/true, /*earlier=*/false)).all_ok()) return 0;
    // srun ends the processes of all nodes if one ends with a code. Those of the others end now, with 0.
    if (place_.nodes > 1) std::this_thread::sleep_for(1s);
    return tasks_failed;
  }

  const std::string& folder_;
  const monitor::TaskList& list_;
  Place place_;
  monitor::ClaimFolder claims_;
  NodeTasks tasks_;
  TaskJournal journal_;
  sigset_t signals_;
  std::deque<int> claimed_, again_;
  std::deque<std::pair<TaskRecord, Clock::time_point>> doubtful_;  // failures, and when they are certain
  std::map<int, int> attempts_, retried_;
  int stopped_by_ = 0;
  bool written_ = true;                             // all of the journal
  std::optional<Clock::time_point> refused_since_;  // no task could be started
  int printed_ = 0;
};

}  // namespace

int dispatch_tasks(const std::string& run_folder) {
  const auto list = monitor::read_task_list(run_folder);
  if (!list) throw Error(run_folder + " has no tasks", "start tasks with rv map", ExitCode::usage);
  return Dispatcher(run_folder, *list, place_in_job()).run();
}

}  // namespace rv::cli
