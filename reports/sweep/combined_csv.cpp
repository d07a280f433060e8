#include "reports/sweep/combined_csv.h"

#include <fmt/format.h>

namespace rv::sweep {
namespace {

std::string text(const std::optional<double>& value) {
  return value ? fmt::format("{:.10g}", *value) : std::string();
}

std::optional<double> last(const PointResult& result, const std::string& name) {
  const auto found = result.metrics.find(name);
  return found == result.metrics.end() ? std::nullopt : std::optional(found->second.last());
}

std::optional<double> typical(const PointResult& result, const std::string& name) {
  const auto found = result.metrics.find(name);
  return found == result.metrics.end() ? std::nullopt : std::optional(found->second.typical());
}

/// As CSV takes it.
std::string field(const std::string& value) {
  if (value.find_first_of(",\"\n") == std::string::npos) return value;
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

/// Unknown where something was killed and nobody knows for what.
const char* oom_word(EndKind kind) {
  return is_out_of_memory(kind) ? "YES" : kind == EndKind::killed ? "" : "NO";
}

std::string region_of(const PointResult& result, const std::vector<Curve>& curves) {
  for (const auto& curve : curves) {
    for (const auto& point : curve.points) {
      for (const auto* run : point.runs) {
        if (run == &result) return point.region ? std::string(to_string(*point.region)) : std::string();
      }
    }
  }
  return "";
}

}  // namespace

std::string combined_csv(const Order& order, const std::vector<PointResult>& results,
                         const std::vector<Curve>& curves) {
  const auto peaks = sample_figures(true), other_figures = sample_figures(false);
  std::string out = order.axes.front().name + ",steps_per_sec,iter_time_s,training_time_s";
  for (const auto& name : peaks) out += fmt::format(",{}", name);
  out += ",oom";
  for (std::size_t i = 1; i < order.axes.size(); ++i) out += "," + order.axes[i].name;
  out += ",repeat,end,exit_code,wall_s,throughput,region,collection_s,learning_s,timesteps_per_iteration,throttled_s";
  for (const auto& name : other_figures) out += fmt::format(",{}", name);
  out += ",host,gpu,folder\n";
  for (const auto& result : results) {
    out += result.point.settings.at(order.axes.front().name);
    for (const auto* name : {steps_per_s, "iteration_s", "training_s"}) out += "," + text(last(result, name));
    for (const auto& name : peaks) out += "," + text(result.samples[name]);
    out += fmt::format(",{}", oom_word(result.end.kind));
    for (std::size_t i = 1; i < order.axes.size(); ++i) {
      out += "," + field(result.point.settings.at(order.axes[i].name));
    }
    const auto code = result.end.exit_code ? std::optional<double>(*result.end.exit_code) : std::nullopt;
    out += fmt::format(",{},{},{},{},{},{}", result.point.repeat, to_string(result.end.kind), text(code),
                       text(result.wall_s), text(typical(result, order.throughput)), region_of(result, curves));
    for (const auto* name : {"collection_s", "learning_s", "timesteps_per_iteration"}) {
      out += "," + text(typical(result, name));
    }
    std::optional<double> throttled;
    if (result.samples.throttled_s) {
      throttled = 0;
      for (const auto& [reason, seconds] : *result.samples.throttled_s) *throttled += reason == "idle" ? 0 : seconds;
    }
    out += "," + text(throttled);
    for (const auto& name : other_figures) out += "," + text(result.samples[name]);
    out += fmt::format(",{},{},{}\n", field(result.host), result.gpus.empty() ? "" : field(result.gpus.front()),
                       field(result.folder));
  }
  return out;
}

std::string summary_text(const PointResult& result) {
  std::string out;
  for (const auto& [name, value] : result.point.settings) out += fmt::format("{}={}\n", name, value);
  out += fmt::format("repeat={}\nend={}\nevidence={}\n", result.point.repeat, to_string(result.end.kind),
                     result.end.evidence);
  if (result.end.exit_code) out += fmt::format("exit_code={}\n", *result.end.exit_code);
  out += fmt::format("wall_s={:.3f}\n", result.wall_s);
  for (const auto& [name, metric] : result.metrics) {
    out += fmt::format("{0}={1:.10g}\n{0}_typical={2:.10g}\n", name, metric.last(), metric.typical());
  }
  for (const auto& [name, value] : result.samples.figures) out += fmt::format("{}={:.10g}\n", name, value);
  if (result.samples.throttled_s) {
    for (const auto& [reason, seconds] : *result.samples.throttled_s) {
      out += fmt::format("throttled_{}_s={:.1f}\n", reason, seconds);
    }
  }
  for (const auto& one : result.samples.missing) {
    out += fmt::format("missing={}, since {:.1f}: {}\n", one.source, one.since, one.why);
  }
  return out;
}

}  // namespace rv::sweep
