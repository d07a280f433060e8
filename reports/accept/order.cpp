#include "reports/accept/order.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "reports/accept/step_name.h"
#include "shared/documents/json_integer.h"

namespace rv::accept {
namespace {

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Collects the steps with what all of one kind have in common. A time limit only ends a step that hangs: on four H200
/// a whole quick acceptance takes half a minute and a full one four minutes (docs/accept.md), so a node that is several
/// times slower still ends with figures. Full steps have longer limits for more sizes, and for GPUs measured in turn.
class Steps {
 public:
  explicit Steps(const Order& order) : order_(order) {}

  void health(std::string_view name, const Words& arguments) {
    steps_.push_back({std::string(name), Suite::health, false, "rv-health", arguments, 120});
  }
  void compute(std::string_view name, Suite suite, const Words& arguments, int full_limit_s) {
    steps_.push_back(
        {std::string(name), suite, false, "rv-compute", device() + pace() + arguments, limit(full_limit_s)});
  }
  void ranks(Suite suite, bool together, const std::string& worker, const Words& arguments, int full_limit_s,
             int ranks_per_node) {
    // Nodes arrive together only as far as their earlier steps took equally long. Ways to compute a model are tried
    // before it is timed, which takes longer than any step of another suite.
    const bool model = times_a_model(suite);
    const Words common = {"--local-ranks", std::to_string(ranks_per_node), "--deadline",
                          order_.within_s > 0    ? std::to_string(order_.within_s)
                          : together             ? "300"
                          : order_.full || model ? "180"
                                                 : "60"};
    steps_.push_back({step_name::of(suite, together), suite, together, worker, device() + pace() + common + arguments,
                      (model ? full_limit_s : limit(full_limit_s)) + (together ? 300 : 0),
                      ranks_per_node * (together ? order_.nodes : 1)});
  }
  /// All nodes in one step: it lets them measure in turn and at once.
  void io(bool together) {
    Words words = pace() + Words{"--local-ranks", "1", "--deadline", "300"};
    for (const auto& folder : order_.io.folders) words = words + Words{"--folder", folder};
    if (!order_.io.size.empty()) words = words + Words{"--size", order_.io.size};
    words = words + Words{"--patience", std::to_string(order_.io.patience_s)};
    steps_.push_back(
        {step_name::of(Suite::io, together), Suite::io, together, "rv-io", words, limit(1800) + (together ? 900 : 0)});
  }
  std::vector<Step> take() { return std::move(steps_); }

 private:
  Words device() const { return {"--device", order_.device}; }
  Words pace() const { return order_.full ? Words{} : Words{"--quick"}; }
  int limit(int full_s) const { return order_.full ? full_s : 180; }

