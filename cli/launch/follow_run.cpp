#include "cli/launch/follow_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/os/atomic_file.h"
#include "base/os/host_name.h"
#include "base/os/interrupt.h"
#include "base/text.h"
#include "cli/json/run_json.h"
#include "cli/json/values_json.h"
#include "cli/launch/follow_loop.h"
#include "cli/remote/hop/login_side.h"
#include "cli/setup/waiting_keys.h"
#include "cli/use/end_line.h"
#include "cli/views/race_display.h"
#include "monitor/jobs/nodes_in_brief.h"
#include "monitor/race/stop.h"
#include "monitor/run/run_end.h"

namespace rv::cli {
namespace {

using monitor::RunState;
using namespace std::chrono_literals;

bool has_started(const monitor::RunView& view) {
  return view.winner.has_value() &&
         (view.state == RunState::running || view.state == RunState::holding || view.state == RunState::ending);
}

/// A candidate is in the queue, or a command inside another run waits for its GPUs there.
bool has_accepted(const monitor::RunRecord& record, const monitor::RunView& view) {
  if (record.job.inside) return view.state == RunState::queued;
  return std::any_of(view.candidates.begin(), view.candidates.end(),
                     [](const auto& candidate) { return candidate.journal.job.has_value(); });
}

void report_copy(const std::string& id, const monitor::RunView& view, const os::Terminal& terminal) {
  if (!view.output_copy || view.output_copy == monitor::CopyState::copied) return;
  fmt::print(stderr, "rv: warning: run {} ended: {}\n", id, view.copy_trouble);
  if (view.output_copy == monitor::CopyState::failed) {
    fmt::print(stderr, "{} rv logs {} names the paths\n", terminal.hint(), id);
  }
}

/// Messages of the batch scripts themselves: a folder that can't be entered, a fault of a node.
void print_batch_logs(const monitor::RunFolder& folder, const monitor::RunView& view) {
  for (const auto& candidate : view.candidates) {
    const auto log =
        os::read_file(folder.file("candidates/" + std::to_string(candidate.candidate.number) + "/slurm.log"));
    if (log && !log->empty()) fmt::print(stderr, "{}{}", *log, log->ends_with('\n') ? "" : "\n");
  }
}

class FollowedRun {
 public:
  FollowedRun(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
              const Follow& follow)
      : folder_(folder),
        gateway_(gateway),
        follow_(follow),
        quiet_(invocation.json),
        record_(folder.record()),
        keys_(follow.may_detach ? std::make_unique<WaitingKeys>() : nullptr),
        display_(invocation.terminal, what_keys_do(follow, keys_.get())),
        output_(folder.path(), invocation.hop, invocation.settings.home, {.bars = follow.bars}),
        loop_(gateway, folder, output_, 1s) {
    output_.before_each([this] { display_.clear(); });
  }

  Followed run() {
    const auto left = loop_.run({.several = [this](const auto& view) { return several(view); },
                                 .reached = [this](const auto& view) { return reached(view); },
                                 .looked = [this](const auto& view, auto followed) { show(view, followed); }});
    display_.clear();
    if (keys_) keys_->end();
    if (left == FollowLoop::Left::interrupted) return interrupted();
    return {loop_.watcher().views().front(), left == FollowLoop::Left::cut_short, detached_};
  }

 private:
  static std::string what_keys_do(const Follow& follow, const WaitingKeys* keys) {
    if (follow.only_watch) return "stops following; the run continues";
    return keys != nullptr && keys->active() ? "cancels, d detaches" : "cancels";
  }

  /// Before any output of the command.
  void announce_start(const monitor::RunView& view) {
    const auto* candidate = winner_of(record_, view);
    if (!follow_.announce || announced_ || candidate == nullptr || !view.started) return;
    announced_ = true;
    if (keys_) keys_->end();
    display_.clear();
    fmt::print(stderr, "rv: run {} started on {}: {}\n", record_.id, one_line(monitor::nodes_in_brief(view)),
               candidate->summary);
  }

