#include "cli/sweep/sweep_order.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/current_folder.h"
#include "base/text.h"
#include "base/variable.h"
#include "base/wrong_value.h"
#include "cli/launch/container.h"
#include "cli/launch/launch_words.h"
#include "cli/launch/work_order.h"
#include "cli/remote/sync/project_store.h"
#include "cli/sweep/drive/report_folder.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

constexpr long long far = 1024;  // times the largest value given, where --at-most does not say

Error refused(const std::string& what, const std::string& advice) {
  return {what, advice, ExitCode::usage};
}

std::vector<std::string> first_filled(const std::vector<std::string>& words, const std::vector<sweep::Axis>& axes) {
  const auto first = sweep::all_points(axes, 1).front().settings;
  std::vector<std::string> out;
  out.reserve(words.size());
  for (const auto& word : words) out.push_back(sweep::filled(word, first));
  return out;
}

bool is_program(const fs::path& path) {
  std::error_code fault;
  return fs::is_regular_file(path, fault) && ::access(path.c_str(), X_OK) == 0;
}

/// Searches as execvp does.
void check_program(const std::string& name, const std::string& folder) {
  if (name.find('/') != std::string::npos) {
    if (is_program(fs::path(folder) / name)) return;
  } else {
    const auto path = variable("PATH");
    for (std::size_t begin = 0; begin <= path.size();) {
      const auto end = std::min(path.find(':', begin), path.size());
      if (is_program(fs::path(path.substr(begin, end - begin)) / name)) return;
      begin = end + 1;
    }
  }
  throw refused(fmt::format("{}: no such program", one_line(name)),
                "check the spelling and PATH, or give the program's path");
}

std::optional<long long> bound_of(const SweepOptions& options) {
  if (!options.find_max) {
    if (options.at_most) throw refused("--at-most needs --find-max", "add --find-max");
    return std::nullopt;
  }
  if (options.axes.size() > 1) {
    throw refused("--find-max needs exactly one --over", "remove the other --over");
  }
  long long largest = 0;
  for (const auto& value : options.axes.front().values) {
    const auto number = sweep::whole_number(value);
    if (!number) {
      throw refused(fmt::format("--find-max: {} {} is not a whole number", options.axes.front().name, value),
                    "give whole numbers to --over");
    }
    largest = std::max(largest, *number);
  }
  return options.at_most ? *options.at_most : largest > (1LL << 50) ? largest : largest * far;
}

std::string default_folder(const std::vector<std::string>& words, const std::vector<sweep::Axis>& axes) {
  const auto filled = first_filled(words, axes);
  const auto script = script_of(filled);
  auto name = fs::path(script ? *script : filled.front()).stem().string();
  name = name.substr(0, name.find_first_of(" \t\n;|&<>()$'\"{}"));
  return "sweep-" + (name.empty() ? "points" : name);
}

/// On the login node, for a laptop's project: its folder there. The current one is a snapshot, made for this call
/// alone.
std::optional<std::string> project_folder(const Invocation& invocation) {
  if (!invocation.hop || invocation.hop->project.name.empty()) return std::nullopt;
  const auto& place = invocation.hop->project;
  return (fs::path(sync::ProjectStore(invocation.settings.home, place.name).files()) / place.folder).lexically_normal();
}

/// Each point's command; where rv sweep --local is called, or on the node of its run.
void put_into(sweep::Order& order, Container container, const std::string& report_dir) {
  container.mounts.push_back(report_dir);
  const auto command = container.command(order.command, sweep::ReportFolder(report_dir).container_start());
  order.command = container.step();
  order.command.insert(order.command.end(), command.begin(), command.end());
}

}  // namespace

bool begin_sweep(const SweepSetup& setup) {
  const sweep::ReportFolder folder(setup.report_dir);
  const bool is_new = folder.begin(setup.order);
  if (setup.in_container) write_container_start(folder.container_start());
  return is_new;
}

