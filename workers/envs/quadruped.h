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
  int gpu = 0;  ///< the CUDA ordinal
  /// first environment of this rank: environment i has the random numbers of first_environment + i
  int first_environment = 0;
  double speed = 0;  ///< commanded speed ahead, m/s, of all robots; 0: each draws its own command
};

/// Creates quadrupeds that learn to follow walking commands (docs/environments.md). Throws std::runtime_error;
/// workers::OutOfMemory if the memory is insufficient.
std::unique_ptr<Environments> make_quadruped(const QuadrupedOptions& options);

/// The device memory that it will use, in bytes; computed without allocating anything.
std::size_t quadruped_bytes(const QuadrupedOptions& options);

}  // namespace rv::envs