  /// Each job's, of each attempt, once.
  void announce_preflight(const monitor::RunView& view) {
    const bool quiet = quiet_ || follow_.only_watch || (!follow_.announce && !record_.job.hold);
    if (quiet || !view.preflight || view.preflight->job == tested_) return;
    tested_ = view.preflight->job;
    display_.clear();
    const bool unknown = view.preflight->verdict == monitor::PreflightVerdict::unknown;
    fmt::print(stderr, "rv: {}preflight {}\n", unknown ? "warning: " : "", in_words(*view.preflight));
  }

  std::optional<bool> several(const monitor::RunView& view) {
    announce_start(view);
    announce_preflight(view);
    // The line about the preflight comes before the output.
    if (record_.job.preflight && view.state == RunState::starting) return std::nullopt;
    const auto* candidate = winner_of(record_, view);
    if (!follow_.stream || candidate == nullptr) return std::nullopt;
    if (record_.job.array && record_.job.array->elements.size() > 1) return true;
    return candidate->nodes > 1;
  }

  void show(const monitor::RunView& view, FollowLoop::Clock::duration followed) {
    if (view.winner) {
      const auto line = follow_.progress && followed > 1s ? follow_.progress(view) : std::string();
      return line.empty() ? display_.clear() : display_.show_line(line);
    }
    // On an idle cluster the GPUs come before a line of progress would be useful.
    if (followed <= 700ms) return;
    display_.show(record_, view, loop_.watcher().trouble(), std::chrono::duration_cast<std::chrono::seconds>(followed));
  }

  bool reached(const monitor::RunView& view) {
    announce_preflight(view);
    if (monitor::is_final(view.state)) return true;
    // Once a candidate is in the queue: before, another process may still submit it.
    detached_ = keys_ && !view.winner && has_accepted(record_, view) && keys_->pressed('d');
    if (detached_) return true;
    switch (follow_.until) {
      case Until::accepted:
        return has_accepted(record_, view) || view.winner.has_value();
      case Until::started:
        return has_started(view) && (!follow_.ready || follow_.ready());
      case Until::over:
        return false;
    }
    return false;
  }

  Followed interrupted() {
    if (os::hung_up()) os::discard_output();
    if (follow_.only_watch) return {loop_.watcher().views().front(), true};
    if (!monitor::read_facts(folder_).has_started()) {
      const auto stopped = monitor::stop_run(folder_, gateway_, os::host_name());
      if (!stopped.had_started) {
        fmt::print(
            stderr, "rv: cancelled {}; {}\n",
            stopped.cancelled.size() == 1 ? "1 candidate" : fmt::format("{} candidates", stopped.cancelled.size()),
            stopped.ran_before ? "the command is not started again" : "nothing was started");
        if (!stopped.trouble.empty()) {
          fmt::print(stderr, "rv: Slurm did not answer ({}); queued jobs of the run will not start\n", stopped.trouble);
        }
      }
    }
    return {loop_.watcher().poll(false).front(), true};
  }

