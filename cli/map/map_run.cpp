#include "cli/map/map_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/random_bytes.h"
#include "cli/launch/follow_run.h"
#include "cli/map/map_view.h"
#include "cli/map/placeholders.h"
#include "cli/options/user_command.h"
#include "cli/remote/forward/job_steps.h"
#include "monitor/ledger/numbered_files.h"
#include "monitor/race/watch_runs.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

Error refused(const std::string& message, std::string advice) {
  return {message, std::move(advice), ExitCode::usage};
}

/// rv itself goes with the run: a node need not see where it is installed here, and it may be updated before the run
/// starts.
void put_program(const std::string& map_folder, const std::string& home) {
  const auto program = forward::program_for_nodes(home);
  const auto path = map_folder + "/rv";
  if (::link(program.c_str(), path.c_str()) != 0) fs::copy_file(program, path);
}

/// A mark beside the name of the run that resumes this one: it was submitted, so its folder may be gone and its tasks
/// have run all the same.
std::string submitted_mark(const std::string& run_folder, const std::string& by) {
  return run_folder + "/map/submitted." + by;
}

/// The runs that have resumed this one, in order. One that was never submitted has left only its name.
std::vector<std::string> resumed_by(const std::string& run_folder) {
  std::vector<std::string> runs;
  for (const auto& text : monitor::texts_after(run_folder + "/map", "resumed.", 0)) {
    runs.push_back(text.substr(0, text.find(' ')));
  }
  return runs;
}

/// Only one run may continue a run: else two would run the same tasks.
void claim_resumption(const MapOrder& order, const monitor::RunFolder& folder) {
  if (order.resumed_folder.empty()) return;
  const auto token = os::random_hex(8);
  const auto line = folder.id() + " " + token + "\n";
  const auto known = resumed_by(order.resumed_folder).size();
  if (monitor::append_text(order.resumed_folder + "/map", "resumed.", known, token, line).front() == line) return;
  throw refused(fmt::format("run {} is being resumed by another rv", order.list.resumes), "see rv ps for its run");
}

/// A word with a placeholder can't be looked up as a script.
bool starts_with_placeholder(const std::vector<std::string>& command) {
  const auto end = command.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, command.size()));
  return std::any_of(command.begin(), end, has_placeholder);
}

WorkOrder work_order(MapOptions& options, MapOrder& order, const Invocation& invocation) {
  auto call = invocation;
  call.as_typed = call.as_typed || starts_with_placeholder(order.typed);
  auto work = order_for(*options.launch, order.typed, call);
  if (order.list.command.empty()) {
    order.list.command = command_argv(order.typed) == order.typed ? work.job.argv : order.typed;
  }
  order.list.named = !named_placeholders(order.list.command).empty();
  work.why.clear();
  work.job.set_command({"bash", "-c", "exec \"$RV_RUN_DIR/map/rv\" --map-tasks \"$RV_RUN_DIR\""});
  work.job.joined_output = true;
  work.prepare = [order, home = invocation.settings.home](const monitor::RunFolder& folder) {
    monitor::write_task_list(folder.path(), order.list);
    if (!order.earlier.empty()) monitor::write_earlier_results(folder.path(), order.earlier);
    put_program(folder.file("map"), home);
    claim_resumption(order, folder);
  };
  return work;
}

/// Throws Error(usage) if the run is not one of rv map.
MapOrder order_of(const monitor::KnownRun& run) {
  auto list = monitor::read_task_list(run.folder.path());
  if (!list) {
    throw refused(fmt::format("run {} is not a run of rv map", run.record.id), "rv rerun runs its command again");
  }
  return {.typed = run.record.job.typed, .list = *std::move(list), .earlier = {}, .resumed_folder = run.folder.path()};
}

}  // namespace

int start_map(MapOptions& options, MapOrder order, const Invocation& invocation) {
  take_task_options(options, order.list);
  auto snapshot = snapshot_for(*options.launch, invocation);
  const auto work = work_order(options, order, invocation);
  const auto launched = launch(*options.launch, work, invocation);
  if (!launched.folder) return launched.exit_code;
  snapshot.keep();
  const auto& folder = *launched.folder;
  if (!order.resumed_folder.empty()) os::write_file(submitted_mark(order.resumed_folder, folder.id()), "");
  if (!options.follow) {
    slurm::Gateway gateway;
    return attend(folder, gateway, invocation,
                  {.detach = true, .next = fmt::format("rv map --results {} lists its tasks", folder.id())})
        .exit_code.value_or(0);
  }
  return follow_map(folder, invocation);
}

int follow_map(const monitor::RunFolder& folder, const Invocation& invocation) {
  slurm::Gateway gateway;
  MapProgress progress(folder.path(), monitor::read_task_list(folder.path()).value_or(monitor::TaskList()));
  const int code = follow_to_end(folder, gateway, invocation, monitor::Bars::live,
                                 [&](const monitor::RunView& view) { return progress.line(view); });
  if (!invocation.json) say_what_is_left(folder.path(), invocation.terminal);
  return code;
}

std::string last_of_name(const std::vector<monitor::ListedRun>& runs, const std::string& word) {
  std::vector<std::string> last;
  for (const auto& run : runs) {
    if (run.id() == word) return word;
    if (run.name != word) continue;
    const auto others = resumed_by(run.folder.path());
    const auto exists = [&](const std::string& other) {
      return std::any_of(runs.begin(), runs.end(), [&](const auto& one) { return one.id() == other; });
    };
    if (std::none_of(others.begin(), others.end(), exists)) last.push_back(run.id());
  }
  return last.size() == 1 ? last.front() : word;
}

MapOrder resumed_order(const monitor::KnownRun& run, bool failed) {
  const auto& id = run.record.id;
  auto order = order_of(run);
  for (const auto& other : resumed_by(run.folder.path())) {
    const auto folder = run.folder.path().substr(0, run.folder.path().rfind('/') + 1) + other;
    if (fs::exists(folder)) {
      throw refused(fmt::format("run {} was resumed as run {}", id, other), fmt::format("rv map --resume {}", other));
    }
    if (fs::exists(submitted_mark(run.folder.path(), other))) {
      throw refused(fmt::format("run {} was resumed as run {}, which has been removed", id, other),
                    fmt::format("rv map --results {} lists its tasks; run the others with rv map -a FILE", id));
    }
  }
  const auto view = monitor::poll_runs({run}).views.front();
  if (!monitor::is_final(view.state)) {
    throw refused(fmt::format("run {} is not over", id), fmt::format("wait for it, or end it: rv stop {}", id));
  }
  monitor::TaskReader reader(run.folder.path(), order.list);
  reader.read();
  order.list.numbers.clear();
  order.list.resumes = id;
  for (auto& result : reader.results(/*over=*/true)) {
    const bool kept = result.state == monitor::TaskState::ok || (result.state == monitor::TaskState::failed && !failed);
    if (!kept) {
      order.list.numbers.push_back(result.task);
    } else {
      order.earlier.push_back(std::move(result));
    }
  }
  if (!order.list.numbers.empty()) return order;
  const bool all_ok = monitor::count_states(order.earlier).all_ok();
  throw refused(fmt::format("run {} has no task left", id),
                all_ok ? fmt::format("rv map --results {} lists them", id)
                       : fmt::format("run the failed tasks again: rv map --resume {} --failed", id));
}

}  // namespace rv::cli
