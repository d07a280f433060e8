#pragma once

#include <optional>
#include <string>

namespace rv::workers {

/// The token is the secret of a run: processes without it can't join. It is never put on a command line, where every
/// user of the host could read it, and never sent over the network (handshake.h). It authenticates; it encrypts
/// nothing.

/// Returns 32 hexadecimal digits from the kernel's random source. Throws std::runtime_error.
std::string random_token();

/// Returns the content of a file without its line end. The file may be readable only by its owner (mode 0600 or
/// stricter). Throws std::invalid_argument with a hint.
std::string token_from_file(const std::string& path);

/// Compares two secrets in a time that does not depend on how many characters match.
bool same_secret(const std::string& a, const std::string& b);

}  // namespace rv::workers
