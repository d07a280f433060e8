#include "workers/stress/launch_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <stdexcept>

#include "workers/devices/node_name.h"
#include "workers/stress/footprint.h"
#include "workers/stress/launcher.h"

namespace rv::workers {
namespace {

std::vector<int> places(const std::string& text, std::size_t gpus) {
  std::vector<int> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    int place = -1;
    const auto [last, fault] = std::from_chars(text.data() + begin, text.data() + end, place);
    if (fault != std::errc() || last != text.data() + end || place < 0) {
      throw std::invalid_argument(fmt::format("--subset {}: expected numbers of GPUs, separated by commas", text));
    }
    if (static_cast<std::size_t>(place) >= gpus) {
      throw std::invalid_argument(fmt::format("--subset {}: GPU {} does not exist; there are {}", text, place, gpus));
    }
    if (std::find(out.begin(), out.end(), place) == out.end()) out.push_back(place);
    begin = end + 1;
  }
  return out;
}

/// The value of CUDA_VISIBLE_DEVICES for these GPUs.
std::string entries(const std::vector<int>& places, const std::vector<GivenGpu>& gpus) {
  std::vector<std::string> words;
  words.reserve(places.size());
  for (const auto place : places) words.push_back(gpus[static_cast<std::size_t>(place)].entry);
  return fmt::format("{}", fmt::join(words, ","));
}

std::vector<std::string> uuids(const std::vector<int>& places, const std::vector<GivenGpu>& gpus) {
  std::vector<std::string> words;
  words.reserve(places.size());
  for (const auto place : places) words.push_back(gpus[static_cast<std::size_t>(place)].device.uuid);
  return words;
}

std::string whats_wrong(const LauncherEnd& end, const std::vector<std::string>& given, double limit) {
  if (end.interrupted) return "it was ended with the whole run";
  if (end.timed_out) return fmt::format("it did not end within {} s, and was ended", limit);
  if (end.exit_code > 128) return fmt::format("signal {} ended it", end.exit_code - 128);
  if (end.exit_code != 0) return fmt::format("it ended with exit code {}", end.exit_code);
  std::vector<std::string> others;
  for (const auto& uuid : end.used.value_or(std::set<std::string>())) {
    if (std::find(given.begin(), given.end(), uuid) == given.end()) others.push_back(uuid);
  }
  if (!others.empty()) return fmt::format("it used GPUs that it was not assigned: {}", fmt::join(others, ", "));
  if (!end.left.empty()) return fmt::format("left behind, and ended: {}", fmt::join(end.left, "; "));
  return "";
}

Measurement check_one(const LaunchOrder& order, const LaunchConfiguration& configuration, Nvml* nvml,
                      const std::vector<GivenGpu>& gpus, bool (*interrupted)()) {
  Measurement m;
  m.suite = "launch";
  m.name = configuration.name;
  m.device = host_processor();
  const auto visible = entries(configuration.gpus, gpus);
  const auto given = uuids(configuration.gpus, gpus);
  const auto log = fmt::format("launch-{}.{}.log", configuration.name, node_name());
  const auto before = look_at_footprint(nvml, gpus);
  const auto end = run_launcher({.argv = order.argv,
                                 .visible = visible,
                                 .log = (std::filesystem::path(order.folder) / log).string(),
                                 .seconds = order.seconds,
                                 .driver_lists_pids = order.driver_lists_pids},
                                nvml, interrupted);
  const auto after = look_at_footprint(nvml, gpus);
  m.value = end.seconds;
  m.unit = "s";
  m.params["cuda_visible_devices"] = visible;
  m.params["given"] = given;
  m.params["used"] = end.used ? nlohmann::ordered_json(*end.used) : nlohmann::ordered_json();
  m.params["exit_code"] = end.exit_code;
  m.params["timed_out"] = end.timed_out;
  m.params["left_behind"] = end.left;
  m.params["new_segments"] = new_segments(before, after);
  m.params["log"] = log;
  m.reason = whats_wrong(end, given, order.seconds);
  m.verdict = m.reason.empty() ? Verdict::pass : end.interrupted ? Verdict::error : Verdict::fail;
  return m;
}

}  // namespace

std::vector<LaunchConfiguration> launch_configurations(std::size_t gpus, const std::vector<std::string>& subsets) {
  std::vector<LaunchConfiguration> all;
  const auto add = [&](std::string name, std::vector<int> places) {
    const bool there = std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.gpus == places; });
    if (!there) all.push_back({std::move(name), std::move(places)});
  };
  if (gpus > 0) {
    add("single", {0});
    std::vector<int> every(gpus);
    std::iota(every.begin(), every.end(), 0);
    add("all", every);
  }
  add("cpu", {});
  for (const auto& text : subsets) add("subset-" + text, places(text, gpus));
  if (subsets.empty() && gpus > 2) {
    std::vector<int> second;
    for (int i = 0; i < static_cast<int>(gpus); i += 2) second.push_back(i);
    add(fmt::format("subset-{}", fmt::join(second, ",")), second);
  }
  return all;
}

std::vector<Measurement> check_launches(const LaunchOrder& order,
                                        const std::vector<LaunchConfiguration>& configurations, Nvml* nvml,
                                        const std::vector<GivenGpu>& gpus, bool (*interrupted)()) {
  std::vector<Measurement> all;
  auto now = order;
  for (const auto& configuration : configurations) {
    if (interrupted()) break;
    if (order.says_progress) fmt::print(stderr, "launch {}\n", configuration.name);
    all.push_back(check_one(now, configuration, nvml, gpus, interrupted));
    const auto& used = all.back().params["used"];
    now.driver_lists_pids = now.driver_lists_pids || (used.is_array() && !used.empty());
  }
  return all;
}

}  // namespace rv::workers
