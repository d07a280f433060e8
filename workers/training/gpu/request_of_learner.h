#pragma once

#include "workers/training/gpu/step/gpu_step.h"
#include "workers/training/learning/learner.h"

namespace rv::workers {

/// Batches that can wait on the GPU.
inline constexpr int learner_slots = 2;

/// What a learner asks of a network on a GPU, in a run of so many ranks.
GpuRequest request_of_learner(const LearnerRequest& request, int world);

}  // namespace rv::workers
