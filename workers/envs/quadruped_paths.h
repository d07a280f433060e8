#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "workers/envs/environments.h"
#include "workers/envs/task/settings.h"
#include "workers/envs/task/store.h"

namespace rv::envs {

/// What both devices need to know of a quadruped.
struct QuadrupedParts {
  TaskSettings settings;
  int environments = 1;
  int gpu = 0;
  int threads = 0;  ///< of the CPU; 0 for as many as this process may use
};

std::unique_ptr<Environments> cpu_quadruped(const QuadrupedParts& parts);
/// Throws without a GPU, and in a build without CUDA.
std::unique_ptr<Environments> cuda_quadruped(const QuadrupedParts& parts);

/// The words that the store of so many environments takes, and where its three parts are in them.
std::size_t store_words(int environments);
Store store_at(void* words, int environments);
std::size_t terrain_bytes(bool rough);

/// A store's words with what they belong to before them, as Environments::state gives them.
std::vector<std::byte> packed_state(const QuadrupedParts& parts, const std::vector<std::uint32_t>& words);
/// Throws when the state is another quadruped's.
std::vector<std::uint32_t> unpacked_state(const QuadrupedParts& parts, const std::vector<std::byte>& state);

/// From the environments' sums, a level each where the ground has levels.
Environments::Figures figures_of(const std::vector<float>& sums, const std::vector<std::uint32_t>& levels, bool rough);

}  // namespace rv::envs
