#include "reports/sweep/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"

namespace rv::sweep {
namespace {

std::string axes_text(const Order& order) {
  std::vector<std::string> names;
  names.reserve(order.axes.size());
  for (const auto& axis : order.axes) names.push_back(axis.name);
  return listed(names);
}

nlohmann::ordered_json side(const CurvePoint* point) {
  if (point == nullptr) return nullptr;
  nlohmann::ordered_json document{{"end", to_string(point->out_of_memory != nullptr ? point->out_of_memory->end.kind
                                                                                    : point->runs.front()->end.kind)}};
  document["throughput"] = point->throughput ? nlohmann::ordered_json(*point->throughput) : nlohmann::ordered_json();
  document["peak_vram_mib"] = point->vram_mib ? nlohmann::ordered_json(*point->vram_mib) : nlohmann::ordered_json();
  return document;
}

}  // namespace

Comparison compare(const Sweep& first, const Sweep& second) {
  if (axes_text(first.order) != axes_text(second.order)) {
    throw Error(fmt::format("one sweep is over {}, the other over {}", axes_text(first.order), axes_text(second.order)),
                "compare sweeps with the same --over names", ExitCode::usage);
  }
  Comparison comparison{machine_of(first.results), machine_of(second.results), {}};
  if (comparison.first == comparison.second) {
    comparison.first += " (first)";
    comparison.second += " (second)";
  }
  auto others = curves_of(second.order, second.results);
  for (auto& mine : curves_of(first.order, first.results)) {
    const auto theirs =
        std::find_if(others.begin(), others.end(), [&](const Curve& one) { return one.others == mine.others; });
    if (theirs != others.end()) comparison.curves.push_back({std::move(mine), std::move(*theirs), {}, {}});
  }
  if (comparison.curves.empty()) {
    throw Error("the two sweeps have no points in common", "compare sweeps over the same values", ExitCode::usage);
  }
  for (auto& curve : comparison.curves) {
    std::map<long long, ComparedPoint> points;
    for (const auto& point : curve.first.points) points[point.x].first = &point;
    for (const auto& point : curve.second.points) points[point.x].second = &point;
    for (auto& [x, point] : points) {
      point.x = x;
      curve.points.push_back(point);
    }
    curve.answers = answer(first.order, curve.first, comparison.first, {comparison.second, &curve.second});
  }
  return comparison;
}

nlohmann::ordered_json to_json(const Comparison& comparison) {
  nlohmann::ordered_json document{{"first", comparison.first}, {"second", comparison.second}};
  document["curves"] = nlohmann::ordered_json::array();
  for (const auto& curve : comparison.curves) {
    nlohmann::ordered_json one{{"at", curve.first.others}};
    one["points"] = nlohmann::ordered_json::array();
    for (const auto& point : curve.points) {
      nlohmann::ordered_json entry{{"x", point.x}, {"first", side(point.first)}, {"second", side(point.second)}};
      const bool both = point.first != nullptr && point.second != nullptr && point.first->throughput &&
                        point.second->throughput && *point.second->throughput > 0;
      entry["speed_up"] = both ? nlohmann::ordered_json(*point.first->throughput / *point.second->throughput)
                               : nlohmann::ordered_json();
      one["points"].push_back(std::move(entry));
    }
    one["answers"] = nlohmann::ordered_json::array();
    for (const auto& answer : curve.answers) one["answers"].push_back(to_json(answer));
    document["curves"].push_back(std::move(one));
  }
  return document;
}

}  // namespace rv::sweep
