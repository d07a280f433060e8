// The middle of many values, and how far they are from it.
#pragma once

#include <vector>

namespace rv {

/// Of at least one; the mean of the two middle ones for an even count.
double median(std::vector<double> values);

/// Median absolute deviation from the median, in the values' unit, not scaled to a standard deviation.
double median_absolute_deviation(const std::vector<double>& values);

}  // namespace rv
