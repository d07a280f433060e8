// Following runs: one question to Slurm per tick for all of them, and the duties that any rv that looks at a run takes
// over (going on with a race whose rv died, cancelling losers, writing down an outcome).
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "monitor/follow/poll_interval.h"
#include "monitor/race/end_decision.h"
#include "monitor/race/retry_run.h"
#include "monitor/run/chain.h"
#include "monitor/run/lookup.h"
#include "monitor/run/run_view.h"
#include "slurm/gateway.h"

namespace rv::monitor {

class Watcher {
 public:
  /// `records`: of these runs in their order, where they have been read already; else the first look reads them.
  Watcher(slurm::Gateway& gateway, std::vector<RunFolder> runs, const std::vector<RunRecord>& records = {});

  /// Reads the folders, and asks Slurm once when `ask` is set and something is open. The views are in the order of the
  /// runs.
  const std::vector<RunView>& look(bool ask);

  const std::vector<RunView>& views() const { return views_; }
  /// Slurm's words when the last question got no answer; empty when it did.
  const std::string& trouble() const { return trouble_; }
  /// True when the last look showed something else than the one before.
  bool changed() const { return changed_; }

 private:
  void ask_slurm(std::vector<RunFacts>& facts);
  RunView conclude(std::size_t run, RunFacts& facts);
  /// What to do about this run's end, as far as it can be said now.
  LookAtEnd look_at_end(std::size_t run, const RunFacts& facts);
  /// What Slurm's queue said of this run in this look.
  const QueueView& queue_of(const RunFacts& facts);
  void go_on_with_race(const RunFolder& folder, const RunFacts& facts);
  /// Puts jobs of a race on record that were accepted without anybody having read their IDs. True when there were some.
  static bool adopt_jobs(const RunFolder& folder, const RunFacts& facts, const QueueView& queue);
  void go_on_with_chain(std::size_t run, const RunFacts& facts);
  /// True once this end has been seen for long enough that a record of it would have arrived.
  bool end_is_settled(std::size_t run, const RunFacts& facts, JobId job);
  /// True once the journal has shown this event about the job for `lag`; the first call writes it.
  static bool seen_for(const RunFolder& folder, const RunFacts& facts, EventKind kind, JobId job,
                       std::chrono::seconds lag);
  /// Decides about jobs of which Slurm has had no trace for a while.
  /// `asked` about in this look; `controller` is asked once a look, when the first one needs it.
  void settle_untraced(const RunFolder& folder, const RunFacts& facts, const std::set<slurm::JobId>& asked,
                       std::optional<slurm::Answer<slurm::ControllerIdentity>>& controller);
  /// What was known about the jobs of an earlier attempt: their numbers may be given out again.
  void drop_earlier_attempts(const std::vector<RunFacts>& facts);
  /// Somebody follows this run, or it was submitted a moment ago.
  bool is_wanted(const RunFacts& facts) const;

  /// Something that the folder does not show yet may have happened, going by what Slurm has just said.
  bool may_have_moved(const RunFacts& facts) const;
  /// Asks about jobs that the queue does not list, the less often the longer nobody knows them.
  /// Returns those that were asked about now.
  std::set<slurm::JobId> ask_about(const std::vector<JobKey>& vanished, Lookup& lookup);

  /// When to ask again about a job that nobody knew.
  struct Patience {
    PollInterval::Clock::time_point next;
    std::chrono::seconds wait{2};
  };

  slurm::Gateway& gateway_;
  std::vector<RunFolder> runs_;
  std::vector<KnownFacts> known_;
  std::vector<std::chrono::seconds> lags_;   // of each run's file system
  bool answered_ = false;                    // Slurm's queue was seen in this look
  std::map<std::string, QueueView> queues_;  // what it says of each run
  std::map<slurm::JobId, Patience> unknown_;
  std::map<slurm::JobId, JobStatus> statuses_;
  std::set<slurm::JobId> seen_;         // in the queue, by this watcher
  std::map<std::string, int> retries_;  // of a run, by its folder
  std::vector<RunView> views_;
  std::string trouble_;
  bool changed_ = true;
};

/// Submits in a process of its own that outlives this one, whatever happens to this one. Returns at once; what it does
/// is in the journal.
void submit_in_background(const RunFolder& folder);
/// Starts a run again that broken hardware ended, on other nodes.
void retry_in_background(const RunFolder& folder, const Retry& retry);
/// The same for the segment after `last`.
void submit_segment_in_background(const RunFolder& folder, JobId last, const NextSegment& next);

}  // namespace rv::monitor
