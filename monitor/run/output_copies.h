// The copies of `--output` that jobs make after a command's end. When a copy has ended, its job leaves a *mark*: the
// file NAME.copied or NAME.copy_failed in jobs/ (templates/launch/outputs.inc.sh).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::monitor {

/// The number of copies that exit entries announce, and how many of them have ended. An array has one copy for each
/// element.
struct OutputCopies {
  int announced = 0;
  int copied = 0;
  int failed = 0;
  std::vector<std::string> failed_marks = {};  // names of the marks of failed copies
  std::string trouble = {};                    // why copies failed: "--output results: does not exist after the run"

  bool unfinished() const { return copied + failed < announced; }
};

/// `names`: NAME of each mark, from the exit entries. `listed`: the names of the files in jobs/, sorted.
OutputCopies count_copies(const std::vector<std::string>& names, const std::vector<std::string>& listed);

/// The state of the copy of a run's output.
enum class CopyState {
  under_way,
  copied,
  failed,     // a path does not exist or could not be copied
  timeout,    // cut off by the job's time limit
  cancelled,  // cut off, because the job was cancelled
  requeued,   // cut off, because Slurm put the job back into the queue
  unknown,    // the job ended and left no mark
};

/// Renders the contents of marks jobs/*.copy_failed: each path once, three paths at most. A line that begins neither
/// with "missing" nor with "failed" counts as a path that could not be copied.
std::string copy_trouble(const std::vector<std::string>& marks);

std::string_view to_string(CopyState state);
std::optional<CopyState> copy_state_from(std::string_view word);
/// Text for a run's detail, such as "its output is still being copied". Empty for `copied`.
std::string_view in_words(CopyState state);

}  // namespace rv::monitor
