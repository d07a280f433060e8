#include "cli/options/run_argument.h"

#include <algorithm>

#include "cli/options/command_option.h"

namespace rv::cli {

RunArgument add_run_argument(CLI::App& command, const std::string& description) {
  auto word = std::make_shared<std::optional<std::string>>();
  add_text_option(
      command, "run", [word](const std::string& text) { *word = text; }, description);
  return word;
}

RunArguments add_run_arguments(CLI::App& command, const std::string& description) {
  auto words = std::make_shared<std::vector<std::string>>();
  add_option(command, "run", *words, description);
  return words;
}

std::vector<monitor::KnownRun> named_or_latest(const std::vector<monitor::ListedRun>& runs, const RunArguments& words) {
  if (words->empty()) return {monitor::latest_run(runs)};
  std::vector<monitor::KnownRun> named;
  for (const auto& word : *words) {
    auto run = monitor::resolve_run(runs, word);
    const bool known =
        std::any_of(named.begin(), named.end(), [&](const auto& one) { return one.record.id == run.record.id; });
    if (!known) named.push_back(std::move(run));
  }
  return named;
}

monitor::KnownRun named_or_latest(const std::vector<monitor::ListedRun>& runs, const std::optional<std::string>& word) {
  return word ? monitor::resolve_run(runs, *word) : monitor::latest_run(runs);
}

}  // namespace rv::cli
