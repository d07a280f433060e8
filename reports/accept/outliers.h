// Outliers among equal GPUs or nodes.
#pragma once

#include <cstddef>
#include <vector>

namespace rv::accept {

/// Indices of the values that are worse than the others by more than chance, `smaller_is_better` for times.
/// Four or more: more than five scaled deviations from the median (1.4826·MAD estimates a normal spread: Leys et al.,
/// J. Exp. Soc. Psychol. 49, 2013) and more than 5 % off it, so that in a group which agrees to the last digit a
/// tiny difference does not count. Among two or three values, more than 10 % off the best. Times of microseconds
/// (`latency`) vary with whatever else the host does: half as much again is then the least that stands out.
/// `spreads` has the median absolute deviation of the repeats of each value, or is empty: a value that is off by less
/// than twice its own spread does not stand out. One of four H100s gave 688 ± 39 TFLOP/s in a quick run where the
/// median was 727.
std::vector<std::size_t> worse_than_the_others(const std::vector<double>& values, bool smaller_is_better, bool latency,
                                               const std::vector<double>& spreads = {});

}  // namespace rv::accept
