#include "cli/options/sweep_options.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"
#include "base/wrong_value.h"
#include "cli/options/command_option.h"
#include "cli/options/hosts_options.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"

namespace rv::cli {
namespace {

constexpr double day_s = 86'400;

/// A reader for spans from `least` on.
auto seconds_from(double least) {
  return [least](const std::string& option, const std::string& text) { return seconds_value(option, text, least); };
}

void add_points(CLI::App& command, SweepOptions& o) {
  const auto what = "Points";
  add_values(
      command, "--over",
      [&o](const std::string&, const std::string& text) {
        auto axis = sweep::parse_axis(text);
        for (const auto& other : o.axes) {
          if (other.name == axis.name) {
            throw Error(fmt::format("--over {}: duplicate name", axis.name), "give all its values at once",
                        ExitCode::usage);
          }
        }
        o.axes.push_back(std::move(axis));
      },
      "values that replace {NAME} in the command; each value is a point")
      .type_name("NAME=V,…")
      .group(what);
  add_value(command, "--repeats", o.repeats, count_from(1, 1000), "runs of each point (default: 1)")
      .type_name("N")
      .group(what);
  add_value(
      command, "--shuffle", o.shuffle,
      [](const std::string& option, const std::string& text) {
        return static_cast<std::uint64_t>(count_value(option, text, 0, 1'000'000'000));
      },
      "run the points in random order, with this seed")
      .type_name("SEED")
      .group(what);
  add_value(command, "--cooldown", o.cooldown_s, seconds_from(0), "pause between two points (default: 10s)")
      .type_name("TIME")
      .group(what);
  add_value(command, "--timeout", o.timeout_s, seconds_from(0.1), "time limit of each point")
      .type_name("TIME")
      .group(what);
  add_value(
      command, "--stop-after", o.stop_after_oom,
      [](const std::string& option, const std::string& text) {
        if (text == "oom") return true;
        throw wrong_value(option, text, "oom", "write --stop-after oom");
      },
      "skip points larger than a point that ran out of memory")
      .type_name("oom")
      .group(what);
  add_flag(command, "--find-max", o.find_max,
           "find the largest value of the first --over that fits in memory, by doubling and bisection")
      .group(what);
  add_value(command, "--at-most", o.at_most, count_from(1, 2'000'000'000),
            "upper limit of --find-max (default: 1024 × the largest value)")
      .type_name("N")
      .group(what);
}

void add_measuring(CLI::App& command, SweepOptions& o) {
  const auto what = "Measuring";
  add_value(command, "--every", o.every_s, seconds_from(0.05), "time between two samples (default: 1s)")
      .type_name("TIME")
      .group(what);
  add_values(
      command, "--metric",
      [&o](const std::string&, const std::string& text) { o.metrics.push_back(sweep::parse_metric(text)); },
      "figure to read from the output, by a regular expression with the figure in ()")
      .type_name("NAME=REGEX")
      .group(what);
  add_option(command, "--metrics-file", o.metrics_file,
             "read figures from this file of JSON lines, which the command writes")
      .type_name("PATH")
      .group(what);
  add_option(command, "--throughput", o.throughput, "figure to maximise (default: steps_per_s)")
      .type_name("NAME")
      .group(what);
  add_values(
      command, "--oom-exit-code",
      [&o](const std::string& option, const std::string& text) {
        o.out_of_memory_codes.push_back(count_value(option, text, 1, 255));
      },
      "exit code with which the command reports that GPU memory ran out")
      .type_name("N")
      .group(what);
  add_text_option(
      command, "--device", [&o](const std::string& text) { o.device = text == "cuda" ? "gpu" : text; },
      "compute on: gpu or cpu (default: gpu)")
      .type_name("WHICH")
      .group(what);
}

}  // namespace

double seconds_value(std::string_view option, std::string_view text, double least) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double factor = unit == "ms"                  ? 0.001
                        : unit.empty() || unit == "s" ? 1
                        : unit == "m"                 ? 60
                        : unit == "h"                 ? 3600
                                                      : 0;
  value *= factor;
  if (fault != std::errc() || factor == 0 || !(value >= least) || value > day_s) {
    throw wrong_value(option, text, fmt::format("a time from {} s to a day", least), "write it like 10s, 500ms or 2m");
  }
  return value;
}

std::shared_ptr<SweepOptions> add_sweep_options(CLI::App& command) {
  auto o = std::make_shared<SweepOptions>();
  o->request = add_request_options(command);
  add_points(command, *o);
  add_measuring(command, *o);
  const auto what = "Where";
  add_option(command, "--report-dir", o->report_dir, "folder of the results (default: sweep-NAME)")
      .type_name("DIR")
      .group(what);
  add_flag(command, "--local", o->local, "run on this machine, without Slurm").group(what);
  add_hosts_options(command, o->hosts, o->slots);
  add_flag(command, "--detach", o->detach, "submit and return").group(what);
  add_flag(command, "--job-per-point", o->job_per_point, "submit each point as a separate run, one after the other")
      .excludes("--detach")
      .group(what);
  add_flag(command, "--dry-run,-n", o->dry_run, "show the points and the strategies; run nothing").group(what);
  add_earlier_name(command, "--workers", "--worker-folder", o->worker_folder);
  add_option(command, "--worker-folder", o->worker_folder, "folder of rv-sample (default: beside rv)")
      .type_name("DIR")
      .group(what);
  add_option(command, "--notify", o->notify, "events for the targets of rv notify: started, ended, or none")
      .type_name("WHEN")
      .group(what);
  add_flag(command, "--no-sync", o->no_sync, "from a laptop: don't push the project's files").group(what);
  add_project_options(command, o->project, what);
  add_container_options(command, o->container);
  add_option(command, "--drive", o->drive).group("");
  add_flag(command, "--one-point", o->one_point).group("");
  return o;
}

}  // namespace rv::cli
