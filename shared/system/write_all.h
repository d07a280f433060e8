#pragma once

#include <string_view>

namespace rv::os {

/// Writes to a descriptor that blocks, across signals and partial writes. False, with errno, where a write fails.
bool write_all(int file, std::string_view bytes);

}  // namespace rv::os
