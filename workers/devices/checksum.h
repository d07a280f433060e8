#pragma once

#include <span>
#include <string>

namespace rv::workers {

/// Changes with every bit of the numbers and its place; 16 hexadecimal digits.
std::string checksum_of(std::span<const float> numbers);

}  // namespace rv::workers
