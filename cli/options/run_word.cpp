#include "cli/options/run_word.h"

#include "cli/options/command_option.h"

namespace rv::cli {

RunWord add_run_word(CLI::App& command, const std::string& description) {
  auto word = std::make_shared<std::optional<std::string>>();
  add_text_option(
      command, "run", [word](const std::string& text) { *word = text; }, description);
  return word;
}

monitor::KnownRun named_or_latest(const std::vector<monitor::KnownRun>& runs, const std::optional<std::string>& word) {
  return word ? monitor::resolve_run(runs, *word) : monitor::latest_run(runs);
}

}  // namespace rv::cli