  const Order& order_;
  std::vector<Step> steps_;
};

/// What is worth knowing before each job, the readings first: what the time does not suffice for is missing. Of the
/// collectives one size of the all-reduce, in which every GPU sends to its neighbours in NCCL's ring, and between
/// several nodes their pairs.
std::vector<Step> preflight_steps(const Order& order) {
  Steps steps(order);
  const bool several_nodes = order.nodes > 1;
  if (order.has(Suite::health)) steps.health(step_name::health_before, {"--expect-empty"});
  if (order.has(Suite::collective) && order.nodes * order.gpus_per_node > 1) {
    const std::string size = order.device == "cpu" ? "256K" : "128M";
    steps.ranks(Suite::collective, several_nodes, "rv-collective",
                {"--suite", several_nodes ? "sweep,rounds" : "sweep", "--ops", "all_reduce", "--begin", size, "--end",
                 size, "--place", "out"},
                0, order.gpus_per_node);
  }
  if (order.has(Suite::compute)) {
    steps.compute(step_name::compute, Suite::compute, {"--suite", "bandwidth", "--all-at-once"}, 0);
    if (order.device != "cpu") steps.compute(step_name::compute_link, Suite::compute, {"--suite", "link"}, 0);
  }
  auto all = steps.take();
  for (auto& step : all) step.limit_s = order.within_s;
  return all;
}

/// As rv-train's figures were measured that the baselines hold; small on the processor, which is its own default.
Words model_words(Suite suite, const Order& order) {
  Words words = {"--model", std::string(to_string(suite))};
  if (order.device != "cpu") {
    words = words + Words{"--batch-size", suite == Suite::resnet18 ? "128" : suite == Suite::resnet50 ? "64" : "32"};
    if (order.full) words = words + Words{"--active-iterations", "300", "--repeats", "3"};
  }
  // One rank alone is what all together are measured by.
  return order.nodes * order.gpus_per_node > 1 ? words + Words{"--scaling"} : words;
}

}  // namespace

bool Order::has(Suite suite) const {
  return std::find(suites.begin(), suites.end(), suite) != suites.end();
}

std::vector<Step> steps_of(const Order& order) {
  if (order.within_s > 0) return preflight_steps(order);
  Steps steps(order);
  const int gpus = order.gpus_per_node;
  const bool several_gpus = gpus > 1,
             several_nodes = order.nodes > 1 && (!order.fabric || crosses_nodes(*order.fabric));
  if (order.has(Suite::health)) steps.health(step_name::health_before, {"--expect-empty"});
  if (order.has(Suite::compute)) {
    // All at once first: what a node does under its usual load, and what the GPUs are compared by.
    steps.compute(step_name::compute, Suite::compute, {"--suite", "gemm,bandwidth,exact", "--all-at-once"}, 900);
    // In turn: GPUs that copy at once share the host's memory.
    if (order.device != "cpu")
      steps.compute(step_name::compute_link, Suite::compute, {"--suite", "link"}, 300 + 30 * gpus);
    if (order.full) {
      if (several_gpus)
        steps.compute(step_name::compute_in_turn, Suite::compute, {"--suite", "gemm,bandwidth"}, 600 + 120 * gpus);
      steps.compute(step_name::compute_sustained, Suite::compute,
                    {"--suite", "gemm", "--types", order.device == "cpu" ? "fp32" : "bf16", "--duration",
                     order.device == "cpu" ? "2" : "60", "--all-at-once"},
                    600);
    }
  }
  for (const auto suite : order.suites) {
    const std::string own(of_compute(suite));
    if (own.empty()) continue;
    steps.compute(step_name::of(suite), suite, {"--suite", own, "--all-at-once"}, 900);
  }
  const auto ranked = [&](Suite suite, const std::string& worker, const Words& arguments, int limit) {
    if (several_gpus) steps.ranks(suite, false, worker, arguments, limit, gpus);
    if (several_nodes) steps.ranks(suite, true, worker, arguments, limit, gpus);
  };
  if (order.has(Suite::p2p)) ranked(Suite::p2p, "rv-collective", {"--suite", "p2p,straggler"}, 900);
  if (order.has(Suite::collective)) ranked(Suite::collective, "rv-collective", {"--suite", "sweep"}, 1800);
  if (order.has(Suite::train)) steps.ranks(Suite::train, false, "rv-train", {}, 300, 1);
  if (order.has(Suite::ddp)) ranked(Suite::ddp, "rv-train", {}, 300);
  for (const auto suite : order.suites) {
    if (!times_a_model(suite)) continue;
    const auto words = model_words(suite, order);
    // One rank a node meets the others' where it can; alone it is timed all the same.
    if (several_gpus || !several_nodes) steps.ranks(suite, false, "rv-train", words, 900, gpus);
    if (several_nodes) steps.ranks(suite, true, "rv-train", words, 900, gpus);
  }
  if (order.has(Suite::io)) steps.io(several_nodes);
  if (order.has(Suite::health)) steps.health(step_name::health_after, {"--expect-empty"});
  return steps.take();
}

bool uses_nccl(const Step& step) {
  return step.ranks > 1 && (needs_two_ranks(step.suite) || times_a_model(step.suite));
}

nlohmann::ordered_json to_json(const Order& order) {
  auto suites = nlohmann::ordered_json::array();
  for (const auto suite : order.suites) suites.push_back(to_string(suite));
  nlohmann::ordered_json json = {{"nodes", order.nodes},
                                 {"gpus_per_node", order.gpus_per_node},
                                 {"full", order.full},
                                 {"device", order.device},
                                 {"suites", suites}};
  if (order.fabric) json["fabric"] = to_string(*order.fabric);
  if (order.within_s > 0) json["within_s"] = order.within_s;
  if (order.has(Suite::io)) {
    json["io"] = {{"size", order.io.size}, {"folders", order.io.folders}, {"patience_s", order.io.patience_s}};
  }
  return json;
}

Order order_from_json(const nlohmann::ordered_json& json) {
  try {
    Order order{.nodes = integer_at<int>(json, "nodes"),
                .gpus_per_node = integer_at<int>(json, "gpus_per_node"),
                .full = json.at("full").get<bool>(),
                .device = json.at("device").get<std::string>(),
                .suites = {},
                .fabric = fabric_named(json.value("fabric", ""))};
    order.within_s = integer_or(json, "within_s", 0);
    for (const auto suite : all_suites()) {
      for (const auto& word : json.at("suites")) {
        if (word.get<std::string>() == to_string(suite)) order.suites.push_back(suite);
      }
    }
    if (order.has(Suite::io)) {
      const auto& io = json.at("io");
      order.io = {.size = io.at("size").get<std::string>(),
                  .folders = io.at("folders").get<std::vector<std::string>>(),
                  .patience_s = integer_at<int>(io, "patience_s")};
    }
    return order;
  } catch (const nlohmann::json::exception& fault) {
    throw Error(std::string("the acceptance's order.json can't be read: ") + fault.what(),
                "pass the folder or the run of an rv accept");
  }
}

}  // namespace rv::accept
