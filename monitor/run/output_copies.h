// The copies of `--output` that jobs make after a command's end, by the marks of those jobs
// (templates/launch/outputs.inc.sh).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::monitor {

/// How many exit entries announce a copy, and how many of those copies have ended. An array has one for each element.
struct OutputCopies {
  int announced = 0;
  int copied = 0;
  int failed = 0;
  std::vector<std::string> failed_marks = {};  // names of their files in jobs/
  std::string trouble = {};  // of the failed ones, in words: "--output results: does not exist after the run"

  bool unfinished() const { return copied + failed < announced; }
};

/// `names`: the beginnings of the marks' names, from exit entries. `listed`: the files in jobs/, in order.
OutputCopies count_copies(const std::vector<std::string>& names, const std::vector<std::string>& listed);

/// Where the copy of a run's output stands, or how it ended.
enum class CopyState {
  under_way,
  copied,
  failed,     // a path does not exist or could not be copied
  timeout,    // cut off by the job's time limit
  cancelled,  // cut off, because the job was cancelled
  requeued,   // cut off, because Slurm put the job back into the queue
  unknown,    // the job ended and left no mark
};

/// What files jobs/*.copy_failed say, in words; each path once, three at most. Lines without a known word count as
/// paths that could not be copied.
std::string copy_trouble(const std::vector<std::string>& marks);

std::string_view to_string(CopyState state);
std::optional<CopyState> copy_state_from(std::string_view word);
/// "its output is still being copied", for a run's detail. Empty for `copied`.
std::string_view in_words(CopyState state);

}  // namespace rv::monitor
