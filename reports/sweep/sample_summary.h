// What the samples of one point say together.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/sweep/sample_table.h"

namespace rv::sweep {

struct SampleFiles {
  SampleTable gpu, cpu, ram, process;
};

/// A source of samples that was not there for a time.
struct Missing {
  std::string source;  // "gpu", "cgroup", …
  double since = 0;    // seconds since 1970
  std::optional<double> until;
  std::string why;
};

struct SampleSummary {
  /// By name, as combined_results.csv has them (docs/sweep.md); one that could not be measured is not there.
  std::map<std::string, double> figures;
  /// Seconds by reason, over all GPUs; nothing: the driver does not tell.
  std::optional<std::map<std::string, double>> throttled_s;
  std::vector<Missing> missing;

  std::optional<double> operator[](const std::string& name) const {
    const auto found = figures.find(name);
    return found == figures.end() ? std::nullopt : std::optional(found->second);
  }
};

/// The figures that are columns of combined_results.csv, in their order. `first`: those whose columns come before the
/// others.
std::vector<std::string> sample_figures(bool first);

/// `events`: the sampler's lines of JSON, {"time", "event": "lost" | "back", "source", "why"}.
SampleSummary summarize(const SampleFiles& files, const std::string& events);

/// How often the kernel ended a process of the cgroup for its memory meanwhile; nothing where the counter could not be
/// read at both ends.
std::optional<long long> oom_kills(const SampleTable& ram);

}  // namespace rv::sweep
