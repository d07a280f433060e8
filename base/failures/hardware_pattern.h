// The messages of broken hardware as one pattern, for scripts that read a log with grep.
#pragma once

#include <string>

namespace rv::failures {

/// Returns a POSIX extended regular expression. It matches lines of the messages whose cause is gpu_hardware, and of
/// the Xids and SXids after which a node needs repair. A code that another text excuses (144 to 150) is left out.
std::string hardware_pattern();

}  // namespace rv::failures
