#include "cli/launch/after_option.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/os/visibility.h"
#include "monitor/jobs/run_jobs.h"
#include "monitor/jobs/run_view.h"
#include "monitor/race/watch_runs.h"
#include "monitor/run/resolve_run.h"
#include "monitor/run/run_facts.h"

namespace rv::cli {

AfterOption parse_after(const std::string& text) {
  const auto colon = text.rfind(':');
  AfterOption option{text.substr(0, colon), true};
  const std::string condition = colon == std::string::npos ? "ok" : text.substr(colon + 1);
  if (option.word.empty()) {
    throw Error(fmt::format("--after {}: no run is named", text),
                "write --after RUN, RUN:ok or RUN:any; rv ps lists them", ExitCode::usage);
  }
  if (condition != "ok" && condition != "any") {
    throw Error(fmt::format("--after {}: '{}' is no condition", text, condition),
                "write :ok (only if that run ends with exit code 0) or :any (however it ends)", ExitCode::usage);
  }
  option.only_ok = condition == "ok";
  return option;
}

std::optional<Following> follow_run_of(const AfterOption& option, const Settings& settings) {
  using namespace std::chrono_literals;
  const auto run = monitor::resolve_certain_run(monitor::known_runs(settings.runs_folder()), option.word);
  monitor::say_what_was_taken(option.word, run.record);
  auto seen = monitor::see_runs({run});
  // Its own submissions may be under way this very moment.
  for (int i = 0; i < 50 && !monitor::is_final(seen.views.front().state); ++i) {
    if (!monitor::open_jobs(monitor::read_facts(run.folder)).empty()) break;
    std::this_thread::sleep_for(200ms);
    seen = monitor::see_runs({run});
  }
  const auto& view = seen.views.front();
  if (monitor::is_final(view.state)) {
    if (!option.only_ok || view.state == monitor::RunState::done) return std::nullopt;
    throw Error(
        fmt::format("--after {}: run {} has ended already, and not well: {}", option.word, run.record.id, view.detail),
        fmt::format("--after {}:any goes on all the same; rv why {} names the cause", option.word, run.record.id));
  }
  Following following{.record = {.run = run.record.id, .only_ok = option.only_ok},
                      .predecessor = {.run_id = run.record.id,
                                      .run_folder = run.folder.path(),
                                      .lag = os::visibility_lag(run.folder.path()),
                                      .only_ok = option.only_ok,
                                      .dependency = "",
                                      .elements = 0,
                                      .chain = run.record.chain.has_value(),
                                      .requeue = run.record.requeue}};
  if (run.record.array) following.predecessor.elements = static_cast<int>(run.record.array->elements.size());
  for (const auto& job : monitor::open_jobs(monitor::read_facts(run.folder))) {
    auto& text = following.predecessor.dependency;
    text += (text.empty() ? "afterany:" : ":") + slurm::to_string(job.id);
  }
  return following;
}

}  // namespace rv::cli
