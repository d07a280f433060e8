// In place of the GPU's training in a build without CUDA.
#include "workers/training/learning/learner.h"

namespace rv::workers {

std::unique_ptr<Learner> gpu_learner(const Network&, const LearnerRequest&, Peer&, Communicator&) {
  return nullptr;
}

std::size_t gpu_bytes_needed(const Network&, const LearnerRequest&, int) {
  return 0;
}

}  // namespace rv::workers
