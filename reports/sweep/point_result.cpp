#include "reports/sweep/point_result.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "shared/documents/json_integer.h"

namespace rv::sweep {
namespace {

using Json = nlohmann::ordered_json;

/// Seconds since 1970 until the year 2100, and seconds of a point.
constexpr double latest_s = 4.1e9, longest_s = 1e9;

/// Throws std::out_of_range for a number below 0 or above `most`.
double bounded_number(const Json& value, double most) {
  const auto number = value.get<double>();
  if (!(number >= 0 && number <= most)) throw std::out_of_range("a number of a point's result");
  return number;
}

/// Throws std::out_of_range for anything but a whole number that fits.
int whole_number_in(const Json& value) {
  const auto number = integer_in<int>(value);
  if (!number) throw std::out_of_range("a whole number of a point's result");
  return *number;
}

Json samples_to_json(const SampleSummary& samples) {
  Json document{{"figures", samples.figures}};
  document["throttled_s"] = samples.throttled_s ? Json(*samples.throttled_s) : Json();
  document["missing"] = Json::array();
  for (const auto& one : samples.missing) {
    document["missing"].push_back({{"source", one.source},
                                   {"since", one.since},
                                   {"until", one.until ? Json(*one.until) : Json()},
                                   {"why", one.why}});
  }
  return document;
}

SampleSummary samples_from_json(const Json& document) {
  SampleSummary samples;
  samples.figures = document.at("figures").get<std::map<std::string, double>>();
  if (const auto& seconds = document.at("throttled_s"); !seconds.is_null()) {
    samples.throttled_s = seconds.get<std::map<std::string, double>>();
  }
  for (const auto& one : document.at("missing")) {
    const auto& until = one.at("until");
    samples.missing.push_back({one.at("source").get<std::string>(), bounded_number(one.at("since"), latest_s),
                               until.is_null() ? std::nullopt : std::optional(bounded_number(until, latest_s)),
                               one.at("why").get<std::string>()});
  }
  return samples;
}

}  // namespace

Json to_json(const PointResult& result) {
  Json document{{"settings", result.point.settings},
                {"repeat", result.point.repeat},
                {"folder", result.folder},
                {"command", result.command},
                {"host", result.host},
                {"gpus", result.gpus},
                {"driver", result.driver.empty() ? Json() : Json(result.driver)},
                {"began", result.began},
                {"wall_s", result.wall_s}};
  document["end"] = {{"kind", to_string(result.end.kind)},
                     {"exit_code", result.end.exit_code ? Json(*result.end.exit_code) : Json()},
                     {"evidence", result.end.evidence}};
  document["metrics"] = Json::object();
  for (const auto& [name, metric] : result.metrics) {
    document["metrics"][name] = {{"last", metric.last()}, {"typical", metric.typical()}, {"values", metric.values}};
  }
  document["samples"] = samples_to_json(result.samples);
  return document;
}

PointResult point_result_from_json(const Json& document) {
  PointResult result;
  result.point.settings = document.at("settings").get<Settings>();
  result.point.repeat = whole_number_in(document.at("repeat"));
  result.folder = document.at("folder").get<std::string>();
  result.command = document.at("command").get<std::vector<std::string>>();
  result.host = document.at("host").get<std::string>();
  result.gpus = document.at("gpus").get<std::vector<std::string>>();
  // Older folders do not have it.
  if (const auto driver = document.find("driver"); driver != document.end() && driver->is_string()) {
    result.driver = driver->get<std::string>();
  }
  result.began = bounded_number(document.at("began"), latest_s);
  result.wall_s = bounded_number(document.at("wall_s"), longest_s);
  const auto& end = document.at("end");
  result.end.kind = end_kind_from(end.at("kind").get<std::string>()).value_or(EndKind::failed);
  if (const auto& code = end.at("exit_code"); !code.is_null()) result.end.exit_code = whole_number_in(code);
  result.end.evidence = end.at("evidence").get<std::string>();
  for (const auto& [name, metric] : document.at("metrics").items()) {
    auto values = metric.at("values").get<std::vector<double>>();
    if (!values.empty()) result.metrics[name].values = std::move(values);
  }
  result.samples = samples_from_json(document.at("samples"));
  return result;
}

}  // namespace rv::sweep
