// Random numbers that nobody can guess.
#pragma once

#include <span>
#include <string>

namespace rv::os {

/// From getrandom(2), or /dev/urandom on a kernel without it (before Linux 3.17). False, with errno, when neither gives
/// any.
[[nodiscard]] bool fill_randomly(std::span<unsigned char> bytes);

/// So many random bytes in lower-case hexadecimal digits, two a byte. Throws Error.
std::string random_hex(std::size_t bytes);

}  // namespace rv::os
