#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "workers/system/descriptor.h"

namespace rv::workers {

/// Both ends are closed on exec.
struct Pipe {
  Descriptor reads, writes;
};

/// Nothing, with errno, where there are no descriptors left.
std::optional<Pipe> make_pipe();

/// Adds what comes from there to `text`, until its end. False: it did not end in time, or can't be read.
bool read_to_end(int from, std::string& text, std::chrono::steady_clock::time_point until);

}  // namespace rv::workers
