#include "recorded_day.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "base/os/process.h"
#include "base/text.h"
#include "cli/json/values_json.h"
#include "slurm/parse/parse_finished_jobs.h"

namespace rv::bench {
namespace {

using nlohmann::json;
using planner::TimePoint;

TimePoint time_point(std::int64_t seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

std::string unpacked(const std::string& path) {
  auto result = os::run({.argv = {"gzip", "-dc", path},
                         .input = "",
                         .deadline = std::chrono::seconds(60),
                         .environment = {"PATH=/usr/bin:/bin"},
                         .folder = ""});
  if (!result.ok()) throw std::runtime_error(path + ": " + result.err);
  return std::move(result.out);
}

// Nodes and jobs are objects by name and ID in the recording, and lists in a snapshot.
json listed(const json& by_key, const char* key_name) {
  json list = json::array();
  for (const auto& [key, value] : by_key.items()) {
    json item = value;
    item[key_name] = key;
    list.push_back(std::move(item));
  }
  return list;
}

// By number, as squeue lists them: "9" comes before "10".
void sort_by_id(json& jobs) {
  std::stable_sort(jobs.begin(), jobs.end(), [](const json& a, const json& b) {
    return std::strtoul(a["id"].get_ref<const std::string&>().c_str(), nullptr, 10) <
           std::strtoul(b["id"].get_ref<const std::string&>().c_str(), nullptr, 10);
  });
}

planner::Cluster cluster_of(const json& keyed) {
  json document = keyed;
  document["nodes"] = listed(keyed.at("nodes"), "name");
  document["jobs"] = listed(keyed.at("jobs"), "id");
  sort_by_id(document["jobs"]);
  return rv::cli::cluster_from_json(document);
}

planner::Request request_of(const json& asked) {
  planner::Request request;
  request.gpus = asked.at("gpus");
  if (!asked.at("type").is_null()) request.types = {asked["type"].get<std::string>()};
  if (!asked.at("nodes").is_null()) request.nodes = asked["nodes"].get<int>();
  request.time = std::chrono::seconds(asked.at("time_s").get<std::int64_t>());
  request.account = asked.at("account").get<std::string>();
  if (request.nodes) request.splits = planner::Splits::all;
  return request;
}

// A request that leaves nothing open says it itself.
StrategyKey strategy_of(const json& line) {
  const json& record = line.contains("strategy") ? line["strategy"] : line.at("request");
  return {.type = record.at("type"), .nodes = record.at("nodes"), .partition = record.value("partition", "")};
}

std::optional<TimePoint> start_in(const json& said) {
  if (!said.is_object() || !said.contains("start") || !said["start"].is_number()) return std::nullopt;
  return time_point(said["start"]);
}

slurm::PriorityFacts priority_of(const json& record, const std::string& user) {
  slurm::PriorityFacts facts{.pending = {}, .shares = slurm::parse_shares(record.at("sshare").get<std::string>())};
  std::erase_if(facts.shares,
                [&](const slurm::AccountShare& share) { return share.user != planner::DatabaseName(user); });
  return facts;
}

Submission submission_of(const json& line, const json& keyed, const json& priorities) {
  Submission one;
  one.priority = priority_of(priorities, line.at("user"));
  one.cluster = cluster_of(keyed);
  one.request = request_of(line.at("request"));
  one.strategy = strategy_of(line);
  one.submitted = time_point(line.at("submitted"));
  one.start = start_in(line);
  one.test_only = start_in(line.at("test_only"));
  one.squeue_start = start_in(line.at("squeue_start"));
  one.started_before_squeue = line.at("squeue_start").is_object() && line["squeue_start"].contains("started");
  return one;
}

}  // namespace

RecordedDay read_day(const std::string& folder) {
  RecordedDay day;
  std::ifstream lines(folder + "/submissions.jsonl");
  if (!lines) throw std::runtime_error(folder + "/submissions.jsonl can't be read");
  std::istringstream patches(unpacked(folder + "/snapshots.jsonl.gz"));
  std::istringstream priorities(unpacked(folder + "/priorities.jsonl.gz"));
  json keyed = json::object();
  for (std::string line, patch, priority; std::getline(lines, line);) {
    if (!std::getline(patches, patch) || !std::getline(priorities, priority)) {
      throw std::runtime_error(folder + ": fewer snapshots or priorities than submissions");
    }
    keyed.merge_patch(json::parse(patch));
    day.submissions.push_back(submission_of(json::parse(line), keyed, json::parse(priority)));
  }
  if (day.submissions.empty()) throw std::runtime_error(folder + ": no submissions");
  auto finished = slurm::parse_finished_jobs(unpacked(folder + "/accounting.gz"), TimePoint::min(), TimePoint::max());
  if (finished.unreadable > 0) throw std::runtime_error(folder + "/accounting.gz: unreadable rows");
  day.finished = std::move(finished.jobs);
  std::stable_sort(day.finished.begin(), day.finished.end(),
                   [](const auto& a, const auto& b) { return a.end < b.end; });
  return day;
}

const planner::Strategy* submitted_strategy(const planner::Plan& plan, const StrategyKey& key) {
  const auto found =
      std::find_if(plan.strategies.begin(), plan.strategies.end(), [&](const planner::Strategy& strategy) {
        if (strategy.kind != planner::Kind::plain || strategy.nodes != key.nodes) return false;
        // Of a request for one type and number of nodes there is only this strategy, and its type may be an alias.
        return key.partition.empty() || (strategy.gpu.name == key.type && joined(strategy.partitions) == key.partition);
      });
  return found == plan.strategies.end() ? nullptr : &*found;
}

std::vector<planner::FinishedJob> known_at(const RecordedDay& day, planner::TimePoint now) {
  const auto end = std::partition_point(day.finished.begin(), day.finished.end(),
                                        [&](const planner::FinishedJob& job) { return job.end <= now; });
  return {day.finished.begin(), end};
}

}  // namespace rv::bench
