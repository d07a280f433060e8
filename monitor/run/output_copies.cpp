#include "monitor/run/output_copies.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "base/text.h"

namespace rv::monitor {
namespace {

struct CopyRow {
  CopyState state;
  std::string_view name;
  std::string_view words;
};

constexpr std::array table{
    CopyRow{CopyState::under_way, "under_way", "its output is still being copied"},
    CopyRow{CopyState::copied, "copied", ""},
    CopyRow{CopyState::failed, "failed", "not all of its output could be copied"},
    CopyRow{CopyState::timeout, "timeout", "the copy of its output was cut off by the time limit"},
    CopyRow{CopyState::cancelled, "cancelled", "the copy of its output was cut off: the job was cancelled"},
    CopyRow{CopyState::requeued, "requeued", "the copy of its output was cut off: Slurm requeued the job"},
    CopyRow{CopyState::unknown, "unknown", "the job left no record of how the copy of its output ended"},
};

const CopyRow& row_of(CopyState state) {
  return *std::find_if(table.begin(), table.end(), [&](const CopyRow& row) { return row.state == state; });
}

}  // namespace

OutputCopies count_copies(const std::vector<std::string>& names, const std::vector<std::string>& listed) {
  OutputCopies copies{.announced = static_cast<int>(names.size())};
  for (const auto& name : names) {
    if (std::binary_search(listed.begin(), listed.end(), name + ".copied")) {
      ++copies.copied;
    } else if (std::binary_search(listed.begin(), listed.end(), name + ".copy_failed")) {
      ++copies.failed;
      copies.failed_marks.push_back(name + ".copy_failed");
    }
  }
  return copies;
}

std::string copy_trouble(const std::vector<std::string>& marks) {
  constexpr std::string_view missing = "missing ", failed = "failed ";
  constexpr std::size_t most_shown = 3;
  std::vector<std::string> said;
  for (const auto& mark : marks) {
    std::istringstream lines(mark);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) continue;
      const bool absent = line.starts_with(missing);
      if (absent || line.starts_with(failed)) line.erase(0, (absent ? missing : failed).size());
      auto words = "--output " + one_line(line) + (absent ? ": does not exist after the run" : ": could not be copied");
      if (std::find(said.begin(), said.end(), words) == said.end()) said.push_back(std::move(words));
    }
  }
  if (said.empty()) return std::string(in_words(CopyState::failed));
  std::string text;
  for (std::size_t i = 0; i < std::min(said.size(), most_shown); ++i) text += (i == 0 ? "" : "; ") + said[i];
  if (said.size() > most_shown) text += "; and " + std::to_string(said.size() - most_shown) + " more";
  return text;
}

std::string_view to_string(CopyState state) {
  return row_of(state).name;
}

std::optional<CopyState> copy_state_from(std::string_view word) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const CopyRow& row) { return row.name == word; });
  return found == table.end() ? std::nullopt : std::optional(found->state);
}

std::string_view in_words(CopyState state) {
  return row_of(state).words;
}

}  // namespace rv::monitor
