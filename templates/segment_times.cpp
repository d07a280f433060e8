#include "templates/segment_times.h"

#include <algorithm>

namespace rv::templates {
namespace {

// A short segment would spend most of its time saving, and ten minutes save what fits into the memory of a node.
constexpr int usual_warnings_in_segment = 6;
constexpr std::chrono::seconds longest_usual_warning{600};

}  // namespace

SegmentTimes segment_times(const Chain& chain, std::chrono::seconds time_limit) {
  SegmentTimes times;
  if (chain.shortest < time_limit) times.shortest = chain.shortest;
  times.least = times.shortest.count() > 0 ? times.shortest : time_limit;
  times.warning = chain.warning.value_or(std::min(longest_usual_warning, times.least / usual_warnings_in_segment));
  return times;
}

}  // namespace rv::templates
