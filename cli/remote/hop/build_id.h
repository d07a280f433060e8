// Which build of rv this is.
#pragma once

#include <string>

namespace rv::remote {

/// "rv-0.1.0-<16 hex digits>": the version and the beginning of the build ID, a hash of the whole program that the
/// linker wrote into it. Two binaries with this name are the same program. Throws Error for a binary without one.
std::string binary_name();

/// The bytes of the running binary. Throws Error when they can't be read.
std::string own_binary();

}  // namespace rv::remote
