#include "slurm/parse/parse_test_only.h"

#include <algorithm>
#include <string_view>

#include "slurm/parse/field.h"
#include "slurm/parse/parse_jobs.h"

namespace rv::slurm {
namespace {

using planner::TestOnlyResult;

std::string_view behind(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
}

std::string_view word(std::string_view text) {
  return text.substr(0, text.find_first_of(" \n"));
}

/// Of a line "… to start at TIME … on [nodes ]NODES[ in partition PARTITION]"; het jobs are reported without "nodes".
void read_start(TestOnlyResult& said, std::string_view err, planner::TimePoint answered) {
  const std::string_view promise = behind(err, " to start at ");
  const auto start = parse_time(word(promise));
  if (!start) return;
  said.outcome = TestOnlyResult::Outcome::starts;
  said.wait = std::max(std::chrono::floor<std::chrono::seconds>(*start - answered), std::chrono::seconds(0));
  std::string_view nodes = behind(promise, " processors on ");
  if (nodes.starts_with("nodes ")) nodes.remove_prefix(6);
  said.nodes = word(nodes);
}

}  // namespace

TestOnlyResult parse_test_only(const os::Result& result, planner::TimePoint answered) {
  TestOnlyResult said;
  if (result.ok()) {
    read_start(said, result.err, answered);
    if (said.outcome == TestOnlyResult::Outcome::unknown) said.message = first_complaint(result.err);
    return said;
  }
  const Submission refusal = parse_submission(result);
  said.message = refusal.message;
  // If sbatch is missing (127) or fails without a message, the controller did not answer.
  const bool spoke = result.exit_code != 127 && result.err.find_first_not_of("\n ") != std::string::npos;
  const bool refused = refusal.outcome == Submission::Outcome::refused && !of_nodes_that_may_return(refusal.message);
  if (spoke && refused) said.outcome = TestOnlyResult::Outcome::refused;
  return said;
}

}  // namespace rv::slurm
