#include "planner/replay/queue_replay.h"

#include <algorithm>

#include "base/seeded_random.h"

namespace rv::planner {

namespace {

/// Makes the random numbers for this purpose differ from those drawn with the keys of jobs.
constexpr std::uint64_t for_phase = 0x70686173;

}  // namespace

QueueReplay::QueueReplay(const ReplayModel& model, const std::vector<HypotheticalJob>& hypotheticals,
                         const ReplaySettings& settings)
    : model_(model),
      settings_(settings),
      state_(model),
      schedule_(model.times.backfill_interval, settings.fine_passes, settings.coarseness),
      plans_(model),
      blocked_(model),
      starts_(model, state_, schedule_, plans_, blocked_),
      hypotheticals_(model, hypotheticals, settings.window_delay, state_, schedule_, plans_, blocked_),
      main_pass_(model, state_, blocked_, starts_, hypotheticals_),
      backfill_pass_(model, state_, plans_, blocked_, starts_, hypotheticals_) {}

const std::vector<HypotheticalOutcome>& QueueReplay::run(const Component& component, int trial) {
  begin(component, trial);
  if (model_.times.submit_delay <= 0) main_pass_.run(0);
  bool changed = true;
  while (open()) {
    const ReplayTime event = state_.next_event();
    if (!changed) {
      if (event >= settings_.horizon) break;
      schedule_.skip_until(event);
    }
    schedule_.reach();
    pass_events();
    if (schedule_.next() > settings_.horizon || !open()) break;
    starts_.reset_count();
    pass();
    // Who started in a coarse step may be over in it, and its nodes taken by the next.
    while (schedule_.coarse() && open() && state_.next_event() <= schedule_.next()) {
      state_.apply_events(schedule_.next());
      pass();
    }
    // The pass stopped early at bf_max_job_start, and the next one continues at once.
    changed = starts_.exhausted();
    schedule_.leave();
  }
  return hypotheticals_.starts().outcomes();
}

void QueueReplay::begin(const Component& component, int trial) {
  if (component_ != &component) {
    component_ = &component;
    state_.enter(component);
    backfill_pass_.enter(component);
  }
  const std::uint64_t seed = mixed(settings_.seed, static_cast<std::uint64_t>(trial));
  state_.begin(seed);
  backfill_pass_.begin();
  hypotheticals_.begin(component, seed);
  const auto phase = static_cast<ReplayTime>(unit_interval(mixed(seed, for_phase)) * model_.times.backfill_interval);
  schedule_.begin(std::max(phase, 1));
}

/// What happens up to the next backfill pass, and the main passes that come with it; before a coarse one, none.
void QueueReplay::pass_events() {
  const ReplayTime next_pass = schedule_.next();
  if (schedule_.coarse()) {
    state_.apply_events(next_pass);
    return;
  }
  for (ReplayTime at = state_.next_event(); at <= next_pass && open(); at = state_.next_event()) {
    state_.apply_events(at);
    const ReplayTime noticed = at + model_.times.main_delay;
    if (noticed < next_pass) main_pass_.run(noticed);
  }
}

void QueueReplay::pass() {
  if (model_.times.backfill) {
    backfill_pass_.run(schedule_.next());
  } else {
    main_pass_.run(schedule_.next());
  }
}

}  // namespace rv::planner
