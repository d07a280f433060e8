#include "reports/accept/gpu_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/documents/parse_document.h"
#include "reports/accept/step_name.h"
#include "reports/accept/summary.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "shared/median.h"

namespace rv::accept {
namespace {

using Json = nlohmann::ordered_json;

struct Point {
  TimePoint time;
  double value;
  bool failed;
  const GpuRecord* record;
};

std::optional<double> slope_percent(const std::vector<Point>& points) {
  if (points.size() < 3) return std::nullopt;
  const auto days = [&](const Point& p) {
    return std::chrono::duration<double, std::ratio<86400>>(p.time - points.front().time).count();
  };
  double mean_x = 0, mean_y = 0;
  for (const auto& p : points) {
    mean_x += days(p) / static_cast<double>(points.size());
    mean_y += p.value / static_cast<double>(points.size());
  }
  double above = 0, below = 0;
  for (const auto& p : points) {
    above += (days(p) - mean_x) * (p.value - mean_y);
    below += (days(p) - mean_x) * (days(p) - mean_x);
  }
  std::vector<double> values;
  values.reserve(points.size());
  for (const auto& p : points) values.push_back(p.value);
  const double centre = median(values);
  if (below <= 0 || centre == 0) return std::nullopt;
  return above / below * 30 / centre * 100;
}

void find_first_bad(Trend& trend, const std::vector<Point>& points) {
  const bool small = smaller_is_better(trend.unit);
  double best = points.front().value;
  for (const auto& p : points) {
    const double share = small ? best / p.value : p.value / best;
    if (p.failed || share < 0.95) {
      trend.first_bad = p.time;
      trend.first_bad_run = p.record->run;
      return;
    }
    best = small ? std::min(best, p.value) : std::max(best, p.value);
  }
}

std::vector<double> earlier_values(const GpuRecord& gpu, const std::string& figure, const std::string& unit,
                                   const std::vector<GpuRecord>& earlier) {
  std::vector<double> values;
  for (const auto& record : earlier) {
    if (record.uuid != gpu.uuid || record.run == gpu.run || record.verdict == Verdict::fail) continue;
    const auto value = record.figures.find(figure);
    const auto its_unit = record.units.find(figure);
    if (value == record.figures.end() || its_unit == record.units.end() || its_unit->second != unit) continue;
    values.push_back(value->second);
  }
  return values;
}

}  // namespace

std::string to_line(const GpuRecord& record) {
  Json figures = Json::object(), units = Json::object();
  for (const auto& [name, value] : record.figures) figures[name] = value;
  for (const auto& [name, unit] : record.units) units[name] = unit;
  Json json = {{"time", record.time.time_since_epoch().count()},
               {"run", record.run},
               {"node", record.node},
               {"uuid", record.uuid},
               {"model", record.model},
               {"verdict", to_string(record.verdict)},
               {"figures", figures},
               {"units", units}};
  for (const auto& [product, checksum] : record.bits) json["bits"][product] = checksum;
  return json_dump(json) + "\n";
}

std::optional<GpuRecord> record_from_line(std::string_view line) {
  const auto json = parse_json_or_discard<Json>(line);
  if (!json.is_object()) return std::nullopt;
  try {
    GpuRecord record{.time = TimePoint(std::chrono::seconds(integer_at<long long>(json, "time"))),
                     .run = json.at("run").get<std::string>(),
                     .node = json.at("node").get<std::string>(),
                     .uuid = json.at("uuid").get<std::string>(),
                     .model = json.value("model", ""),
                     .verdict = verdict_from(json.at("verdict").get<std::string>()),
                     .figures = {},
                     .units = {}};
    for (const auto& [name, value] : json.at("figures").items()) record.figures[name] = value.get<double>();
    for (const auto& [name, unit] : json.at("units").items()) record.units[name] = unit.get<std::string>();
    // Lines of earlier versions have none.
    if (const auto bits = json.find("bits"); bits != json.end()) {
      for (const auto& [product, checksum] : bits->items()) record.bits[product] = checksum.get<std::string>();
    }
    return record;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::vector<GpuRecord> records_of(const Judgement& judgement, TimePoint time, const std::string& run) {
  std::map<std::string, GpuRecord> by_uuid;
  std::map<std::string, std::vector<Verdict>> verdicts;
  for (const auto& judged : judgement.figures) {
    const auto& subject = judged.subject;
    if (subject.gpu_uuid.empty() || judged.figure.all_ranks) continue;
    auto& record = by_uuid[subject.gpu_uuid];
    record.time = time;
    record.run = run;
    record.node = subject.node;
    record.uuid = subject.gpu_uuid;
    record.model = subject.model;
    const bool not_available = judged.verdict == Verdict::skip && judged.figure.reason == "not_available";
    if (!not_available) verdicts[subject.gpu_uuid].push_back(judged.verdict);
    if (!judged.figure.value) continue;
    const auto name =
        step_name::gives_plain_figures(judged.step) ? judged.figure.name : judged.step + " " + judged.figure.name;
    record.figures[name] = *judged.figure.value;
    record.units[name] = judged.figure.unit;
  }
  std::vector<GpuRecord> records;
  for (auto& [uuid, record] : by_uuid) {
    record.verdict = fold(verdicts[uuid]);
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<Trend> trends_of(std::vector<GpuRecord> records) {
  std::stable_sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  std::map<std::pair<std::string, std::string>, std::vector<Point>> points;
  for (const auto& record : records) {
    for (const auto& [name, value] : record.figures) {
      points[{record.uuid, name}].push_back({record.time, value, record.verdict == Verdict::fail, &record});
    }
  }
  std::vector<Trend> trends;
  for (const auto& [key, of_figure] : points) {
    const auto& latest = *of_figure.back().record;
    const auto unit = latest.units.find(key.second);
    Trend trend{.uuid = key.first,
                .node = latest.node,
                .model = latest.model,
                .figure = key.second,
                .unit = unit == latest.units.end() ? "" : unit->second,
                .runs = static_cast<int>(of_figure.size()),
                .first = of_figure.front().value,
                .last = of_figure.back().value,
                .percent_per_30_days = slope_percent(of_figure),
                .first_bad = std::nullopt,
                .first_bad_run = {}};
    find_first_bad(trend, of_figure);
    trends.push_back(std::move(trend));
  }
  std::stable_sort(trends.begin(), trends.end(), [](const auto& a, const auto& b) {
    return std::tie(a.node, a.uuid, a.figure) < std::tie(b.node, b.uuid, b.figure);
  });
  return trends;
}

std::vector<Finding> find_drops(const std::vector<GpuRecord>& now, const std::vector<GpuRecord>& earlier) {
  std::vector<Finding> findings;
  for (const auto& gpu : now) {
    for (const auto& [figure, value] : gpu.figures) {
      const auto unit = gpu.units.find(figure);
      if (unit == gpu.units.end()) continue;
      const auto values = earlier_values(gpu, figure, unit->second, earlier);
      if (values.size() < earlier_figures || !(value > 0)) continue;
      const double usual = median(values);
      const double share = smaller_is_better(unit->second) ? usual / value : value / usual;
      if (!(share < share_of_own_median)) continue;
      findings.push_back({.verdict = Verdict::fail,
                          .subject = {.node = gpu.node, .gpu_index = {}, .gpu_uuid = gpu.uuid, .model = gpu.model},
                          .rank = std::nullopt,
                          .what = fmt::format("{} {} {} is {:.2f} of this GPU's own median of {} acceptances", figure,
                                              figure_text(value), unit->second, share, values.size()),
                          .advice = "rv accept --history shows its figures over time"});
    }
  }
  return findings;
}

}  // namespace rv::accept
