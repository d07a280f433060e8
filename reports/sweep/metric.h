// Figures that a program tells of itself, in what it prints or in a file of JSON lines.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/regex_pattern.h"

namespace rv::sweep {

/// Throughput, as the built-in patterns call it.
inline constexpr const char* steps_per_s = "steps_per_s";

/// What a program said of one figure, in the order in which it did.
struct Metric {
  std::vector<double> values;
  /// The last one, as the seed of this experiment counts.
  double last() const { return values.back(); }
  /// The median of all but the first, which warms up; of one value that value.
  double typical() const;
};

/// By name. A figure that was not reported is missing: unknown, not 0.
using Metrics = std::map<std::string, Metric>;

struct MetricOption {
  std::string name;
  std::string pattern;  // POSIX extended, the figure in its first group
  bool operator==(const MetricOption&) const = default;
};

/// "steps_per_s=([0-9.]+) steps". Throws Error(usage) that names the word: no name, no group, no expression at all.
MetricOption parse_metric(std::string_view text);

/// "52,345.5", "1.2e3"; nothing for anything else, and for what is not finite.
std::optional<double> figure_from(std::string_view text);

class MetricReader {
 public:
  /// The built-in patterns, but for figures that `options` name: RSL-RL's lines, old and new.
  explicit MetricReader(const std::vector<MetricOption>& options);

  /// Reads one line of output. True when it held a figure.
  bool read(const std::string& line);
  /// Reads one line of a JSON-lines file: every number of the object is a figure. True when it held one.
  bool read_json(const std::string& line);

  /// With timesteps_per_iteration, where the program counts its timesteps.
  Metrics metrics() const;

 private:
  struct Pattern {
    std::string name;
    std::unique_ptr<RegexPattern> expression;
  };
  std::vector<Pattern> patterns_;
  Metrics metrics_;
};

}  // namespace rv::sweep
