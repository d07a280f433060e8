#include "reports/sweep/order.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "shared/documents/json_integer.h"

namespace rv::sweep {
namespace {

constexpr const char* format = "rv-sweep-order";

template <class Value>
nlohmann::ordered_json or_null(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

template <class Value>
std::optional<Value> optional_of(const nlohmann::ordered_json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<Value>());
}

Order order_of(const nlohmann::ordered_json& document) {
  Order order;
  order.command = document.at("command").get<std::vector<std::string>>();
  order.folder = document.at("folder").get<std::string>();
  order.project = document.value("project", "");
  for (const auto& axis : document.at("axes")) {
    order.axes.push_back({axis.at("name").get<std::string>(), axis.at("values").get<std::vector<std::string>>()});
  }
  order.repeats = integer_at<int>(document, "repeats");
  order.shuffle = optional_of<std::uint64_t>(document.at("shuffle"));
  order.cooldown_s = document.at("cooldown_s").get<double>();
  order.stop_after_oom = document.at("stop_after_oom").get<bool>();
  order.find_max = optional_of<long long>(document.at("find_max"));
  order.timeout_s = optional_of<double>(document.at("timeout_s"));
  order.every_s = document.at("every_s").get<double>();
  order.gpu = document.at("gpu").get<bool>();
  for (const auto& metric : document.at("metrics")) {
    order.metrics.push_back({metric.at("name").get<std::string>(), metric.at("pattern").get<std::string>()});
  }
  order.metrics_file = document.at("metrics_file").get<std::string>();
  order.throughput = document.at("throughput").get<std::string>();
  order.out_of_memory_codes = integers_of<int>(document.at("out_of_memory_codes"));
  return order;
}

}  // namespace

nlohmann::ordered_json to_json(const Order& order) {
  nlohmann::ordered_json document{
      {"format", format}, {"version", 1}, {"command", order.command}, {"folder", order.folder}};
  if (!order.project.empty()) document["project"] = order.project;
  document["axes"] = nlohmann::ordered_json::array();
  for (const auto& axis : order.axes) document["axes"].push_back({{"name", axis.name}, {"values", axis.values}});
  document["repeats"] = order.repeats;
  document["shuffle"] = or_null(order.shuffle);
  document["cooldown_s"] = order.cooldown_s;
  document["stop_after_oom"] = order.stop_after_oom;
  document["find_max"] = or_null(order.find_max);
  document["timeout_s"] = or_null(order.timeout_s);
  document["every_s"] = order.every_s;
  document["gpu"] = order.gpu;
  document["metrics"] = nlohmann::ordered_json::array();
  for (const auto& one : order.metrics) document["metrics"].push_back({{"name", one.name}, {"pattern", one.pattern}});
  document["metrics_file"] = order.metrics_file;
  document["throughput"] = order.throughput;
  document["out_of_memory_codes"] = order.out_of_memory_codes;
  return document;
}

Order order_from_json(const std::string& text, const std::string& file) {
  try {
    const auto document = parse_json<nlohmann::ordered_json>(text, file);
    if (document.at("format") == format && document.at("version") == 1) return order_of(document);
  } catch (const nlohmann::json::exception&) {  // said below
  }
  throw Error(file + ": it does not contain a sweep that this version of rv can read", "choose another --report-dir");
}

bool same_experiment(const Order& one, const Order& other) {
  const auto names = [](const Order& order) {
    std::vector<std::string> all;
    all.reserve(order.axes.size());
    for (const auto& axis : order.axes) all.push_back(axis.name);
    return all;
  };
  const bool same_place = one.project == other.project && (!one.project.empty() || one.folder == other.folder);
  return one.command == other.command && same_place && one.gpu == other.gpu && names(one) == names(other);
}

}  // namespace rv::sweep
