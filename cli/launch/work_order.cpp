#include "cli/launch/work_order.h"

#include <filesystem>

#include "base/error.h"
#include "base/quote.h"
#include "cli/launch/launch_words.h"
#include "cli/setup/notify_targets.h"

namespace rv::cli {

WorkOrder plain_order(const std::vector<std::string>& words, const Settings& settings, const std::string& notify,
                      const StartChoice& start, templates::JobSpec options) {
  const auto choice = notify_choice(settings.home, notify);
  WorkOrder order{.job = std::move(options), .why = {}, .notes = {}, .prepare = {}};
  order.job.typed = words;
  order.job.hold = words.empty();
  auto started = start.as_typed ? launchable_as_typed(words) : launchable(words, start.interpreter);
  // Another system's files may be others.
  if (started.fault && !start.in_container) throw Error(*started.fault);
  order.job.argv = std::move(started.argv);
  order.why = std::move(started.why);
  order.notes = std::move(started.notes);
  order.job.notify_folder = choice.folder;
  order.job.notify_on = choice.on;
  return order;
}

std::string shown_command(const std::vector<std::string>& argv) {
  const bool line = argv.size() == 3 && argv[0] == "bash" && argv[1] == "-c";
  return line ? argv[2] : quote_all(argv);
}

std::string run_name(const planner::Request& request, const templates::JobSpec& job) {
  if (!request.name.empty()) return request.name;
  if (job.hold) return "up";
  const auto script = script_of(job.typed);
  const auto words = project::words_of_command(job.typed, properties_of);
  const auto variables = project::leading_variables(words);
  const bool behind = variables > 0 && variables < words.size();
  const std::filesystem::path path(script ? *script : behind ? words[variables] : job.typed.front());
  const auto stem = path.stem().string();
  // A single argument with shell syntax is a whole line: its first word gives the name.
  const auto name = stem.substr(0, stem.find_first_of(" \t\n;|&<>()$"));
  return name.empty() ? "run" : name;
}

}  // namespace rv::cli
