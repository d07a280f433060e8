// One client that watches every run below a folder, as a followed run is watched: what it costs. Prints JSON.
//
// usage: watch_load RUNS_FOLDER SECONDS
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "monitor/follow/poll_interval.h"
#include "monitor/race/watcher.h"
#include "monitor/run/listed_runs.h"

using namespace rv;

namespace {

double cpu_seconds(int who) {
  rusage usage = {};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: watch_load RUNS_FOLDER SECONDS\n");
    return 2;
  }
  const std::string folder = argv[1];
  std::vector<monitor::RunFolder> runs;
  for (const auto& run : monitor::runs_in(folder)) runs.push_back(run.folder);
  const auto count = runs.size();

  using Clock = monitor::PollInterval::Clock;
  slurm::Gateway gateway;
  monitor::Watcher watcher(gateway, std::move(runs));
  monitor::PollInterval interval(std::chrono::milliseconds(0));
  nlohmann::ordered_json report;
  report["runs"] = count;
  report["looks_at_s"] = nlohmann::ordered_json::array();
  const auto begun = Clock::now();
  const auto since = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  double slowest = 0;
  while (since() < std::atof(argv[2])) {
    if (!interval.due(Clock::now())) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      continue;
    }
    const auto asked = Clock::now();
    const double before = since();
    report["looks_at_s"].push_back(static_cast<int>(before));
    watcher.poll(true);
    slowest = std::max(slowest, since() - before);
    interval.asked(asked, Clock::now(), watcher.changed());
  }
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  report["wall_s"] = since();
  report["slowest_look_ms"] = slowest * 1000;
  report["slurm_commands"] = gateway.commands_run();
  report["cpu_s"] = cpu_seconds(RUSAGE_SELF);
  report["cpu_of_slurm_commands_s"] = cpu_seconds(RUSAGE_CHILDREN);
  report["largest_rss_mb"] = static_cast<double>(usage.ru_maxrss) / 1024;
  report["trouble"] = watcher.trouble();
  std::printf("%s\n", report.dump(1).c_str());
  return watcher.trouble().empty() ? 0 : 1;
}
