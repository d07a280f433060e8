// Lines over one axis, and marks where something ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rv::pages {

struct Line {
  std::string name;
  std::vector<std::pair<double, double>> points = {};  // by x
  /// Drawn with dashes in the colour of the line of that number, which it is the baseline of.
  std::optional<std::size_t> baseline_of = {};
};

struct Mark {
  double x = 0;
  std::string word;  // "OOM"
};

/// What stands on the x axis.
enum class Axis {
  number,
  bytes,  // "64K", "256M"
  names,  // x is a place in `x_names`; points without a line between them
};

struct LineChart {
  std::vector<Line> lines = {};
  std::vector<Mark> marks = {};
  std::string x_name = {}, unit = {};
  bool doubling = false;  // x by powers of two, with a tick at each point's; else x as it is
  bool dots = false;      // a dot at each point, with its figures as title
  bool log_y = false;     // y by powers of ten; what is not above 0 has no place then
  Axis axis = Axis::number;
  std::vector<std::string> x_names = {};
};

/// y begins at 0, or at a power of ten. Empty where no line has a point and nothing is marked.
std::string line_chart_svg(const LineChart& chart);

/// "0.5", "12", "1,024", "12.5k", "3M": for a tick.
std::string tick_text(double value);

/// "8", "64K", "256M", "8G": as the workers write sizes.
std::string bytes_text(std::uint64_t bytes);

/// Steps of 1, 2 or 5 times a power of ten, from 0 to the first that is not below `most`; at most six.
std::vector<double> ticks_to(double most);

}  // namespace rv::pages
