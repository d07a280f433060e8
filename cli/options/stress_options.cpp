#include "cli/options/stress_options.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"
#include "base/wrong_value.h"
#include "cli/options/command_option.h"
#include "cli/options/hosts_options.h"
#include "cli/options/option_values.h"
#include "cli/options/sweep_options.h"
#include "cli/options/user_command.h"
#include "cli/options/value_option.h"

namespace rv::cli {
namespace {

auto seconds_from(double least) {
  return [least](const std::string& option, const std::string& text) { return seconds_value(option, text, least); };
}

/// A bare number is meant as MiB here, as the test that this comes from has it; 1G and 512M are understood.
int mebibytes(const std::string& option, const std::string& text) {
  constexpr int most = 4 << 20;
  if (text.find_first_not_of("0123456789") == std::string::npos) return count_value(option, text, 1, most);
  const auto value = memory_value(option, text);
  if (value.count < 1 || value.count > most) {
    throw wrong_value(option, text, "1 MiB to 4 TiB", "write it like 256 or 1G");
  }
  return static_cast<int>(value.count);
}

double percent_value(const std::string& option, const std::string& text) {
  try {
    return count_value(option, text.ends_with('%') ? text.substr(0, text.size() - 1) : text, 0, 100);
  } catch (const Error& fault) {
    throw Error(fault.what(),
                fmt::format("write a percentage: {} 80 requires that 80 % of the workers succeed", option),
                ExitCode::usage);
  }
}

double ratio_value(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !(value >= 1) || value > 1e6) {
    throw wrong_value(option, text, "a number of at least 1", "write it like 1.5");
  }
  return value;
}

void add_load(CLI::App& command, StressOptions& o) {
  const auto what = "Load";
  add_text_option(
      command, "--ranks",
      [](const std::string&) {
        throw Error("rv stress has no option --ranks", "write --workers N for the number of processes on each node",
                    ExitCode::usage);
      },
      "processes on each node")
      .group("");
  add_value(command, "--workers", o.workers, count_from(1, 1000), "processes on each node (default: 2 per GPU)")
      .type_name("N")
      .group(what);
  add_value(command, "--duration", o.duration_s, seconds_from(0.1), "working time of each worker (default: 60s)")
      .type_name("TIME")
      .group(what);
  add_value(command, "--memory", o.memory_mib, mebibytes,
            "size of each of a worker's three matrices, in MiB or with a unit (default: 256; with --device cpu: 1)")
      .type_name("SIZE")
      .group(what);
  add_value(command, "--reference", o.reference_s, seconds_from(0),
            "first measure one GPU alone for this time (default: a quarter of --duration, at most 10s)")
      .type_name("TIME")
      .group(what);
  add_value(command, "--silence", o.silence_s, seconds_from(0.1),
            "treat a worker as hung after this time without a heartbeat (default: 30s)")
      .type_name("TIME")
      .group(what);
  add_flag(command, "--skip-stress", o.skip_stress, "run only the launcher").group(what);
  add_text_option(
      command, "--device", [&o](const std::string& text) { o.device = text == "cuda" ? "gpu" : text; },
      "compute on: gpu or cpu (default: gpu)")
      .type_name("WHICH")
      .group(what);
  add_option(command, "--inject", o.inject).group("");
}

void add_launcher(CLI::App& command, StressOptions& o) {
  const auto what = "Launcher";
  add_option(command, "--launch", o.launch,
             "shell command that starts your program; run on one GPU, on all, on none and on some")
      .type_name("CMD")
      .group(what);
  add_values(
      command, "--subset", [&o](const std::string&, const std::string& text) { o.subsets.push_back(text); },
      "numbers of the GPUs for the run on some GPUs: 0,2 (default: every second)")
      .type_name("LIST")
      .group(what);
  add_value(command, "--launch-timeout", o.launch_timeout_s, seconds_from(0.1),
            "time limit of each run of your program (default: 5m)")
      .type_name("TIME")
      .group(what);
  add_flag(command, "--skip-launch", o.skip_launch, "don't run the launcher").group(what);
}

void add_judging(CLI::App& command, StressOptions& o) {
  const auto what = "Judging";
  add_value(command, "--min-success", o.limits.min_success, percent_value,
            "percentage of workers that must succeed (default: 80)")
      .type_name("PERCENT")
      .group(what);
  add_value(command, "--min-launch", o.limits.min_launch, percent_value,
            "percentage of launcher configurations that must pass (default: 50)")
      .type_name("PERCENT")
      .group(what);
  add_value(command, "--max-imbalance", o.limits.max_imbalance, ratio_value,
            "largest allowed ratio of the operations of two GPUs (default: 1.5)")
      .type_name("RATIO")
      .group(what);
  add_option(command, "--report-dir", o.report_dir, "also write stress.json and stress.html to this folder")
      .type_name("DIR")
      .group(what);
  add_option(command, "--junit", o.junit, "write JUnit XML for CI").type_name("FILE").group(what);
  add_option(command, "--judge", o.judge, "judge an earlier test again, by its run or report folder")
      .type_name("RUN")
      .group(what);
  add_flag(command, "--cleanup", o.cleanup, "remove the run's reports and logs at the end").group(what);
}

}  // namespace

