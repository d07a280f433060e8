#include "monitor/run/output_copies.h"

#include <algorithm>
#include <array>

namespace rv::monitor {
namespace {

struct CopyWords {
  CopyState state;
  std::string_view word;
  std::string_view words;
};

constexpr std::array table{
    CopyWords{CopyState::under_way, "under_way", "its output is still being copied"},
    CopyWords{CopyState::copied, "copied", ""},
    CopyWords{CopyState::failed, "failed", "not all of its output could be copied"},
    CopyWords{CopyState::timeout, "timeout", "the copy of its output was cut off by the time limit"},
    CopyWords{CopyState::cancelled, "cancelled", "the copy of its output was cut off: the job was cancelled"},
    CopyWords{CopyState::requeued, "requeued", "the copy of its output was cut off: Slurm requeued the job"},
    CopyWords{CopyState::unknown, "unknown", "the job left no record of how the copy of its output ended"},
};

const CopyWords& row_of(CopyState state) {
  return *std::find_if(table.begin(), table.end(), [&](const CopyWords& row) { return row.state == state; });
}

}  // namespace

OutputCopies count_copies(const std::vector<std::string>& names, const std::vector<std::string>& listed) {
  OutputCopies copies{.announced = static_cast<int>(names.size())};
  for (const auto& name : names) {
    if (std::binary_search(listed.begin(), listed.end(), name + ".copied")) {
      ++copies.copied;
    } else if (std::binary_search(listed.begin(), listed.end(), name + ".copy_failed")) {
      ++copies.failed;
    }
  }
  return copies;
}

std::string_view to_string(CopyState state) {
  return row_of(state).word;
}

std::optional<CopyState> copy_state_from(std::string_view word) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const CopyWords& row) { return row.word == word; });
  return found == table.end() ? std::nullopt : std::optional(found->state);
}

std::string_view in_words(CopyState state) {
  return row_of(state).words;
}

}  // namespace rv::monitor
