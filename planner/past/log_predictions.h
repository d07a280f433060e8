// Predicts waits at the submissions of a log, by rv's replay and by simple rules.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "planner/cluster/gpu_catalogue.h"
#include "planner/past/job_log.h"
#include "planner/past/machine.h"
#include "planner/past/past_wait.h"

namespace rv::planner {

enum class Predictor : std::size_t {
  replay,     // rv: the replay of the queue
  learned,    // the replay, and what became of earlier submissions that looked alike
  zero,       // no wait
  last_few,   // the last 5 waits of the same partition and size
  last_many,  // the last 25
  run_times,  // the replay with the real run times of running and waiting jobs, without later arrivals
  count,
};
inline constexpr auto predictor_count = static_cast<std::size_t>(Predictor::count);

/// The name in tables and documents.
std::string_view to_string(Predictor predictor);

/// The waits that were predicted for one job of the log.
struct PastPrediction {
  std::size_t job = 0;  // index in JobLog::jobs
  std::chrono::seconds real{0};
  std::array<PastWait, predictor_count> waits;
};

struct PastSettings {
  double warm_up = 0.1;    // share of the log's time before the first scored submission
  std::size_t most = 600;  // submissions to replay, evenly spread, with those of the warm-up
  std::uint64_t seed = 1;
  int trials = 0;                                          // 0: as many as are affordable
  int threads = 1;                                         // the result does not depend on it
  std::function<void(std::size_t, std::size_t)> progress;  // done, of; called by several threads
};

struct PastPredictions {
  std::vector<PastPrediction> predictions;  // by submission
  std::size_t warm_up = 0;                  // jobs submitted before the first scored one
  std::size_t loops = 0;                    // jobs left out: at most 20 s long, and submitted again at once
  std::size_t scorable = 0;                 // jobs from which the predicted ones are sampled
  std::size_t unplaced = 0;                 // jobs that did not fit on the machine when they started
};

/// Each prediction uses only what was known at its submission, except Predictor::run_times.
PastPredictions predict_log(const JobLog& log, const Machine& machine, const GpuCatalogue& catalogue,
                            const PastSettings& settings);

}  // namespace rv::planner
