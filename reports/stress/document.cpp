#include "reports/stress/document.h"

#include <nlohmann/json.hpp>

namespace rv::stress {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json place(int gpu) {
  return gpu < 0 ? Json() : Json(gpu);
}

Json share_json(const PassCount& count, double least) {
  return {{"passed", count.passed},
          {"of", count.of},
          {"percent", count.of == 0 ? Json() : Json(count.percent())},
          {"least_percent", least}};
}

Json balance_json(const Balance& balance) {
  return {{"of", balance.of}, {"most_to_least", or_null(balance.most_to_least)}, {"variation", balance.variation}};
}

Json worker_json(const Worker& worker) {
  return {{"worker", worker.number},
          {"gpu_index", place(worker.gpu)},
          {"verdict", to_string(worker.verdict)},
          {"end", worker.end},
          {"reason", worker.reason},
          {"operations", worker.operations},
          {"ops_per_s", worker.rate},
          {"seconds", worker.seconds},
          {"gpu_peak_bytes", or_null(worker.gpu_peak_bytes)},
          {"rss_peak_bytes", or_null(worker.rss_peak_bytes)}};
}

Json together_json(const Together& one) {
  return {{"gpu_index", place(one.gpu)},
          {"gpu_uuid", one.uuid},
          {"model", one.model},
          {"workers", one.workers},
          {"operations", one.operations},
          {"ops_per_s", one.rate},
          {"utilisation_percent", or_null(one.utilisation_percent)},
          {"memory_peak_bytes", or_null(one.memory_peak_bytes)}};
}

Json launch_json(const JudgedLaunch& judged) {
  const auto& launch = judged.launch;
  Json messages = Json::array();
  for (const auto& one : judged.messages) {
    messages.push_back({{"class", to_string(one.kind)}, {"line", one.line}, {"text", one.text}});
  }
  return {{"configuration", launch.name},
          {"cuda_visible_devices", launch.visible},
          {"verdict", to_string(judged.verdict)},
          {"reason", judged.reason},
          {"exit_code", launch.exit_code},
          {"seconds", launch.seconds},
          {"given", launch.given},
          {"used", or_null(launch.used)},
          {"new_segments", launch.new_segments},
          {"log", launch.log},
          {"messages", messages}};
}

Json node_json(const JudgedNode& node) {
  const auto& evidence = node.evidence;
  Json out{{"node", evidence.node},
           {"device", evidence.device},
           {"driver", evidence.driver.empty() ? Json() : Json(evidence.driver)},
           {"asked",
            {{"workers", evidence.asked},
             {"duration_s", evidence.duration_s},
             {"memory_mib", evidence.memory_mib},
             {"matrix", evidence.matrix},
             {"worker_bytes", evidence.worker_bytes}}}};
  for (const auto* key : {"gpus", "workers", "after", "launches"}) out[key] = Json::array();
  for (const auto& one : evidence.together) out["gpus"].push_back(together_json(one));
  for (const auto& one : evidence.workers) out["workers"].push_back(worker_json(one));
  for (const auto& one : evidence.checks) {
    out["after"].push_back({{"check", one.name},
                            {"gpu_uuid", one.uuid.empty() ? Json() : Json(one.uuid)},
                            {"verdict", to_string(one.verdict)},
                            {"reason", one.reason}});
  }
  for (const auto& one : node.launches) out["launches"].push_back(launch_json(one));
  out["balance"] = {{"workers", balance_json(node.workers)}, {"gpus", balance_json(node.gpus)}};
  out["scaling"] = nullptr;
  if (const auto& scaling = evidence.scaling) {
    out["scaling"] = {{"factor", scaling->factor},
                      {"over", scaling->over},
                      {"alone_ops_per_s", scaling->alone},
                      {"together_ops_per_s", scaling->together}};
  }
  return out;
}

}  // namespace

Json to_json(const Judgement& judgement, const std::string& where) {
  Json out{{"stress", where},
           {"verdict", to_string(judgement.verdict)},
           {"exit_code", exit_code(judgement)},
           {"success", share_json(judgement.workers, judgement.limits.min_success)},
           {"launch", share_json(judgement.launches, judgement.limits.min_launch)}};
  out["findings"] = Json::array();
  for (const auto& one : judgement.findings) {
    out["findings"].push_back(
        {{"verdict", to_string(one.verdict)}, {"where", one.where}, {"what", one.what}, {"advice", one.advice}});
  }
  out["not_available"] = judgement.not_available;
  out["nodes"] = Json::array();
  for (const auto& node : judgement.nodes) out["nodes"].push_back(node_json(node));
  return out;
}

}  // namespace rv::stress
