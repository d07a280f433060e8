#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "shared/system/descriptor.h"

namespace rv::os {

/// Both are closed on exec, and above 2: a caller without stdin would get 0, and a child's dup2 would overwrite one end
/// with the other.
struct PipeEnds {
  Descriptor reads, writes;
};

/// Nothing, with errno, where there are no descriptors left.
std::optional<PipeEnds> make_pipe();

/// Adds what comes from there to `text`, until its end. False: it did not end in time, or can't be read.
bool read_to_end(int from, std::string& text, std::chrono::steady_clock::time_point until);

}  // namespace rv::os
