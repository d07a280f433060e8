#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "workers/envs/environments.h"

namespace rv::envs {

struct QuadrupedOptions {
  int environments = 1;
  bool rough = true;  ///< 235 observations on rough ground, 48 on flat ground
  std::uint64_t seed = 1;
  Device device = Device::cpu;
  int gpu = 0;                ///< the CUDA ordinal
  int first_environment = 0;  ///< of this rank: the random numbers are those of first_environment + i
  double speed = 0;           ///< m/s that all are told to walk ahead at; 0: what each draws
};

/// A quadruped that is to walk as it is told (docs/environments.md). Throws std::runtime_error; a
/// workers::OutOfMemory where the memory does not suffice.
std::unique_ptr<Environments> make_quadruped(const QuadrupedOptions& options);

/// What it will hold on its device, known before anything is taken.
std::size_t quadruped_bytes(const QuadrupedOptions& options);

}  // namespace rv::envs
