// Cryptographic random numbers.
#pragma once

#include <span>
#include <string>

namespace rv::os {

/// Fills `bytes` from getrandom(2), or from /dev/urandom before Linux 3.17. Returns false, with errno, if both fail.
[[nodiscard]] bool fill_randomly(std::span<unsigned char> bytes);

/// Returns `bytes` random bytes as lower-case hexadecimal digits, two per byte. Throws Error.
std::string random_hex(std::size_t bytes);

}  // namespace rv::os
