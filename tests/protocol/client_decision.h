// What a client decides after a look, by rv's own functions. Asked millions of times about few different things, so
// that answers are kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "large_pages.h"
#include "ledger_book.h"
#include "model_state.h"
#include "monitor/race/observation.h"
#include "monitor/race/retry_run.h"

namespace protocol {

/// The complete input of a client's decision.
struct Sight {
  std::uint32_t ledger = 0;  // the beginning of it that the listing has shown
  std::array<Job, max_jobs> jobs;
  std::array<Slurm, max_jobs> answer;  // Slurm's, before the listing
  bool lines_of_jobs = true;           // their journals' lines have arrived
  std::uint8_t copied = 0;             // whose mark of a copy's end is there; it arrives with those lines
};

struct Decision {
  bool race_again = false;
  bool over = false;
  bool retry =
      false;  // `over` means another attempt, `asked`: by --retries, `failed` is the job that it is for, from 1
  bool asked = false;
  std::uint8_t failed = 0;
  std::uint8_t state = 0;   // the run's, for the outcome
  std::uint8_t losers = 0;  // jobs to cancel, by bit
  std::uint8_t found = 0;   // jobs to put on record
  bool submit = false;
};

/// The parts of a sight that a client distinguishes, and its request.
using SightKey = std::array<std::uint64_t, 5>;

/// Decisions by key. A decision is stored beside its key, in one cache line.
template <typename Answer>
class Answers {
 public:
  const Answer* find(const SightKey& key) const {
    const auto& slot = slots_[place_of(key)];
    return slot.taken ? &slot.answer : nullptr;
  }
  Answer add(const SightKey& key, const Answer& answer) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    slots_[place_of(key)] = {.key = key, .answer = answer, .taken = true};
    ++size_;
    return answer;
  }

 private:
  struct alignas(64) Slot {
    SightKey key = {};
    Answer answer = {};
    bool taken = false;
  };
  static_assert(sizeof(Slot) == 64);

  /// The position of the key, or where it would be inserted.
  std::size_t place_of(const SightKey& key) const {
    std::uint64_t hash = 0;
    for (const auto word : key) hash = (hash ^ word) * 0x9E3779B97F4A7C15U ^ (hash >> 31U);
    auto at = (hash ^ hash >> 32U) & (slots_.size() - 1);
    while (slots_[at].taken && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    const auto old = std::exchange(slots_, decltype(slots_)(slots_.size() * 2));
    for (const auto& slot : old) {
      if (slot.taken) slots_[place_of(slot.key)] = slot;
    }
  }

  std::vector<Slot, LargePages<Slot>> slots_ = decltype(slots_)(1024);
  std::size_t size_ = 0;
};

struct DecisionSetting {
  bool requeue = false;
  int retries = 0;
  int candidates = 2;
  bool clocks_behind = false;
  bool begun_by_events = false;  // see Broken in model.h
  bool winner_hidden = false;
  bool copies = false;
  bool prologs = false;  // a job that is cancelled before its claim had a prolog that failed
};

class ClientDecisions {
 public:
  ClientDecisions(const DecisionSetting& setting, const LedgerBook& book);

  Decision about(const Sight& sight);
  /// Whether another attempt may begin, decided about earlier.
  bool may_reopen(const Sight& sight, int failed, int length);
  bool has_started(std::uint32_t ledger);
  /// The outcome of a run that was stopped before its present attempt started (end_before_start in stop.cpp).
  rv::monitor::RunState end_of_stopped(std::uint32_t ledger) const;
  /// The outcome that rv stop links for a run that has ended.
  rv::monitor::RunState end_of_exit(std::uint32_t ledger) const;

 private:
  rv::monitor::RunFacts facts(const Sight& sight) const;
  rv::monitor::QueueView queue(const Sight& sight) const;
  rv::monitor::Observation observe(const Sight& sight) const;
  Decision decide(const Sight& sight) const;
  void forget_start(rv::monitor::RunFacts& facts, const Sight& sight) const;

  DecisionSetting setting_;
  const LedgerBook& book_;
  rv::monitor::RunRecord record_;
  Answers<Decision> known_;
  Answers<bool> reopened_;
};

inline rv::monitor::JobId id_of(std::size_t job) {
  return rv::monitor::JobId{static_cast<std::uint32_t>(10 + job)};
}

}  // namespace protocol