  const monitor::RunFolder& folder_;
  slurm::Gateway& gateway_;
  Follow follow_;
  bool quiet_;
  monitor::RunRecord record_;
  std::unique_ptr<WaitingKeys> keys_;
  bool announced_ = false;
  std::optional<monitor::JobId> tested_;  // whose preflight was announced
  bool detached_ = false;
  RaceDisplay display_;
  remote::RunOutput output_;
  FollowLoop loop_;
};

}  // namespace

monitor::RunFolder resumed_run(const Invocation& invocation) {
  const std::string& home = invocation.settings.home;
  std::string run = invocation.hop.value().resume.run;
  if (run.empty()) run = remote::run_of_token(home, invocation.hop->token);
  os::catch_interrupts();
  return monitor::RunFolder(home + "/runs/" + run);
}

Followed follow_run(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
                    const Follow& follow) {
  return FollowedRun(folder, gateway, invocation, follow).run();
}

int after_interrupt(const monitor::RunFolder& folder, const Followed& followed, const std::string& next) {
  if (!monitor::is_final(followed.view.state)) {
    os::write_briefly(fmt::format("rv: run {0} continues; {1}, rv stop {0} ends it\n", folder.id(),
                                  next.empty() ? fmt::format("rv logs -f {} follows it again", folder.id()) : next));
  }
  return os::interrupt_exit_code();
}

Attended attend(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
                const Attendance& attendance) {
  const bool alone = attendance.detach;
  const auto followed = follow_run(folder, gateway, invocation,
                                   {.until = alone ? Until::accepted : Until::over,
                                    .stream = attendance.stream && !alone,
                                    .progress = alone ? nullptr : attendance.progress});
  const auto& view = followed.view;
  if (followed.interrupted) return {after_interrupt(folder, followed, attendance.next), view};
  if (alone && invocation.json) fmt::print("{}", json_text(run_json(folder.record(), view)));
  if (view.state == RunState::refused) {
    explain_end(folder, view, invocation.terminal);
    return {exit_code_of(view), view};
  }
  if (!alone) return {std::nullopt, view};
  if (!invocation.json) {
    fmt::print("{}\n", folder.id());
    fmt::print(stderr, "rv: submitted as run {0}; {1}, rv stop {0} ends it\n", folder.id(),
               attendance.next.empty() ? fmt::format("rv logs -f {} follows it", folder.id()) : attendance.next);
  }
  return {0, view};
}

int follow_to_end(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
                  monitor::Bars bars, const std::function<std::string(const monitor::RunView& view)>& progress) {
  const auto followed = follow_run(folder, gateway, invocation,
                                   {.until = Until::over,
                                    .stream = !invocation.json,
                                    .bars = bars,
                                    .progress = progress,
                                    .announce = !invocation.json,
                                    .may_detach = !invocation.json && !invocation.hop});
  if (followed.interrupted) return after_interrupt(folder, followed);
  if (followed.detached) {
    fmt::print("{}\n", folder.id());
    fmt::print(stderr, "rv: run {0} stays in the queue; rv logs -f {0} follows it, rv stop {0} ends it\n", folder.id());
    return 0;
  }
  if (invocation.json) {
    fmt::print("{}", json_text(run_json(folder.record(), followed.view)));
  } else {
    explain_end(folder, followed.view, invocation.terminal);
    print_use(folder, followed.view);
  }
  return exit_code_of(followed.view);
}

int exit_code_of(const monitor::RunView& view) {
  switch (view.state) {
    case RunState::done:
      return view.exit_code.value_or(0);
    case RunState::failed:
      return view.exit_code.value_or(static_cast<int>(ExitCode::no_exit_code));
    case RunState::refused:
      return static_cast<int>(ExitCode::slurm);
    default:
      return static_cast<int>(ExitCode::no_exit_code);
  }
}

void explain_end(const monitor::RunFolder& folder, const monitor::RunView& view, const os::Terminal& terminal) {
  for (const auto& warning : view.warnings) fmt::print(stderr, "rv: warning: {}\n", warning);
  const auto id = folder.id();
  report_copy(id, view, terminal);
  if (view.state == RunState::failed) {
    fmt::print(stderr, "rv: run {} ended with {}; rv why {} names the cause\n", id,
               monitor::exit_code_words(exit_code_of(view)), id);
  }
  if (view.state == RunState::done || view.state == RunState::failed) return;
  if (view.state == RunState::refused) {
    fmt::print(stderr, "rv: error: Slurm refused every candidate of run {}\n", id);
    for (const auto& candidate : view.candidates) {
      fmt::print(stderr, "  {}: {}\n", candidate.candidate.summary, candidate.journal.refusal);
    }
    return;
  }
  if (view.state != RunState::stopped) print_batch_logs(folder, view);
  fmt::print(stderr, "rv: run {} ended: {}\n", id, view.detail);
  fmt::print(stderr, "{0} rv why {1} names the cause, rv show {1} has the details, rv logs {1} the output\n",
             terminal.hint(), id);
}

}  // namespace rv::cli
