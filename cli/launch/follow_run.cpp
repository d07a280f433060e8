#include "cli/launch/follow_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "base/os/atomic_file.h"
#include "base/os/host_name.h"
#include "base/os/interrupt.h"
#include "base/os/patient_write.h"
#include "cli/json/run_json.h"
#include "cli/json/values_json.h"
#include "cli/views/race_display.h"
#include "monitor/follow/output_writer.h"
#include "monitor/follow/poll_interval.h"
#include "monitor/race/stop.h"
#include "monitor/race/watcher.h"
#include "remote/hop/follow_channel.h"
#include "remote/hop/login_side.h"

namespace rv::cli {
namespace {

using Clock = std::chrono::steady_clock;
using monitor::RunState;
using namespace std::chrono_literals;

bool has_started(const monitor::RunView& view) {
  return view.winner.has_value() &&
         (view.state == RunState::running || view.state == RunState::holding || view.state == RunState::ending);
}

bool has_accepted(const monitor::RunView& view) {
  return std::any_of(view.candidates.begin(), view.candidates.end(),
                     [](const auto& candidate) { return candidate.journal.job.has_value(); });
}

// The folder is looked at often while something is likely to happen and seldom later: it may be on a network file
// system that others use too.
std::chrono::milliseconds pause_after(Clock::duration followed) {
  if (followed < 3s) return 15ms;
  if (followed < 60s) return 100ms;
  return 500ms;
}

class Following {
 public:
  Following(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
            const Follow& follow)
      : folder_(folder),
        gateway_(gateway),
        follow_(follow),
        record_(folder.record()),
        watcher_(gateway, {folder}),
        display_(invocation.terminal),
        logs_(folder.file("logs")) {
    if (!invocation.hop || !invocation.hop->follows) return;
    channel_.emplace(*invocation.hop);
    channel_->follow(folder.id(), remote::notes_folder(invocation.settings.home));
    if (channel_->resumed()) channel_->resume(logs_);
  }

  Followed run() {
    monitor::PollInterval tick(1s);
    const auto begun = Clock::now();
    while (true) {
      const auto now = Clock::now();
      const bool ask = tick.due(now);
      const auto& view = watcher_.look(ask).front();
      if (ask) tick.asked(now, Clock::now(), watcher_.changed());
      const bool wrote = streams(view) && logs_.poll(sink_);
      // Before anything is reached: a Ctrl-C that came since the run was made must not be answered with its success.
      if (!monitor::is_final(view.state) && os::take_interrupt()) return interrupted();
      if (reached(view)) break;
      // On a quiet cluster the GPUs are there before anything is worth showing.
      if (!view.winner && now - begun > 700ms) {
        display_.show(view, watcher_.trouble(), std::chrono::duration_cast<std::chrono::seconds>(now - begun));
      } else if (view.winner) {
        display_.clear();
      }
      if (!wrote) std::this_thread::sleep_for(pause_after(now - begun));
    }
    display_.clear();
    // The exit record comes after the last byte of output, so what is there now is everything.
    const auto& view = watcher_.views().front();
    for (bool more = streams(view); more;) {
      more = logs_.drain(sink_);
      if (!more && output_) output_->flush();
      if (os::take_interrupt()) return {view, true};
    }
    return {view, false};
  }

 private:
  bool streams(const monitor::RunView& view) {
    if (!follow_.stream || !view.winner) return false;
    if (!output_) {
      const bool several = record_.candidates.at(static_cast<std::size_t>(*view.winner - 1)).nodes > 1;
      output_.emplace(several, os::interrupt_waits);
      if (channel_) channel_->begin_output(several, /*all_to_stdout=*/false);
    }
    return true;
  }

  void write(monitor::Stream which, std::string_view node, std::string_view text) {
    display_.clear();
    if (channel_) {
      channel_->write(which, node, text, logs_.offset_of(which, node));
    } else {
      output_->write(which, node, text);
    }
  }

