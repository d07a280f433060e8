#include "cli/waiting/waiting_run.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/quote.h"
#include "cli/json/values_json.h"
#include "cli/launch/fit_launcher.h"
#include "cli/launch/planning.h"
#include "monitor/race/watch_runs.h"

namespace rv::cli {

namespace {

bool waits(const monitor::RunView& view) {
  return view.state == monitor::RunState::queued && !view.winner;
}

std::optional<planner::Request> request_of(const monitor::KnownRun& run) {
  const auto path = run.folder.file("request.json");
  const auto text = os::read_file(path);
  if (!text) return std::nullopt;
  try {
    return request_from_json(parse_json<nlohmann::json>(*text, path));
  } catch (const nlohmann::json::exception& fault) {
    spdlog::debug("{}: {}", path, fault.what());
  } catch (const Error& fault) {
    spdlog::debug("{}", fault.what());
  }
  return std::nullopt;
}

std::vector<planner::WaitingJob> jobs_of(const monitor::RunView& view) {
  std::vector<planner::WaitingJob> jobs;
  for (const auto& candidate : view.candidates) {
    if (!candidate.journal.job || !candidate.status || candidate.status->phase != monitor::Phase::pending) continue;
    const auto& values = candidate.candidate;
    jobs.push_back({.id = slurm::to_string(*candidate.journal.job),
                    .gpu_type = values.gpu_type,
                    .gpus = values.gpus,
                    .nodes = values.nodes,
                    .partition = values.partition,
                    .time_limit = values.time_limit});
  }
  return jobs;
}

/// "rv rerun k3f9x2 -t a40"; empty where the run's options are not on record, as those of rv up.
std::string command_of(const monitor::KnownRun& run, const planner::WhatIf& what_if) {
  if (run.record.job.hold || !os::read_file(run.folder.file("options.json"))) return "";
  return fmt::format("rv rerun {} {}", run.record.id, quote_all(what_if.options));
}

class Reading {
 public:
  Reading(planner::Cluster cluster, const Invocation& invocation)
      : cluster_(std::move(cluster)), settings_(invocation.settings) {}

  planner::WaitingForecast forecast(const monitor::KnownRun& run, const monitor::RunView& view) const {
    const auto request = request_of(run);
    const auto jobs = jobs_of(view);
    if (!request || jobs.empty()) return {};
    try {
      return planner::forecast_waiting(cluster_within_settings(cluster_, settings_, *request), settings_.catalogue,
                                       *request, jobs, site_inputs(cluster_, *request, settings_));
    } catch (const Error& fault) {  // the cluster has no such partition or type any more
      spdlog::debug("{}", fault.what());
      return {};
    }
  }

  void add_places(WaitingRun& waiting, const monitor::RunView& view) const {
    std::vector<std::string> all;
    for (const auto& candidate : view.candidates) {
      if (candidate.journal.job) all.push_back(slurm::to_string(*candidate.journal.job));
    }
    for (const auto& candidate : view.candidates) {
      if (!candidate.journal.job) continue;
      const auto id = slurm::to_string(*candidate.journal.job);
      const auto place = planner::queue_position(cluster_, id, all);
      if (place) waiting.places.push_back({candidate.candidate.number, id, candidate.candidate.summary, *place});
    }
  }

  Predecessor predecessor(const monitor::KnownRun& run) const {
    const auto seen = monitor::poll_runs({run});
    const auto& view = seen.views.front();
    Predecessor found{.run = run.record.id,
                      .name = run.record.name,
                      .state = std::string(to_string(view.state)),
                      .end = {},
                      .start = {},
                      .limit = {}};
    if (run.record.job.chain) return found;  // its end is not that of its job
    if (waits(view)) {
      const auto forecast = this->forecast(run, view);
      if (forecast.strategy) {
        found.start = forecast.strategy->wait;
        found.limit = forecast.strategy->time_limit;
      }
    } else if (const auto* winner = winner_of(view)) {
      const auto& job = winner->journal.job;
      const auto history = site_inputs(cluster_, {}, settings_).finished;
      if (job) found.end = planner::predicted_end(cluster_, history, slurm::to_string(*job));
    }
    return found;
  }

 private:
  planner::Cluster cluster_;
  const Settings& settings_;
};

void add_ways_out(WaitingRun& waiting, planner::WaitingForecast& forecast, const monitor::KnownRun& run,
                  bool single_node) {
  for (auto& one : forecast.sooner) {
    // rv rerun can't take --single-node back.
    if (one.change == planner::Change::more_nodes && single_node) continue;
    if (!fits_launcher(one.strategy, run.record.job)) continue;
    auto text = planner::change_in_words(one, *forecast.strategy);
    auto command = command_of(run, one);
    waiting.sooner.push_back({std::move(one), std::move(text), std::move(command)});
  }
}

}  // namespace

std::optional<WaitingRun> waiting_run(const monitor::KnownRun& run, const monitor::RunView& view,
                                      const Invocation& invocation) {
  if (!waits(view)) return std::nullopt;
  std::optional<Reading> reading;
  try {
    reading.emplace(cluster_with_note(RequestOptions(), invocation).cluster, invocation);
  } catch (const Error& fault) {
    spdlog::debug("{}", fault.what());
    return std::nullopt;
  }
  WaitingRun waiting;
  if (const auto& after = run.record.job.after) {
    const auto runs = monitor::runs_in(invocation.settings.runs_folder());
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const auto& one) { return one.id() == after->run; });
    // Until that run is over the place in the queue means nothing.
    if (found != runs.end() && !found->over) {
      waiting.after = reading->predecessor(monitor::read_run(*found));
      return waiting;
    }
  }
  reading->add_places(waiting, view);
  auto forecast = reading->forecast(run, view);
  waiting.start = forecast.strategy;
  const auto request = request_of(run);
  add_ways_out(waiting, forecast, run, request && request->single_node);
  return waiting;
}

}  // namespace rv::cli
