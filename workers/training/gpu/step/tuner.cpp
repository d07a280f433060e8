#include "workers/training/gpu/step/tuner.h"

#include <limits>
#include <optional>
#include <stdexcept>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/step/gpu_event.h"

namespace rv::workers {
namespace {

const char* const made_elsewhere =
    "the checkpoint was made by another version of rv-train, with other libraries or on another kind of GPU";

/// Times work on a stream.
class Stopwatch {
 public:
  explicit Stopwatch(cudaStream_t stream) : stream_(stream) {}

  /// Milliseconds per run, over `repeats` runs.
  float time(int repeats, const std::function<void(cudaStream_t)>& run) {
    begin_.record(stream_);
    for (int i = 0; i < repeats; ++i) run(stream_);
    end_.record(stream_);
    cuda_call(cudaEventSynchronize(end_.get()), "try a way to compute a layer");
    float time = 0;
    cuda_call(cudaEventElapsedTime(&time, begin_.get(), end_.get()), "read a timer");
    return time / static_cast<float>(repeats);
  }

 private:
  cudaStream_t stream_;
  GpuEvent begin_{0U}, end_{0U};
};

/// Nothing if one run shows that the algorithm is too slow. In fp32 without tensor cores some take seconds, where the
/// best takes milliseconds.
std::optional<float> time_unless_hopeless(Stopwatch& stopwatch, const std::function<void(cudaStream_t)>& run,
                                          std::optional<float> least) {
  constexpr float launch_counts_below = 0.2F, surely = 20, likely = 2, long_enough = 50;
  const bool comparable = least && *least > launch_counts_below;
  const auto first = stopwatch.time(1, run);  // includes loading
  if (comparable && first > surely * *least) return std::nullopt;
  const auto second = stopwatch.time(1, run);
  if (comparable && second > likely * *least) return std::nullopt;
  return second > long_enough ? second : stopwatch.time(4, run);
}

/// Whether the algorithm that ran last is exact enough. A NaN error is too large.
bool is_exact(Exactness& exactness, double error) {
  ++exactness.checked;
  if (error <= exactness.most) return true;
  ++exactness.refused;
  return false;
}

std::size_t fastest(std::size_t ways, const std::function<void(std::size_t)>& choose,
                    const std::function<void(cudaStream_t)>& run, cudaStream_t stream, Exactness* exactness) {
  Stopwatch stopwatch(stream);
  std::optional<float> least;
  std::size_t best = 0;
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t way = 0; way < ways; ++way) {
    choose(way);
    const auto time = time_unless_hopeless(stopwatch, run, least);
    if (!time || (least && *time >= *least)) continue;
    if (exactness != nullptr) {
      const double error = exactness->error();
      const bool exact = is_exact(*exactness, error);
      if (exact || (!least && error < closest)) {
        exactness->chosen = closest = error;
        best = way;
      }
      if (!exact) continue;
    }
    least = time;
    best = way;
  }
  return best;
}

}  // namespace

void Tuner::tune(const std::string& what, std::size_t ways, const std::function<void(std::size_t)>& choose,
                 const std::function<void(cudaStream_t)>& run, cudaStream_t stream, Exactness* exactness) {
  if (ways == 0) throw std::runtime_error("no library has an algorithm to compute " + what + " on this GPU");
  const auto known = known_.find(what);
  if (known != known_.end()) {
    auto& entry = entries_[known->second];
    if (entry.ways == ways) {
      choose(entry.choice);
      entry.setters.push_back(choose);
      return;
    }
  }
  Entry entry;
  entry.ways = ways;
  sign(what);
  sign(std::to_string(ways));
  if (!before_.empty()) {
    const auto next = entries_.size() + 1;
    if (next >= before_.size() || before_[next] < 0 || static_cast<std::size_t>(before_[next]) >= ways) {
      throw std::runtime_error(made_elsewhere);
    }
    entry.choice = static_cast<std::size_t>(before_[next]);
  } else if (ways > 1) {
    entry.choice = fastest(ways, choose, run, stream, exactness);
  }
  choose(entry.choice);
  entry.setters.push_back(choose);
  known_[what] = entries_.size();
  entries_.push_back(std::move(entry));
}

bool Tuner::will_try(const std::string& what, std::size_t ways) const {
  const auto known = known_.find(what);
  return before_.empty() && ways > 1 && (known == known_.end() || entries_[known->second].ways != ways);
}

void Tuner::sign(const std::string& text) {
  signature_ = fnv1a(text, signature_);
}

void Tuner::close() const {
  if (before_.empty()) return;
  if (before_.size() != entries_.size() + 1 || before_[0] != signature()) throw std::runtime_error(made_elsewhere);
}

std::vector<int> Tuner::choices() const {
  std::vector<int> choices{signature()};
  for (const auto& entry : entries_) choices.push_back(static_cast<int>(entry.choice));
  return choices;
}

void Tuner::adopt(const std::vector<int>& choices) {
  const std::runtime_error different("the ranks have different kinds of GPUs, or different libraries");
  if (choices.size() != entries_.size() + 1 || choices[0] != signature()) throw different;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto choice = static_cast<std::size_t>(choices[i + 1]);
    if (choice >= entries_[i].ways) throw different;
    for (const auto& set : entries_[i].setters) set(choice);
    entries_[i].choice = choice;
  }
}

}  // namespace rv::workers