std::shared_ptr<StressOptions> add_stress_options(CLI::App& command) {
  auto o = std::make_shared<StressOptions>();
  o->request = add_request_options(command);
  o->request->avoids_faulty_nodes = false;
  option_of(command, "--time").description("time limit: 30m, 2h, 3d, HH:MM:SS (default: enough for the test)");
  option_of(command, "--name").description("name of the run (default: stress)");
  add_load(command, *o);
  add_launcher(command, *o);
  add_judging(command, *o);
  const auto what = "Where";
  add_flag(command, "--local", o->local, "run on this machine, without Slurm").group(what);
  add_hosts_options(command, o->hosts, o->slots);
  add_flag(command, "--detach", o->detach, "submit and return; rv stress --judge RUN prints the result later")
      .group(what);
  add_flag(command, "--dry-run,-n", o->dry_run, "show the strategies; submit nothing").group(what);
  add_option(command, "--worker-folder", o->worker_folder, "folder of rv-stress (default: beside rv)")
      .type_name("DIR")
      .group(what);
  add_option(command, "--notify", o->notify, "events for the targets of rv notify: started, ended, or none")
      .type_name("WHEN")
      .group(what);
  add_flag(command, "--no-sync", o->no_sync, "from a laptop: don't push the project's files").group(what);
  add_project_options(command, o->project, what);
  add_container_options(command, o->container);
  return o;
}

std::vector<std::string> worker_words(const StressOptions& options) {
  if (!options.launch.empty() && options.launch.find_first_not_of(" \t\n") == std::string::npos) {
    throw Error("--launch: the command is empty", "name your program: --launch 'python train.py'", ExitCode::usage);
  }
  const bool launches = !options.launch.empty() && !options.skip_launch;
  if (options.skip_stress && !launches) {
    throw Error("--skip-stress needs --launch", "name your program: --launch 'python train.py'", ExitCode::usage);
  }
  if (!options.subsets.empty() && !launches) {
    throw Error("--subset needs --launch", "add --launch 'python train.py', or remove --subset", ExitCode::usage);
  }
  if (options.device != "gpu" && options.device != "cpu") {
    throw wrong_value("--device", options.device, "gpu or cpu", "write --device cpu");
  }
  std::vector<std::string> words{"--judged-later",
                                 "--device",
                                 options.device,
                                 "--duration",
                                 fmt::format("{}", options.duration_s),
                                 "--silence",
                                 fmt::format("{}", options.silence_s),
                                 "--launch-timeout",
                                 fmt::format("{}", options.launch_timeout_s)};
  const auto add = [&](const std::string& name, const std::string& value) {
    words.push_back(name);
    words.push_back(value);
  };
  if (options.workers) add("--workers", std::to_string(*options.workers));
  if (options.memory_mib) add("--memory", std::to_string(*options.memory_mib));
  if (options.reference_s) add("--reference", fmt::format("{}", *options.reference_s));
  if (options.skip_stress) words.emplace_back("--skip-stress");
  for (const auto& subset : options.subsets) add("--subset", subset);
  if (!options.inject.empty()) add("--inject", options.inject);
  if (launches) {
    words.emplace_back("--");
    for (auto& word : command_argv({options.launch})) words.push_back(std::move(word));
  }
  return words;
}

}  // namespace rv::cli
