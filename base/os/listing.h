// What is in a folder now.
#pragma once

#include <string>
#include <vector>

namespace rv::os {

/// The names in a folder but "." and "..", in order; none where it does not exist. The listing is fresh on network file
/// systems too, which may remember for a minute that a name was not there: what is polled for is looked for here before
/// it is opened. Throws Error when a folder that exists can't be read.
std::vector<std::string> names_in(const std::string& folder);

}  // namespace rv::os
