#pragma once

#include <span>
#include <string>

namespace rv::workers {

/// Returns 16 hexadecimal digits that depend on every bit of the numbers and its position.
std::string checksum_of(std::span<const float> numbers);

}  // namespace rv::workers
