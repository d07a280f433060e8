#include <nlohmann/json.hpp>

#include "cli/json/values_json.h"
#include "shared/documents/json_integer.h"

namespace rv::cli {

namespace {

using Json = nlohmann::json;

template <std::integral Integer>
std::optional<Integer> figure(const Json& document, const char* key) {
  const Json& value = document.at(key);
  return value.is_null() ? std::nullopt : std::optional(integer_of<Integer>(value));
}

std::optional<Mebibytes> memory(const Json& document, const char* key) {
  const auto count = figure<std::int64_t>(document, key);
  return count ? std::optional(Mebibytes{*count}) : std::nullopt;
}

std::vector<std::string> texts(const Json& document, const char* key) {
  return document.at(key).get<std::vector<std::string>>();
}

planner::Splits splits_of(const std::string& name) {
  if (name == "all") return planner::Splits::all;
  return name == "two-nodes" ? planner::Splits::two_nodes : planner::Splits::pairs;
}

}  // namespace

planner::Request request_from_json(const Json& document) {
  planner::Request request;
  request.gpus = integer_at<int>(document, "gpus");
  request.types = texts(document, "types");
  request.vram = memory(document, "vram_mb");
  request.time = std::chrono::seconds(integer_at<std::int64_t>(document, "time_s"));
  request.memory = memory(document, "mem_per_node_mb");
  request.cpus = figure<int>(document, "cpus_per_node");
  request.name = document.at("name").get<std::string>();
  request.mig = document.at("mig").get<bool>();
  request.single_node = document.at("single_node").get<bool>();
  request.exclusive = document.value("exclusive", false);  // not in records of builds before --exclusive
  request.nodes = figure<int>(document, "nodes");
  request.partitions = texts(document, "partitions");
  request.account = planner::DatabaseName(document.at("account").get<std::string>());
  request.qos = planner::DatabaseName(document.at("qos").get<std::string>());
  request.constraint = document.at("constraint").get<std::string>();
  request.exclude = texts(document, "exclude");
  request.nodelist = texts(document, "nodelist");
  request.splits = splits_of(document.at("splits").get<std::string>());
  for (const auto& [type, window] : document.at("windows_s").items()) {
    request.windows[type] = std::chrono::seconds(integer_of<std::int64_t>(window));
  }
  request.checkpoint_only = document.at("checkpoint_only").get<bool>();
  return request;
}

}  // namespace rv::cli
