#pragma once

#include "workers/training/gpu/step/gpu_step.h"
#include "workers/training/learning/learner.h"

namespace rv::workers {

/// The number of batches that fit on the GPU.
inline constexpr int learner_slots = 2;

/// The parameters of a learner's network on a GPU, in a run of `world` ranks.
GpuRequest request_of_learner(const LearnerRequest& request, int world);

}  // namespace rv::workers
