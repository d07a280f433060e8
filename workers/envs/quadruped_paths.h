#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "workers/envs/environments.h"
#include "workers/envs/task/settings.h"
#include "workers/envs/task/store.h"

namespace rv::envs {

/// The parameters of both implementations of the quadrupeds.
struct QuadrupedParts {
  TaskSettings settings;
  int environments = 1;
  int gpu = 0;
  int threads = 0;  ///< threads on the CPU; 0: as many as this process may use
};

std::unique_ptr<Environments> cpu_quadruped(const QuadrupedParts& parts);
/// Throws std::runtime_error without a GPU, and in a build without CUDA.
std::unique_ptr<Environments> cuda_quadruped(const QuadrupedParts& parts);

/// The 32-bit words that the state of that many environments takes; store_at returns its three parts in that memory.
std::size_t store_words(int environments);
Store store_at(void* words, int environments);
std::size_t terrain_bytes(bool rough);

/// The words of a store, with a header that identifies its environments, as Environments::state returns them.
std::vector<std::byte> packed_state(const QuadrupedParts& parts, const std::vector<std::uint32_t>& words);
/// The words from such a state. Throws std::runtime_error if the state belongs to other environments.
std::vector<std::uint32_t> unpacked_state(const QuadrupedParts& parts, const std::vector<std::byte>& state);

/// Means of the environments' sums, and of their levels if the ground has levels.
Environments::Figures figures_of(const std::vector<float>& sums, const std::vector<std::uint32_t>& levels, bool rough);

}  // namespace rv::envs
