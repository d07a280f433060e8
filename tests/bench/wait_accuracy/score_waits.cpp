// The score of three parties on a recorded day, without any Slurm: rv before the submission, `sbatch --test-only`
// before it, `squeue --start` after the first backfill passes.
//
// usage: score_waits DAY [--jobs] [--habits FILE] [--most-median S] [--most-waited-median S] [--least-1-min SHARE]
//                    [--least-10-min SHARE] [--least-coverage SHARE]
//
// A wait is from the submission to the start, in the cluster's seconds. A start that was predicted for before the
// submission is a wait of 0. A job that ran before `squeue --start` was asked counts as predicted correctly by it. The
// others are floors for rv, on all jobs or on those that waited longer than a minute (coverage: the share of real waits
// between P10 and P90). --habits: the jobs' own chances of run times (habits.py) instead of what accounting taught,
// which tells what is left to chance. When a floor is missed, or rv predicted nothing for a job, the exit code is 1.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/settings/settings.h"
#include "habits.h"
#include "monitor/jobs/prediction_accuracy.h"
#include "planner/make_plan.h"
#include "recorded_day.h"
#if __has_include("planner/forecast_inputs.h")
#include "planner/forecast_inputs.h"
#endif

namespace {

using namespace rv;
using monitor::Accuracy;
using monitor::Prediction;
using std::chrono::seconds;

constexpr seconds over_a_minute{61};

/// A start of a job that was predicted to start at once: what rv writes down of its own runs.
struct Launch {
  planner::TimePoint started;
  seconds took;
};

// rv counts from the moment of its plan, and submits at once; the recorded snapshot is some seconds older.
planner::Plan plan_of(const bench::RecordedDay& day, bench::Submission one, const planner::GpuCatalogue& catalogue,
                      const std::vector<Launch>& launches, const bench::Habits& habits) {
#if __has_include("planner/forecast_inputs.h")
  planner::ForecastInputs inputs;
  inputs.finished = bench::known_at(day, one.cluster.taken_at);
  if (!habits.empty()) bench::teach(habits, one.cluster, inputs.finished);
  one.cluster.taken_at = one.submitted;
  for (const Launch& launch : launches) {
    if (launch.started <= one.submitted) inputs.launch_waits.push_back(launch.took);
  }
  inputs.priority =
      slurm::priority_when_submitted(one.priority, one.request.account, "", one.cluster.controller.priority_weights);
  if (inputs.priority) inputs.priority_source = "sshare";
  return planner::make_plan(one.cluster, catalogue, one.request, inputs);
#else
  (void)day;
  (void)habits;
  return planner::make_plan(one.cluster, catalogue, one.request);
#endif
}

seconds wait_until(planner::TimePoint start, const bench::Submission& one) {
  return std::max(seconds(0), start - one.submitted);
}

Prediction point(std::optional<planner::TimePoint> start, const bench::Submission& one) {
  Prediction prediction;
  if (start) prediction.p50 = wait_until(*start, one);
  return prediction;
}

Prediction prediction(const planner::Wait& wait) {
  return {.p10 = wait.p10, .p50 = wait.p50, .p90 = wait.p90};
}

/// The same jobs for all parties, those that have a real start.
struct Scored {
  std::vector<seconds> real;
  std::map<std::string, std::vector<Prediction>> said;  // by party
};

Scored score(const bench::RecordedDay& day, const planner::GpuCatalogue& catalogue, const bench::Habits& habits,
             bool list) {
  Scored scored;
  if (list)
    std::printf("%4s %-6s %5s %6s %8s %26s %8s %8s\n", "job", "type", "GPUs", "limit", "real", "rv P10 P50 P90", "test",
                "--start");
  int number = 0;
  std::vector<Launch> launches;
  for (const auto& one : day.submissions) {
    ++number;
    if (!one.start) continue;
    const auto plan = plan_of(day, one, catalogue, launches, habits);
    Prediction rv;
    if (const planner::Strategy* strategy = bench::submitted_strategy(plan, one.strategy); strategy != nullptr) {
      rv = prediction(strategy->wait);
      if (strategy->wait.basis == planner::free_now_basis)
        launches.push_back({*one.start, wait_until(*one.start, one)});
    }
    scored.real.push_back(wait_until(*one.start, one));
    scored.said["rv"].push_back(rv);
    scored.said["test-only"].push_back(point(one.test_only, one));
    scored.said["--start"].push_back(point(one.started_before_squeue ? one.start : one.squeue_start, one));
    if (!list) continue;
    const auto figure = [](std::optional<seconds> span) { return span ? static_cast<long>(span->count()) : -1L; };
    std::printf("%4d %-6s %2dx%-2d %6ld %8ld %8ld %8ld %8ld %8ld %8ld\n", number, one.strategy.type.c_str(),
                one.strategy.nodes, one.request.gpus / one.strategy.nodes, figure(one.request.time),
                figure(scored.real.back()), figure(rv.p10), figure(rv.p50), figure(rv.p90),
                figure(scored.said["test-only"].back().p50), figure(scored.said["--start"].back().p50));
  }
  return scored;
}

Accuracy of_party(const Scored& scored, const std::string& party, seconds least_wait) {
  std::vector<seconds> real;
  std::vector<Prediction> said;
  for (std::size_t i = 0; i < scored.real.size(); ++i) {
    if (scored.real[i] < least_wait) continue;
    real.push_back(scored.real[i]);
    said.push_back(scored.said.at(party)[i]);
  }
  return monitor::accuracy(real, said);
}

void print_table(const Scored& scored, const char* title, seconds least_wait) {
  std::printf("%s\n%-10s %6s %10s %12s %12s %9s %9s %10s %10s\n", title, "", "jobs", "predicted", "median err",
              "P90 err", "<= 1 min", "<= 10 min", "P10-P90", "+- 1 min");
  for (const char* party : {"rv", "test-only", "--start"}) {
    const auto a = of_party(scored, party, least_wait);
    std::printf("%-10s %6zu %10zu", party, a.jobs, a.predicted);
    if (a.predicted == 0) {
      std::printf(" %12s\n", "unknown");
      continue;
    }
    std::printf(" %10.0f s %10.0f s %7.1f %% %7.1f %%", a.median_error_s, a.p90_error_s, 100 * a.within_1_min,
                100 * a.within_10_min);
    if (a.coverage) std::printf(" %8.1f %% %8.1f %%", 100 * *a.coverage, 100 * *a.coverage_1_min);
    std::printf("\n");
  }
  std::printf("\n");
}

bool holds(bool condition, const char* what, double figure, double floor) {
  if (!condition) std::printf("missed: %s is %.3f, the floor is %.3f\n", what, figure, floor);
  return condition;
}

bool floors_hold(const Accuracy& rv, const Accuracy& rv_waited, const std::map<std::string, double>& floors) {
  if (floors.empty()) return true;
  bool all = holds(rv.predicted == rv.jobs, "share predicted",
                   static_cast<double>(rv.predicted) / static_cast<double>(std::max<std::size_t>(1, rv.jobs)), 1);
  for (const auto& [name, floor] : floors) {
    if (name == "--most-median") all = holds(rv.median_error_s <= floor, name.c_str(), rv.median_error_s, floor) && all;
    const double waited = rv_waited.median_error_s;
    if (name == "--most-waited-median") all = holds(waited <= floor, name.c_str(), waited, floor) && all;
    if (name == "--least-1-min") all = holds(rv.within_1_min >= floor, name.c_str(), rv.within_1_min, floor) && all;
    if (name == "--least-10-min") all = holds(rv.within_10_min >= floor, name.c_str(), rv.within_10_min, floor) && all;
    const double coverage = rv.coverage.value_or(0);
    if (name == "--least-coverage") all = holds(coverage >= floor, name.c_str(), coverage, floor) && all;
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder;
  std::string habits_file;
  bool list = false;
  std::map<std::string, double> floors;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--jobs") {
      list = true;
    } else if (word == "--habits" && i + 1 < argc) {
      habits_file = argv[++i];
    } else if (word.starts_with("--") && i + 1 < argc) {
      floors[std::string(word)] = std::strtod(argv[++i], nullptr);
    } else {
      folder = word;
    }
  }
  try {
    const auto day = bench::read_day(folder);
    const auto habits = habits_file.empty() ? bench::Habits() : bench::read_habits(habits_file);
    const auto scored = score(day, built_in_catalogue(), habits, list);
    std::printf("%s: %zu submissions, %zu with a start\n\n", folder.c_str(), day.submissions.size(),
                scored.real.size());
    print_table(scored, "all jobs", seconds(0));
    print_table(scored, "jobs that waited longer than a minute", over_a_minute);
    return floors_hold(of_party(scored, "rv", seconds(0)), of_party(scored, "rv", over_a_minute), floors) ? 0 : 1;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "score_waits: %s\n", fault.what());
    return 2;
  }
}
