#include "cli/json/run_json.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "monitor/jobs/start_estimate.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

using nlohmann::ordered_json;

template <typename Value>
ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json time_json(const std::optional<slurm::TimePoint>& time) {
  return time ? ordered_json(time->time_since_epoch().count()) : ordered_json();
}

ordered_json candidate_json(const monitor::CandidateView& candidate) {
  ordered_json json;
  json["number"] = candidate.candidate.number;
  json["gpu_type"] = candidate.candidate.gpu_type;
  json["gpus"] = candidate.candidate.gpus;
  json["nodes"] = candidate.candidate.nodes;
  json["partition"] = candidate.candidate.partition;
  json["cost_su"] = or_null(candidate.candidate.cost_su);
  json["job_id"] = candidate.journal.job ? ordered_json(candidate.journal.job->number) : ordered_json();
  json["refusal"] = candidate.journal.refusal.empty() ? ordered_json() : ordered_json(candidate.journal.refusal);
  json["refusal_lines"] = candidate.journal.refusal_lines;
  json["slurm_state"] = candidate.status ? ordered_json(candidate.status->word) : ordered_json();
  json["reason"] = candidate.status ? ordered_json(candidate.status->reason) : ordered_json();
  return json;
}

ordered_json segment_json(const monitor::Segment& segment) {
  ordered_json json;
  json["number"] = segment.number;
  json["job_id"] = segment.job.number;
  json["restart"] = segment.restart;
  json["nodes"] = segment.nodes;
  json["began"] = segment.began.time_since_epoch().count();
  json["ended"] = segment.end ? time_json(segment.end->time) : ordered_json();
  json["reason"] = segment.end ? ordered_json(segment.end->reason.text()) : ordered_json();
  json["exit_code"] = segment.end ? or_null(segment.end->code) : ordered_json();
  json["progress"] = segment.end ? ordered_json(segment.end->progress) : ordered_json();
  return json;
}

ordered_json chain_json(const monitor::ChainView& chain) {
  ordered_json json;
  json["total_s"] = chain.total.count();
  json["used_s"] = chain.used.count();
  json["used_su"] = or_null(chain.used_su);
  json["segments"] = ordered_json::array();
  for (const auto& segment : chain.segments) json["segments"].push_back(segment_json(segment));
  return json;
}

ordered_json retries_json(const monitor::RunRecord& record, const monitor::RunView& view) {
  const auto& asked = record.job.retries;
  const auto& last = view.retry;
  if (!asked && !last) return {};
  const bool paused = last && last->pause.count() > 0;
  ordered_json json;
  json["most"] = asked ? asked->most : 0;
  json["on"] = asked ? ordered_json(asked->on) : ordered_json::array();
  json["used"] = last ? last->asked : 0;
  json["why"] = last ? ordered_json(last->why) : ordered_json();
  json["pause_s"] = paused ? ordered_json(last->pause.count()) : ordered_json();
  json["begins"] = paused ? ordered_json(last->begins.time_since_epoch().count()) : ordered_json();
  return json;
}

ordered_json preflight_json(const monitor::PreflightView& preflight) {
  return {{"verdict", monitor::to_string(preflight.verdict)},
          {"seconds", static_cast<double>(preflight.took.count()) / 1000},
          {"failed", preflight.failed},
          {"why", preflight.why.empty() ? ordered_json() : ordered_json(preflight.why)},
          {"attempt", preflight.attempt}};
}

ordered_json array_json(const monitor::ArrayView& array, bool over) {
  ordered_json json;
  json["indices"] = array.indices;
  json["elements"] = ordered_json::array();
  for (const auto& element : array.elements) {
    json["elements"].push_back(
        {{"index", element.index},
         {"state", to_string(monitor::element_state(&element, over))},
         {"nodes", element.start ? ordered_json(element.start->nodes) : ordered_json()},
         {"started", element.start ? ordered_json(element.start->time.time_since_epoch().count()) : ordered_json()},
         {"exit_code", element.exit ? ordered_json(element.exit->code) : ordered_json()},
         {"ended", element.exit ? ordered_json(element.exit->time.time_since_epoch().count()) : ordered_json()}});
  }
  return json;
}

}  // namespace

ordered_json run_json(const monitor::RunRecord& record, const monitor::RunView& view) {
  ordered_json json;
  json["id"] = record.id;
  json["name"] = record.name;
  json["kind"] = record.job.hold ? "hold" : "command";
  json["command"] = record.job.typed;
  json["runs"] = record.job.argv.empty() ? ordered_json() : ordered_json(record.job.argv);
  json["environment"] = record.job.environment ? ordered_json{{"prefix", record.job.environment->prefix},
                                                              {"from", record.job.environment->from}}
                                               : ordered_json();
  if (record.job.inside) json["inside"] = record.job.inside->run;
  json["folder"] = record.work_folder;
  json["state"] = to_string(view.state);
  json["over"] = monitor::is_final(view.state);
  json["detail"] = view.detail;
  json["exit_code"] = or_null(view.exit_code);
  json["winner"] = or_null(view.winner);
  json["nodes"] = view.nodes;
  json["created"] = record.created.time_since_epoch().count();
  json["started"] = time_json(view.started);
  json["ended"] = time_json(view.ended);
  const auto now = current_time();
  const auto start = monitor::estimate_start(view, record.created, now);
  json["expected_start"] = start ? time_json(start->time) : ordered_json();
  json["expected_start_basis"] = start ? ordered_json(start->basis) : ordered_json();
  json["expected_start_range"] = start && start->earliest && start->latest
                                     ? ordered_json{time_json(start->earliest), time_json(start->latest)}
                                     : ordered_json();
  const auto limit = monitor::time_limit_of(view);
  json["time_limit_s"] = limit ? ordered_json(limit->count()) : ordered_json();
  json["ends_by"] = time_json(monitor::ends_by(view));
  json["chain"] = view.chain ? chain_json(*view.chain) : ordered_json();
  json["array"] = view.array ? array_json(*view.array, monitor::is_final(view.state)) : ordered_json();
  json["after"] = record.job.after
                      ? ordered_json{{"run", record.job.after->run}, {"only_ok", record.job.after->only_ok}}
                      : ordered_json();
  json["retries"] = retries_json(record, view);
  json["preflight"] = view.preflight ? preflight_json(*view.preflight) : ordered_json();
  json["output_copy"] = view.output_copy ? ordered_json(to_string(*view.output_copy)) : ordered_json();
  json["warnings"] = view.warnings;
  json["candidates"] = ordered_json::array();
  for (const auto& candidate : view.candidates) json["candidates"].push_back(candidate_json(candidate));
  return json;
}

}  // namespace rv::cli
