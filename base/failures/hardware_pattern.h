// The messages of broken hardware as one pattern, for scripts that read a log with grep.
#pragma once

#include <string>

namespace rv::failures {

/// Returns a POSIX extended regular expression. It matches lines of the messages whose cause is gpu_hardware, and of
/// the Xids and SXids after which a node needs repair. Codes whose line can also have a harmless text (144 to 150) are
/// left out.
std::string hardware_pattern();

}  // namespace rv::failures
