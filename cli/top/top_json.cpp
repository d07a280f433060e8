#include "cli/top/top_json.h"

#include <nlohmann/json.hpp>

namespace rv::cli::top {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json epoch(const std::optional<TimePoint>& time) {
  return time ? Json(time->time_since_epoch().count()) : Json();
}

Json type_json(const GpuType& type) {
  Json json{{"gpu_type", type.name}, {"total", type.total}, {"free", type.free},
            {"used", type.used},     {"mine", type.mine},   {"pending", or_null(type.pending)}};
  Json waits = Json::object();
  for (std::size_t i = 0; i < wait_sizes.size(); ++i) {
    const auto& wait = type.waits.at(i);
    waits[std::to_string(wait_sizes.at(i))] = wait ? Json(wait->count()) : Json();
  }
  json["wait_s"] = waits;
  return json;
}

Json run_json(const Run& run) {
  Json json{{"id", run.id},
            {"name", run.name},
            {"state", to_string(run.state)},
            {"detail", run.detail},
            {"gpus", run.gpus},
            {"nodes", run.nodes},
            {"created", epoch(run.created)},
            {"started", epoch(run.started)},
            {"ended", epoch(run.ended)},
            {"ends_by", epoch(run.ends_by)},
            {"progress", or_null(run.progress)},
            {"progress_words", run.progress_words},
            {"start", run.start},
            {"queue", nullptr}};
  if (run.queue) {
    json["queue"] = {{"place", run.queue->place}, {"of", run.queue->of}, {"partition", run.queue->partition}};
  }
  return json;
}

}  // namespace

Json top_json(const Known& known) {
  Json json{{"cluster", known.cluster},
            {"taken", epoch(known.taken)},
            {"cluster_taken", epoch(known.cluster_taken)},
            {"trouble", known.trouble}};
  json["gpu_types"] = Json::array();
  for (const auto& type : known.types) json["gpu_types"].push_back(type_json(type));
  json["runs"] = Json::array();
  for (const auto& run : known.runs) json["runs"].push_back(run_json(run));
  json["ended_jobs"] = Json::array();
  for (const auto& job : known.jobs) {
    json["ended_jobs"].push_back({{"job", job.id},
                                  {"name", job.name},
                                  {"state", to_string(job.state)},
                                  {"gpus", job.gpus},
                                  {"started", epoch(job.started)},
                                  {"ended", epoch(job.ended)}});
  }
  json["gpus"] = Json::object();
  for (const auto& [run, gpus] : known.gpus) {
    auto readings = gpu_readings_json(gpus.now);
    if (!gpus.trouble.empty()) readings["troubles"].push_back(gpus.trouble);
    json["gpus"][run] = readings;
  }
  return json;
}

}  // namespace rv::cli::top
