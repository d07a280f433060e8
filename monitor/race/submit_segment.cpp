#include "monitor/race/submit_segment.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/os/process.h"
#include "monitor/jobs/lookup.h"
#include "monitor/race/submit_pause.h"
#include "shared/time_text.h"
#include "slurm/environment.h"
#include "slurm/parse/hostlist.h"
#include "slurm/parse/parse_jobs.h"

namespace rv::monitor {
namespace {

using namespace std::chrono_literals;

Event event(EventKind kind, const Candidate& winner, std::optional<JobId> job, int segment) {
  return {.time = {},
          .name = kind,
          .candidate = winner.number,
          .job = job,
          .attempt = 1,  // a chain has no other: its segments are what is started again
          .more = {{"segment", segment}}};
}

// A job of this candidate that is in the queue and is not the one that ended.
const slurm::QueueRow* other_job(const QueueView& queue, const Candidate& winner, JobId last) {
  const auto found = std::find_if(queue.rows.begin(), queue.rows.end(), [&](const slurm::QueueRow& row) {
    const auto phase = status_of(row).phase;
    return row.name == winner.job_name && row.id != last && phase != Phase::ended && phase != Phase::unknown;
  });
  return found == queue.rows.end() ? nullptr : &*found;
}

// The nodes of the last segment count among those that failed under the run.
void exclude_nodes_of(const Segment& last, const RunFolder& folder) {
  const auto known = failed_nodes(folder);
  for (const auto& node : slurm::expand_hostlist(last.nodes)) {
    if (std::find(known.begin(), known.end(), node) != known.end()) continue;
    std::ofstream(folder.file("chain/exclude"), std::ios::app) << node << "\n";
  }
}

// What the jobs themselves would give sbatch for the next segment: the script knows it, and rv nothing of it. A script
// of a former rv ends at once, for it is in no job, and what its directives say is asked for: a whole segment.
std::vector<std::string> options_of(const std::string& script, bool all_nodes) {
  std::vector<std::string> argv{"bash", script, "next"};
  if (all_nodes) argv.emplace_back("all");
  const auto said = os::run(
      {.argv = std::move(argv), .input = {}, .deadline = 60s, .environment = slurm::query_environment(), .folder = {}});
  std::vector<std::string> options;
  std::istringstream lines(said.ok() ? said.out : "");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("--")) options.push_back(line);  // a BASH_ENV may print, too
  }
  return options;
}

}  // namespace

void submit_segment(const RunFolder& folder, slurm::Gateway& gateway, const SubmitLock& /*held*/, JobId last,
                    const NextSegment& next) {
  const auto facts = read_facts(folder);
  if (!facts.record.job.chain || !facts.claim || facts.claim->by_stop || facts.exit || facts.outcome) return;
  const auto& winner = facts.record.candidates.at(static_cast<std::size_t>(facts.claim->candidate - 1));
  const auto journals = candidate_journals(facts.events, static_cast<int>(facts.record.candidates.size()));
  if (journals[static_cast<std::size_t>(winner.number - 1)].job != last) return;  // somebody was faster

  Lookup lookup(gateway);
  // Absence counts only when the controller answers, and twice: a job can be accepted and not be in the queue yet.
  for (int absent = 0; absent < 2;) {
    const auto queue = lookup.query();
    if (!queue.answered) return;
    if (const auto* row = other_job(queue, winner, last))
      return folder.append(event(EventKind::found, winner, row->id, next.number));
    if (++absent < 2) std::this_thread::sleep_for(1s);
  }
  while (true) {
    const auto before = read_facts(folder);
    if (before.stop_requested) return;
    const auto now = current_time();
    if (next_submission(before.events, now) <= now) break;
    std::this_thread::sleep_for(1s);
  }
  folder.append(event(EventKind::intent, winner, std::nullopt, next.number));
  const auto script = folder.file("candidates/" + std::to_string(winner.number) + "/script.sh");
  if (next.node_failed && !facts.segments.empty()) exclude_nodes_of(facts.segments.back(), folder);
  auto answer = gateway.submit(script, facts.record.work_folder, options_of(script, /*all_nodes=*/false));
  if (answer.outcome == slurm::Submission::Outcome::refused && !failed_nodes(folder).empty() &&
      slurm::of_nodes_that_may_return(answer.message)) {
    // Too few nodes are left without them. A node that failed once is better than no segment.
    answer = gateway.submit(script, facts.record.work_folder, options_of(script, /*all_nodes=*/true));
  }
  Event result = event(EventKind::submitted, winner, answer.id, next.number);
  if (answer.outcome != slurm::Submission::Outcome::accepted) {
    // Without an answer the next poll finds the job by its name, or finds none and comes here again.
    result.name =
        answer.outcome == slurm::Submission::Outcome::refused ? EventKind::next_refused : EventKind::no_answer;
    result.job.reset();
    result.more["message"] = answer.message;
    if (result.name == EventKind::next_refused && answer.lines.size() > 1) result.more["lines"] = answer.lines;
  }
  folder.append(std::move(result));
}

}  // namespace rv::monitor
