#include "cli/launch/after_option.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/os/visibility.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "monitor/jobs/run_jobs.h"
#include "monitor/jobs/run_view.h"
#include "monitor/race/watch_runs.h"
#include "monitor/run/resolve_run.h"
#include "monitor/run/run_facts.h"

namespace rv::cli {

templates::After parse_after(const std::string& text) {
  const auto colon = text.rfind(':');
  templates::After after{text.substr(0, colon), true};
  const std::string condition = colon == std::string::npos ? "ok" : text.substr(colon + 1);
  if (after.run.empty()) {
    throw wrong_value("--after", text, "a run", "write --after RUN, RUN:ok or RUN:any; rv ps lists your runs");
  }
  if (condition != "ok" && condition != "any") {
    throw wrong_value("--after", text, fmt::format("ok or any after \":\", not \"{}\"", one_line(condition)),
                      "write :ok (only if that run ends with exit code 0) or :any (however it ends)");
  }
  after.only_ok = condition == "ok";
  return after;
}

std::optional<Following> follow_run_of(const templates::After& typed, const Settings& settings) {
  using namespace std::chrono_literals;
  const auto run = monitor::resolve_certain_run(monitor::runs_in(settings.runs_folder()), typed.run);
  monitor::say_what_was_taken(typed.run, run.record);
  if (const auto& inside = run.record.job.inside) {
    throw Error(fmt::format("--after {}: run {} is a command inside run {}, and Slurm can wait only for that run's job",
                            typed.run, run.record.id, inside->run),
                fmt::format("use rv wait {} && rv run …, or write --after {}", run.record.id, inside->run),
                ExitCode::usage);
  }
  auto seen = monitor::poll_runs({run});
  // Its own submissions may be under way this very moment.
  for (int i = 0; i < 50 && !monitor::is_final(seen.views.front().state); ++i) {
    if (!monitor::open_jobs(monitor::read_facts(run.folder)).empty()) break;
    std::this_thread::sleep_for(200ms);
    seen = monitor::poll_runs({run});
  }
  const auto& view = seen.views.front();
  if (monitor::is_final(view.state)) {
    if (!typed.only_ok || view.state == monitor::RunState::done) return std::nullopt;
    throw Error(fmt::format("--after {}: run {} has already failed: {}", typed.run, run.record.id, view.detail),
                fmt::format("use --after {}:any to start anyway; rv why {} names the cause", typed.run, run.record.id));
  }
  const auto& job = run.record.job;
  Following following{.after = {.run = run.record.id, .only_ok = typed.only_ok},
                      .predecessor = {.run_folder = run.folder.path(),
                                      .lag = os::visibility_lag(run.folder.path()),
                                      .dependency = "",
                                      .elements = job.array ? static_cast<int>(job.array->elements.size()) : 0,
                                      .chain = job.chain.has_value(),
                                      .requeue = job.requeue || job.retries}};
  for (const auto& open : monitor::open_jobs(monitor::read_facts(run.folder))) {
    auto& text = following.predecessor.dependency;
    text += (text.empty() ? "afterany:" : ":") + slurm::to_string(open.id);
  }
  return following;
}

}  // namespace rv::cli
