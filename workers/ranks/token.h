#pragma once

#include <optional>
#include <string>

namespace rv::workers {

/// The secret that keeps strangers on the network out of a run. It never stands on a command line, where every user
/// of the host could read it, nor goes over the network (handshake.h). It authenticates; it encrypts nothing.

/// 32 hexadecimal digits from the kernel's random source. Throws std::runtime_error.
std::string random_token();

/// The content of a file that only its owner can read (any more than 0600 is refused), without the line's end.
/// Throws std::invalid_argument with the way out.
std::string token_from_file(const std::string& path);

/// Equal, in a time that does not tell how much of it is.
bool same_secret(const std::string& a, const std::string& b);

}  // namespace rv::workers
