// The middle of many.
#pragma once

#include <vector>

namespace rv {

/// Of at least one; the mean of the two middle ones for an even count.
double median(std::vector<double> values);

}  // namespace rv
