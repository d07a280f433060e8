#include "cli/commands/follow_runs/follow_several.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "base/os/interrupt.h"
#include "base/os/visibility.h"
#include "base/text.h"
#include "cli/json/run_json.h"
#include "cli/json/values_json.h"
#include "cli/launch/follow_run.h"
#include "monitor/follow/log_follower.h"
#include "monitor/follow/output_writer.h"
#include "monitor/follow/poll_interval.h"
#include "monitor/race/watcher.h"

namespace rv::cli {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::vector<monitor::RunFolder> folders_of(const std::vector<monitor::KnownRun>& runs) {
  std::vector<monitor::RunFolder> folders;
  folders.reserve(runs.size());
  for (const auto& run : runs) folders.push_back(run.folder);
  return folders;
}

/// Polls all runs with one query, until `reached`. False when Ctrl-C came.
bool poll_until(monitor::Watcher& watcher, const std::function<bool(const std::vector<monitor::RunView>&)>& reached) {
  monitor::PollInterval interval(1s);
  const auto begun = Clock::now();
  while (true) {
    const auto now = Clock::now();
    const bool ask = interval.due(now);
    const auto& views = watcher.poll(ask);
    if (ask) interval.asked(now, Clock::now(), watcher.changed());
    if (reached(views)) return true;
    if (os::take_interrupt()) return false;
    std::this_thread::sleep_for(now - begun < 60s ? 100ms : 500ms);
  }
}

bool has_gpus(const monitor::RunView& view) {
  using monitor::RunState;
  return view.winner &&
         (view.state == RunState::running || view.state == RunState::holding || view.state == RunState::ending);
}

/// The runs' names, their IDs where a name is not the only one of its kind.
std::vector<std::string> labels_of(const std::vector<monitor::KnownRun>& runs) {
  std::vector<std::string> labels;
  for (const auto& run : runs) {
    const auto& name = run.record.name;
    const auto same = std::count_if(runs.begin(), runs.end(), [&](const auto& one) { return one.record.name == name; });
    labels.push_back(name.empty() || same > 1 ? run.record.id : one_line(name));
  }
  return labels;
}

/// The logs of several runs on one stdout and stderr.
class Outputs {
 public:
  Outputs(const std::vector<monitor::KnownRun>& runs, const remote::OutputChoice& choice)
      : labels_(labels_of(runs)), choice_(choice), writer_(/*several_nodes=*/true, os::interrupt_waits) {
    if (choice.only_err) writer_.all_to_stdout();
    writer_.set_bars(choice.bars);
    for (const auto& run : runs) {
      logs_.push_back(std::make_unique<monitor::LogFollower>(run.folder.path() + "/logs", choice.logs));
      if (choice.tail >= 0) logs_.back()->start_at_tail(choice.tail);
    }
  }

  /// Prints new output. Returns true if there may be more at once.
  bool poll() {
    bool more = false;
    for (std::size_t run = 0; run < logs_.size(); ++run) more = logs_[run]->poll(sink_of(run)) || more;
    return more;
  }
  /// Prints all available output. Returns false after Ctrl-C.
  bool drain() {
    for (std::size_t run = 0; run < logs_.size(); ++run) {
      const auto sink = sink_of(run);
      while (logs_[run]->drain(sink)) {
        if (os::take_interrupt()) return false;
      }
    }
    return true;
  }
  void flush() { writer_.flush(); }
  long long missing_of(std::size_t run, const monitor::RunView& view) const {
    return logs_[run]->missing_of(view.log_sizes);
  }

 private:
  monitor::LogSink sink_of(std::size_t run) {
    const bool several = logs_[run]->nodes() > 1;
    return [this, run, several](monitor::Stream stream, std::string_view node, std::string_view text) {
      const bool wanted = stream == monitor::Stream::out ? !choice_.only_err : !choice_.only_out;
      if (wanted) writer_.write(stream, several ? labels_[run] + " " + std::string(node) : labels_[run], text);
    };
  }

