// Request and strategies as JSON.
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.h"
#include "cli/json/values_json.h"
#include "cli/views/plan_view.h"
#include "shared/documents/json_dump.h"

namespace rv::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson figure(const std::optional<std::chrono::seconds>& span) {
  return span ? OrderedJson(span->count()) : OrderedJson();
}

OrderedJson figure(const std::optional<Mebibytes>& amount) {
  return amount ? OrderedJson(amount->count) : OrderedJson();
}

template <typename T>
OrderedJson figure(const std::optional<T>& number) {
  return number ? OrderedJson(*number) : OrderedJson();
}

void set_text(OrderedJson& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

const char* name_of(planner::Splits splits) {
  switch (splits) {
    case planner::Splits::two_nodes:
      return "two-nodes";
    case planner::Splits::pairs:
      return "pairs";
    case planner::Splits::all:
      return "all";
  }
  return "";
}

OrderedJson controller_to_json(const planner::TestOnlyResult& word) {
  return {{"answer", planner::to_string(word.outcome)},
          {"wait_s", figure(word.wait)},
          {"nodes", word.nodes},
          {"message", word.message}};
}

}  // namespace

OrderedJson request_to_json(const planner::Request& request) {
  OrderedJson object = OrderedJson::object();
  object["gpus"] = request.gpus;
  object["types"] = request.types;
  object["vram_mb"] = figure(request.vram);
  object["time_s"] = request.time.count();
  object["mem_per_node_mb"] = figure(request.memory);
  object["cpus_per_node"] = figure(request.cpus);
  object["name"] = request.name;
  object["mig"] = request.mig;
  object["single_node"] = request.single_node;
  object["exclusive"] = request.exclusive;
  object["nodes"] = figure(request.nodes);
  object["partitions"] = request.partitions;
  object["account"] = request.account.text();
  object["qos"] = request.qos.text();
  object["constraint"] = request.constraint;
  object["exclude"] = request.exclude;
  object["nodelist"] = request.nodelist;
  object["splits"] = name_of(request.splits);
  OrderedJson windows = OrderedJson::object();
  for (const auto& [type, window] : request.windows) windows[type] = window.count();
  object["windows_s"] = windows;
  object["checkpoint_only"] = request.checkpoint_only;
  return object;
}

OrderedJson strategy_to_json(const planner::Strategy& strategy, int rank) {
  OrderedJson object = OrderedJson::object();
  object["rank"] = rank;
  object["gpu_type"] = strategy.gpu.name;
  object["gpus"] = strategy.gpus();
  object["nodes"] = strategy.nodes;
  object["gpus_per_node"] = strategy.gpus_per_node;
  object["partition"] = joined(strategy.partitions);
  object["kind"] = std::string(planner::to_string(strategy.kind));
  object["time_limit_s"] = strategy.time_limit.count();
  object["work_time_s"] = strategy.work_time.count();
  object["segments"] = strategy.segments;
  object["cpus_per_node"] = strategy.cpus_per_node;
  object["mem_per_node_mb"] = strategy.memory_per_node.count;
  if (strategy.all_memory) object["all_memory"] = true;
  if (strategy.exclusive) object["exclusive"] = true;
  object["gres_type"] = strategy.gres_type;
  object["vram_mb"] = figure(strategy.gpu.vram);
  set_text(object, "account", strategy.account.text());
  set_text(object, "qos", strategy.qos.text());
  set_text(object, "constraint", strategy.constraint);
  if (!strategy.exclude.empty()) object["exclude"] = strategy.exclude;
  if (!strategy.nodelist.empty()) object["nodelist"] = strategy.nodelist;
  object["wait"] = {{"p10_s", figure(strategy.wait.p10)},
                    {"p50_s", figure(strategy.wait.p50)},
                    {"p90_s", figure(strategy.wait.p90)},
                    {"basis", strategy.wait.basis}};
  object["finish_s"] = figure(strategy.finish);
  object["soon_limit_s"] = figure(strategy.wait.window);
  object["cost_su"] = figure(strategy.cost_su);
  if (strategy.controller) object["controller"] = controller_to_json(*strategy.controller);
  return object;
}

OrderedJson plan_json(const planner::Plan& plan, const planner::Request& request,
                      const std::function<std::string(const planner::Strategy&, int rank)>& script) {
  OrderedJson document = OrderedJson::object();
  document["request"] = request_to_json(request);
  document["strategies"] = OrderedJson::array();
  int rank = 0;
  for (const planner::Strategy& strategy : plan.strategies) {
    OrderedJson object = strategy_to_json(strategy, ++rank);
    object["script"] = script(strategy, rank);
    document["strategies"].push_back(std::move(object));
  }
  document["rejected"] = OrderedJson::array();
  for (const planner::Rejection& rejection : plan.rejected) {
    document["rejected"].push_back({{"gpu_type", rejection.gpu_type}, {"reason", rejection.reason}});
  }
  return document;
}

OrderedJson what_if_json(const std::vector<planner::WhatIf>& what_ifs, const planner::Strategy& asked) {
  OrderedJson list = OrderedJson::array();
  for (const planner::WhatIf& one : what_ifs) {
    OrderedJson object = {
        {"change", planner::to_string(one.change)}, {"options", one.options}, {"text", planner::in_words(one, asked)}};
    const OrderedJson strategy = strategy_to_json(one.strategy, 0);
    for (const auto& [key, value] : strategy.items()) {
      if (key != "rank") object[key] = value;
    }
    list.push_back(std::move(object));
  }
  return list;
}

std::string json_text(const OrderedJson& document, int indent) {
  return json_dump(document, indent) + "\n";
}

}  // namespace rv::cli