SweepSetup sweep_setup(const SweepOptions& options, const Invocation& invocation, bool program_here) {
  const auto& words = invocation.user_command;
  if (options.axes.empty()) {
    throw refused("rv sweep needs --over", "for example --over envs=1024,2048 -- CMD {envs}");
  }
  sweep::check_placeholders(words, options.axes);
  if (!options.metrics_file.empty()) {
    auto with_file = words;
    with_file.push_back(options.metrics_file);
    sweep::check_placeholders(with_file, options.axes);
  }
  if (options.device != "gpu" && options.device != "cpu") {
    throw wrong_value("--device", options.device, "gpu or cpu", "write --device cpu");
  }
  SweepSetup out;
  auto& order = out.order;
  order.folder = os::current_folder();
  const auto project = project_folder(invocation);
  order.project = project.value_or("");
  order.axes = options.axes;
  order.find_max = bound_of(options);
  const auto filled = first_filled(words, order.axes);
  if (!invocation.as_typed) require_script(filled);
  StartChoice as_typed;
  as_typed.as_typed = invocation.as_typed;
  auto started = plain_order(words, invocation.settings, "none", as_typed);
  order.command = std::move(started.job.argv);
  out.why = std::move(started.why);
  const auto container = options.hosts ? container_on_hosts(options.container, invocation.settings)
                                       : container_for(options.container, invocation.settings);
  out.in_container = !container.image.empty();
  if (program_here && !out.in_container) {
    check_program(first_filled(order.command, order.axes).front(), order.folder);
  }
  order.repeats = options.repeats;
  order.shuffle = options.shuffle;
  order.cooldown_s = options.cooldown_s;
  order.stop_after_oom = options.stop_after_oom;
  order.timeout_s = options.timeout_s;
  order.every_s = options.every_s;
  order.gpu = options.device == "gpu";
  order.metrics = options.metrics;
  order.metrics_file = options.metrics_file;
  order.throughput = options.throughput;
  order.out_of_memory_codes = options.out_of_memory_codes;
  const auto report = options.report_dir.empty() ? default_folder(words, order.axes) : options.report_dir;
  out.report_dir = (fs::path(project.value_or(order.folder)) / report).lexically_normal();
  while (out.report_dir.size() > 1 && out.report_dir.back() == '/') out.report_dir.pop_back();
  if (out.in_container && options.hosts) order.command = container.command(order.command);
  if (out.in_container && !options.hosts) put_into(order, container, out.report_dir);
  // On hosts each has a separate folder below.
  if (!options.hosts) sweep::ReportFolder(out.report_dir).check_free_for(order);
  return out;
}

namespace {

struct Shown {
  sweep::Point point;
  std::string command;
};

std::vector<Shown> to_run(const SweepSetup& setup) {
  const auto& order = setup.order;
  std::vector<sweep::Ended> ended;
  for (const auto& result : sweep::ReportFolder(setup.report_dir).results()) {
    ended.push_back({result.point, result.end.kind});
  }
  auto points = sweep::all_points(order.axes, order.repeats);
  if (order.shuffle) points = sweep::shuffled(std::move(points), *order.shuffle);
  const auto out = sweep::left_out(order, ended);
  std::vector<Shown> shown;
  for (const auto& point : points) {
    const bool over = std::any_of(ended.begin(), ended.end(), [&](const auto& one) { return one.point == point; });
    if (over || std::find(out.begin(), out.end(), point) != out.end()) continue;
    std::vector<std::string> filled;
    filled.reserve(order.command.size());
    for (const auto& word : order.command) filled.push_back(sweep::filled(word, point.settings));
    shown.push_back({point, shown_command(filled)});
  }
  return shown;
}

}  // namespace

std::string points_text(const SweepSetup& setup) {
  std::string out;
  for (const auto& [point, command] : to_run(setup)) {
    out += fmt::format("{}: {}\n", sweep::folder_name(point, setup.order.axes), one_line(command));
  }
  if (setup.order.find_max) out += fmt::format("then the largest that fits, up to {}\n", *setup.order.find_max);
  return out + fmt::format("into {}\n", setup.report_dir);
}

nlohmann::ordered_json points_json(const SweepSetup& setup) {
  nlohmann::ordered_json document{{"report_dir", setup.report_dir}, {"points", nlohmann::ordered_json::array()}};
  for (const auto& [point, command] : to_run(setup)) {
    document["points"].push_back({{"folder", sweep::folder_name(point, setup.order.axes)},
                                  {"settings", point.settings},
                                  {"repeat", point.repeat},
                                  {"command", command}});
  }
  return document;
}

}  // namespace rv::cli