  std::vector<std::string> labels_;
  remote::OutputChoice choice_;
  monitor::OutputWriter writer_;
  std::vector<std::unique_ptr<monitor::LogFollower>> logs_;
};

/// Bytes that the jobs have recorded may take a while to be seen here.
bool await_rest(Outputs& outputs, const std::vector<monitor::KnownRun>& runs,
                const std::vector<monitor::RunView>& views) {
  const auto until = Clock::now() + os::visibility_lag(runs.front().folder.path());
  const auto missing = [&](std::size_t run) { return outputs.missing_of(run, views[run]); };
  while (true) {
    if (!outputs.drain()) return false;
    std::vector<std::size_t> behind;
    for (std::size_t run = 0; run < runs.size(); ++run) {
      if (missing(run) > 0) behind.push_back(run);
    }
    if (behind.empty()) return true;
    if (Clock::now() >= until) {
      for (const auto run : behind) {
        fmt::print(stderr, "rv: {} bytes of the output are not visible on this machine yet; rv logs {} shows them\n",
                   missing(run), runs[run].record.id);
      }
      return true;
    }
    if (os::take_interrupt()) return false;
    std::this_thread::sleep_for(200ms);
  }
}

}  // namespace

int wait_for_several(const std::vector<monitor::KnownRun>& runs, const WaitFor& how, const Invocation& invocation) {
  os::catch_interrupts();
  slurm::Gateway gateway;
  monitor::Watcher watcher(gateway, folders_of(runs));
  std::vector<bool> there(runs.size());
  const auto reached = [&](const std::vector<monitor::RunView>& views) {
    for (std::size_t run = 0; run < runs.size(); ++run) {
      if (there[run] || !(monitor::is_final(views[run].state) || (how.started && has_gpus(views[run])))) continue;
      there[run] = true;
      if (invocation.json) continue;
      fmt::print(stderr, "rv: run {} ({}): {}{}\n", runs[run].record.id, one_line(runs[run].record.name),
                 to_string(views[run].state), views[run].detail.empty() ? "" : ", " + one_line(views[run].detail));
    }
    const auto is_set = [](bool one) { return one; };
    return how.any ? std::any_of(there.begin(), there.end(), is_set) : std::all_of(there.begin(), there.end(), is_set);
  };
  if (!poll_until(watcher, reached)) return os::interrupt_exit_code();
  const auto& views = watcher.views();
  if (invocation.json) {
    auto list = nlohmann::ordered_json::array();
    for (std::size_t run = 0; run < runs.size(); ++run) list.push_back(run_json(runs[run].record, views[run]));
    fmt::print("{}", json_text({{"runs", list}}));
  }
  int code = 0;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (!there[run]) continue;
    if (how.any && !invocation.json) fmt::print("{}\n", runs[run].record.id);
    const bool over = monitor::is_final(views[run].state);
    const int own = over ? exit_code_of(views[run]) : 0;
    if (code == 0) code = own;
    if (how.any) break;
  }
  return code;
}

int follow_output_of_several(const std::vector<monitor::KnownRun>& runs, const remote::OutputChoice& choice,
                             const Invocation& invocation) {
  os::catch_interrupts();
  slurm::Gateway gateway;
  monitor::Watcher watcher(gateway, folders_of(runs));
  Outputs outputs(runs, choice);
  const auto over = [&](const std::vector<monitor::RunView>& views) {
    outputs.poll();
    return std::all_of(views.begin(), views.end(), [](const auto& view) { return monitor::is_final(view.state); });
  };
  if (!poll_until(watcher, over)) return os::interrupt_exit_code();
  if (!await_rest(outputs, runs, watcher.views())) return os::interrupt_exit_code();
  outputs.flush();
  for (std::size_t run = 0; run < runs.size(); ++run) {
    explain_end(runs[run].folder, watcher.views()[run], invocation.terminal);
  }
  return 0;
}

int show_output_of_several(const std::vector<monitor::KnownRun>& runs, const remote::OutputChoice& choice) {
  Outputs outputs(runs, choice);
  if (!outputs.drain()) return os::interrupt_exit_code();
  outputs.flush();
  return 0;
}

}  // namespace rv::cli
