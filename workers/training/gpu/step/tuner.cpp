#include "workers/training/gpu/step/tuner.h"

#include <stdexcept>

#include "workers/devices/cuda_call.h"

namespace rv::workers {
namespace {

std::size_t fastest(std::size_t ways, const std::function<void(std::size_t)>& choose,
                    const std::function<void(cudaStream_t)>& run, cudaStream_t stream) {
  cudaEvent_t begin = nullptr, end = nullptr;
  cuda_call(cudaEventCreate(&begin), "create an event");
  cuda_call(cudaEventCreate(&end), "create an event");
  float least = 0;
  std::size_t best = 0;
  for (std::size_t way = 0; way < ways; ++way) {
    choose(way);
    run(stream);
    constexpr int repeats = 4;
    cuda_call(cudaEventRecord(begin, stream), "record an event");
    for (int i = 0; i < repeats; ++i) run(stream);
    cuda_call(cudaEventRecord(end, stream), "record an event");
    cuda_call(cudaEventSynchronize(end), "try a way to compute a layer");
    float time = 0;
    cuda_call(cudaEventElapsedTime(&time, begin, end), "read a timer");
    if (way > 0 && time >= least) continue;
    least = time;
    best = way;
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return best;
}

}  // namespace

void Tuner::tune(const std::string& what, std::size_t ways, const std::function<void(std::size_t)>& choose,
                 const std::function<void(cudaStream_t)>& run, cudaStream_t stream) {
  if (ways == 0) throw std::runtime_error("no library proposes a way to compute " + what + " on this GPU");
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
  if (!before_.empty()) {
    const auto next = entries_.size();
    if (next >= before_.size() || before_[next] < 0 || static_cast<std::size_t>(before_[next]) >= ways) {
      throw std::runtime_error("the checkpoint was made with other libraries or on another kind of GPU");
    }
    entry.choice = static_cast<std::size_t>(before_[next]);
  } else if (ways > 1) {
    entry.choice = fastest(ways, choose, run, stream);
  }
  choose(entry.choice);
  entry.setters.push_back(choose);
  known_[what] = entries_.size();
  entries_.push_back(std::move(entry));
}

std::vector<int> Tuner::choices() const {
  std::vector<int> choices;
  for (const auto& entry : entries_) choices.push_back(static_cast<int>(entry.choice));
  return choices;
}

void Tuner::adopt(const std::vector<int>& choices) {
  const std::runtime_error different("the ranks have different kinds of GPUs, or different libraries");
  if (choices.size() != entries_.size()) throw different;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto choice = static_cast<std::size_t>(choices[i]);
    if (choice >= entries_[i].ways) throw different;
    for (const auto& set : entries_[i].setters) set(choice);
    entries_[i].choice = choice;
  }
}

}  // namespace rv::workers
