// Replaces gpu_learner.cpp in a build without CUDA.
#include "workers/ppo/learner.h"

namespace rv::ppo {

std::unique_ptr<Learner> gpu_learner(envs::Environments&, const LearnerRequest&) {
  return nullptr;
}

std::size_t gpu_learner_bytes(const envs::Sizes&, const LearnerRequest&) {
  return 0;
}

}  // namespace rv::ppo
