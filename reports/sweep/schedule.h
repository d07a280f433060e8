// Which point is next. Only ended points count, so an interrupted sweep continues where it stopped.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/sweep/ending.h"
#include "reports/sweep/order.h"
#include "reports/sweep/point.h"

namespace rv::sweep {

struct Ended {
  Point point;
  EndKind end = EndKind::done;
};

struct Next {
  std::optional<Point> point;  // nothing: the sweep is over
  std::string reason;          // of a search: why this one, or how it ended
};

/// --stop-after oom leaves out what is at least as large, on the first axis, as a point that ran out of memory and
/// otherwise the same. --find-max then doubles the largest value that fits, or halves the smallest that does not, and
/// bisects until both are as near as a 32nd part of it, rounded down to a power of two. An end that is neither stops
/// the search.
Next next_point(const Order& order, const std::vector<Ended>& ended);

/// Those of the order that next_point leaves out for what has ended by now.
std::vector<Point> left_out(const Order& order, const std::vector<Ended>& ended);

}  // namespace rv::sweep