  bool reached(const monitor::RunView& view) const {
    if (monitor::is_final(view.state)) return true;
    switch (follow_.until) {
      case Until::accepted:
        return has_accepted(view) || view.winner.has_value();
      case Until::started:
        return has_started(view);
      case Until::over:
        return false;
    }
    return false;
  }

  Followed interrupted() {
    display_.clear();
    if (follow_.only_watch) return {watcher_.views().front(), true};
    if (!monitor::read_facts(folder_).has_started()) {
      const auto stopped = monitor::stop_run(folder_, gateway_, os::host_name());
      if (!stopped.had_started) {
        fmt::print(
            stderr, "rv: given up; {} cancelled, nothing was started\n",
            stopped.cancelled.size() == 1 ? "1 candidate" : fmt::format("{} candidates", stopped.cancelled.size()));
        if (!stopped.trouble.empty()) {
          fmt::print(stderr, "rv: Slurm did not answer ({}); what is still queued will not start\n", stopped.trouble);
        }
      }
    }
    return {watcher_.look(false).front(), true};
  }

  const monitor::RunFolder& folder_;
  slurm::Gateway& gateway_;
  Follow follow_;
  monitor::RunRecord record_;
  monitor::Watcher watcher_;
  RaceDisplay display_;
  monitor::LogFollower logs_;
  const monitor::LogSink sink_ = [this](monitor::Stream which, std::string_view node, std::string_view text) {
    write(which, node, text);
  };
  std::optional<remote::FollowChannel> channel_;  // to a laptop; nothing where rv was called here
  std::optional<monitor::OutputWriter> output_;  // once it is known how many nodes won; its end writes unfinished lines
};

}  // namespace

Followed follow_run(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
                    const Follow& follow) {
  return Following(folder, gateway, invocation, follow).run();
}

int after_interrupt(const monitor::RunFolder& folder, const Followed& followed) {
  if (!monitor::is_final(followed.view.state)) {
    os::say_last_word(
        fmt::format("rv: run {0} goes on; rv logs -f {0} follows it again, rv stop {0} ends it\n", folder.id()));
  }
  return static_cast<int>(ExitCode::interrupted);
}

int follow_to_end(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation) {
  const auto followed = follow_run(folder, gateway, invocation, {.until = Until::over, .stream = !invocation.json});
  if (followed.interrupted) return after_interrupt(folder, followed);
  if (invocation.json) {
    fmt::print("{}", json_text(run_json(folder.record(), followed.view)));
  } else {
    explain_end(folder, followed.view);
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

void explain_end(const monitor::RunFolder& folder, const monitor::RunView& view) {
  for (const auto& warning : view.warnings) fmt::print(stderr, "rv: warning: {}\n", warning);
  const auto id = folder.id();
  if (view.state == RunState::failed) {
    fmt::print(stderr, "rv: run {} ended with exit code {}; rv why {} names the cause\n", id, exit_code_of(view), id);
  }
  if (view.state == RunState::done || view.state == RunState::failed) return;
  if (view.state == RunState::refused) {
    fmt::print(stderr, "rv: error: Slurm refused every candidate of run {}\n", id);
    for (const auto& candidate : view.candidates) {
      fmt::print(stderr, "  {}: {}\n", candidate.candidate.summary, candidate.journal.refusal);
    }
    return;
  }
  fmt::print(stderr, "rv: run {} ended: {}\n", id, view.detail);
  for (const auto& candidate : view.candidates) {
    // What the batch script itself said: a folder that can't be entered, a node's trouble.
    const auto log =
        os::read_file(folder.file("candidates/" + std::to_string(candidate.candidate.number) + "/slurm.log"));
    if (log && !log->empty()) fmt::print(stderr, "{}", *log);
  }
  fmt::print(stderr, "  → rv why {0} names the cause, rv show {0} has the whole story, rv logs {0} the output\n", id);
}

}  // namespace rv::cli
