// Replaces training on GPUs in a build without CUDA.
#include "workers/training/learning/learner.h"

namespace rv::workers {

std::unique_ptr<Learner> gpu_learner(const Network&, const LearnerRequest&, Peer&, Communicator&) {
  return nullptr;
}

std::function<std::size_t(const Network&)> gpu_bytes_counter(const LearnerRequest&, int) {
  return [](const Network&) { return std::size_t{0}; };
}

}  // namespace rv::workers
