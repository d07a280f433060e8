#include "cli/views/log_accuracy_view.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/table.h"
#include "base/text.h"
#include "monitor/jobs/prediction_accuracy.h"

namespace rv::cli {

namespace {

using planner::Predictor;
using std::chrono::seconds;
using OrderedJson = nlohmann::ordered_json;

struct Group {
  const char* title;
  const char* key;
  seconds above;
};

constexpr std::array<Group, 3> job_groups{{{"all jobs", "all", seconds(-1)},
                                           {"waited over 1 min", "waited_1_min", seconds(60)},
                                           {"waited over 10 min", "waited_10_min", seconds(600)}}};

constexpr std::array<Predictor, 6> predictors{Predictor::replay,   Predictor::learned,   Predictor::zero,
                                              Predictor::last_few, Predictor::last_many, Predictor::run_times};

monitor::Accuracy accuracy_of(const planner::PastPredictions& past, Predictor predictor, const Group& group) {
  std::vector<seconds> real;
  std::vector<monitor::Prediction> predicted;
  for (const auto& one : past.predictions) {
    if (one.real <= group.above) continue;
    const planner::PastWait& wait = one.waits[static_cast<std::size_t>(predictor)];
    real.push_back(one.real);
    predicted.push_back({.p10 = wait.p10, .p50 = wait.p50, .p90 = wait.p90});
  }
  return monitor::accuracy(real, predicted);
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

std::string span(double length) {
  if (length < 120) return fmt::format("{:.0f} s", length);
  if (length < 7200) return fmt::format("{:.0f} min", length / 60);
  return fmt::format("{:.1f} h", length / 3600);
}

bool has_range(Predictor predictor) {
  return predictor != Predictor::zero && predictor != Predictor::run_times;
}

void add_rows(Table& table, const planner::PastPredictions& past, const Group& group) {
  bool first = true;
  for (const Predictor predictor : predictors) {
    const auto a = accuracy_of(past, predictor, group);
    if (a.jobs == 0 || a.predicted == 0) continue;
    const bool range = has_range(predictor) && a.coverage;
    table.row({first ? group.title : "", std::string(to_string(predictor)), std::to_string(a.predicted),
               span(a.median_error_s), span(a.p90_error_s), percent(a.within_quarter),
               fmt::format("{:.2f}", a.median_log2_ratio), range ? percent(*a.coverage) : "",
               range ? span(a.pinball_s.value_or(0)) : ""});
    first = false;
  }
}

/// What the log does not say, and what stands for it.
std::vector<std::string> lacks_of(const planner::JobLog& log) {
  std::vector<std::string> lacks{"priorities: jobs are in the order of submission"};
  if (!log.has_gpus) lacks.emplace_back("GPUs: a job takes whole nodes");
  if (!log.has_limits) lacks.emplace_back("time limits: jobs are assumed to run for very long");
  if (!log.has_users) lacks.emplace_back("users: run times are learned from all jobs");
  if (!log.has_partitions) lacks.emplace_back("partitions: all jobs share the nodes");
  lacks.emplace_back("nodes of the jobs, CPUs and memory: jobs are packed, only nodes and GPUs count");
  return lacks;
}

std::vector<std::string> left_out_of(const LogAccuracy& scored) {
  std::vector<std::string> left;
  const auto add = [&](std::size_t count, const std::string& what) {
    if (count > 0) left.push_back(fmt::format("{} {}", count, what));
  };
  for (const auto& [what, count] : scored.log.flaws) add(count, what);
  add(scored.past.warm_up, "jobs before the first scored submission");
  add(scored.past.loops, "jobs of loops (at most 20 s long, submitted again at once)");
  add(scored.past.scorable - scored.past.predictions.size(), "jobs not sampled");
  add(scored.past.unplaced, "jobs that did not fit on the machine beside those that ran");
  return left;
}

}  // namespace

std::string log_accuracy_text(const LogAccuracy& scored, int width, bool colour) {
  const auto& log = scored.log;
  std::string text = fmt::format("{}: {}, {} of {} used\nmachine: {}\nscored: {}\n", one_line(scored.file), log.format,
                                 counted(static_cast<long long>(log.jobs.size()), "job"),
                                 counted(static_cast<long long>(log.rows), "row"), scored.machine,
                                 counted(static_cast<long long>(scored.past.predictions.size()), "submission"));
  text += "\nNot in the log, or not counted:\n";
  for (const auto& line : lacks_of(log)) text.append("  ").append(line).append("\n");
  for (const auto& line : left_out_of(scored)) text.append("  ").append(line).append("\n");
  Table table;
  table.column("jobs");
  table.column("prediction");
  for (const char* title : {"jobs", "median error", "P90 error", "close", "log2", "P10-P90", "pinball"}) {
    table.column(title, Table::Align::right);
  }
  for (const Group& group : job_groups) add_rows(table, scored.past, group);
  text.append("\n").append(table.text(width, colour));
  text +=
      "\nclose: within 10 minutes or 25 % of the real wait. log2: median |log2(predicted / real)|. P10-P90: real "
      "waits\n"
      "between the two, ideally 80 %. pinball: mean loss of P10, P50 and P90. learned: waits of similar\n"
      "earlier submissions of this log (rv plan does not use it). last N: waits of the last N jobs of the same\n"
      "partition and size. real run times: the replay with the real run times, which were unknown then, and without\n"
      "later arrivals.\n";
  return text;
}

OrderedJson log_accuracy_json(const LogAccuracy& scored) {
  OrderedJson document = OrderedJson::object();
  document["file"] = scored.file;
  document["format"] = scored.log.format;
  document["rows"] = scored.log.rows;
  document["jobs"] = scored.log.jobs.size();
  document["scored"] = scored.past.predictions.size();
  document["machine"] = scored.machine;
  document["lacks"] = lacks_of(scored.log);
  document["left_out"] = left_out_of(scored);
  document["groups"] = OrderedJson::array();
  for (const Group& group : job_groups) {
    for (const Predictor predictor : predictors) {
      const auto a = accuracy_of(scored.past, predictor, group);
      if (a.predicted == 0) continue;
      const bool range = has_range(predictor) && a.coverage;
      OrderedJson row = OrderedJson::object();
      row["group"] = group.key;
      row["prediction"] = to_string(predictor);
      row["jobs"] = a.jobs;
      row["predicted"] = a.predicted;
      row["median_error_s"] = a.median_error_s;
      row["p90_error_s"] = a.p90_error_s;
      row["within_10_min_or_25_percent"] = a.within_quarter;
      row["median_log2_ratio"] = a.median_log2_ratio;
      row["coverage_p10_p90"] = range ? OrderedJson(*a.coverage) : OrderedJson();
      row["pinball_s"] = range ? OrderedJson(*a.pinball_s) : OrderedJson();
      document["groups"].push_back(std::move(row));
    }
  }
  document["predictions"] = OrderedJson::array();
  for (const auto& one : scored.past.predictions) {
    const auto& job = scored.log.jobs[one.job];
    OrderedJson line = OrderedJson::object();
    line["job"] = one.job;
    line["submitted"] = job.submitted.time_since_epoch().count();
    line["nodes"] = job.nodes;
    line["gpus"] = job.gpus;
    line["partition"] = job.partition;
    line["wait_s"] = one.real.count();
    for (const Predictor predictor : predictors) {
      const planner::PastWait& wait = one.waits[static_cast<std::size_t>(predictor)];
      const auto figure = [](const std::optional<seconds>& value) {
        return value ? OrderedJson(value->count()) : OrderedJson();
      };
      if (!wait.p50) continue;
      auto& figures = line[std::string(to_string(predictor))] = OrderedJson::array();
      for (const auto& value : {wait.p10, wait.p50, wait.p90}) figures.push_back(figure(value));
    }
    document["predictions"].push_back(std::move(line));
  }
  return document;
}

}  // namespace rv::cli
