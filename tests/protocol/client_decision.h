// What a client decides after a look, by rv's own functions. Asked millions of times about few different things, so
// that answers are kept.
#pragma once

#include <array>
#include <unordered_map>

#include "ledger_book.h"
#include "model_state.h"
#include "monitor/race/observation.h"
#include "monitor/race/retry_run.h"

namespace protocol {

/// All that a client knows when it decides.
struct Sight {
  std::uint32_t ledger = 0;  // the beginning of it that the listing has shown
  std::array<Job, max_jobs> jobs;
  std::array<Slurm, max_jobs> answer;  // Slurm's, before the listing
  bool lines_of_jobs = true;           // their journals' lines have arrived
};

struct Decision {
  bool race_again = false;
  bool over = false;
  bool retry = false;  // `over` means another attempt, `failed` is the job that it is for, from 1
  std::uint8_t failed = 0;
  std::uint8_t state = 0;   // the run's, for the outcome
  std::uint8_t losers = 0;  // jobs to cancel, by bit
  std::uint8_t found = 0;   // jobs to put on record
  bool submit = false;
};

/// What a client can tell apart of a sight, and what it asks.
using SightKey = std::array<std::uint64_t, 5>;
struct SightHash {
  std::size_t operator()(const SightKey& key) const {
    std::uint64_t hash = 0;
    for (const auto word : key) hash = (hash ^ word) * 0x9E3779B97F4A7C15U ^ (hash >> 31U);
    return hash;
  }
};

struct DecisionSetting {
  bool requeue = false;
  int candidates = 2;
  bool clocks_behind = false;
  bool begun_by_events = false;  // see Broken in model.h
  bool winner_hidden = false;
};

class ClientDecisions {
 public:
  ClientDecisions(const DecisionSetting& setting, const LedgerBook& book);

  const Decision& about(const Sight& sight);
  /// Whether another attempt may begin, decided about earlier.
  bool may_reopen(const Sight& sight, int failed, int length);
  bool has_started(std::uint32_t ledger);

 private:
  rv::monitor::RunFacts facts(const Sight& sight) const;
  rv::monitor::QueueView queue(const Sight& sight) const;
  rv::monitor::Observation observe(const Sight& sight) const;
  Decision decide(const Sight& sight) const;
  void forget_start(rv::monitor::RunFacts& facts, const Sight& sight) const;

  DecisionSetting setting_;
  const LedgerBook& book_;
  rv::monitor::RunRecord record_;
  std::unordered_map<SightKey, Decision, SightHash> known_;
  std::unordered_map<SightKey, bool, SightHash> reopened_;
};

inline rv::monitor::JobId id_of(std::size_t job) {
  return rv::monitor::JobId{static_cast<std::uint32_t>(10 + job)};
}

}  // namespace protocol
