#include "cli/sweep/drive/drive.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/file_lock.h"
#include "base/os/interrupt.h"
#include "base/os/process_tree.h"
#include "base/text.h"
#include "base/variable.h"
#include "cli/sweep/drive/point_process.h"
#include "cli/sweep/drive/sampler_process.h"
#include "reports/sweep/program_output.h"
#include "shared/system/process_table.h"

namespace rv::sweep {
namespace {

using Clock = std::chrono::steady_clock;

/// A point during which the driver was lost this many times is not tried again.
constexpr int most_attempts = 3;

/// The exit code of a container's start that failed.
constexpr int no_container = 125;

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Waits; false when an interrupt came.
bool cool_down(double seconds) {
  const auto last = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < last && !os::interrupt_waits()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return !os::interrupt_waits();
}

std::vector<std::string> filled_words(const std::vector<std::string>& words, const Settings& settings) {
  std::vector<std::string> out;
  out.reserve(words.size());
  for (const auto& word : words) out.push_back(filled(word, settings));
  return out;
}

/// A file of JSON lines, read from its end before the program began: earlier lines belong to other programs.
struct JsonLines {
  std::string path;
  std::uintmax_t from = 0;
};

JsonLines json_lines(const std::string& path) {
  std::error_code absent;
  const auto size = std::filesystem::file_size(path, absent);
  return {path, absent ? 0 : size};
}

/// What the program printed, and what it wrote in JSON lines.
ProgramOutput read_log(const Order& order, const std::string& log, const std::vector<JsonLines>& json_files) {
  ProgramOutput output(order.metrics);
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) output.read(line);
  for (const auto& [path, from] : json_files) {
    std::ifstream lines(path);
    // One that is shorter than before was written anew.
    if (json_lines(path).from >= from) lines.seekg(static_cast<std::streamoff>(from));
    for (std::string line; std::getline(lines, line);) output.read_json(line);
  }
  return output;
}

SampleFiles read_samples(const std::string& folder) {
  const auto table = [&](const char* name) {
    return SampleTable(os::read_file(fmt::format("{}/{}_metrics.csv", folder, name)).value_or(""));
  };
  return {table("gpu"), table("cpu"), table("ram"), table("process")};
}

/// The two lines of a container's start that failed, as templates/container_start.bash says them; what the engine had
/// said before them, too.
struct ContainerTrouble {
  std::string what, advice;
  std::vector<std::string> before;
};

std::optional<ContainerTrouble> container_trouble(const std::string& log) {
  constexpr std::string_view error = "rv: error: ", option = "--container", hint = "hint: ";
  constexpr std::size_t most_before = 10;
  std::ifstream file(log);
  ContainerTrouble out;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(error) && line.compare(error.size(), option.size(), option) == 0) {
      out.what = line.substr(error.size());
      if (std::getline(file, line) && line.starts_with(hint)) out.advice = line.substr(hint.size());
      return out;
    }
    if (out.before.size() == most_before) out.before.erase(out.before.begin());
    out.before.push_back(line);
  }
  return std::nullopt;
}

class Driver {
 public:
  Driver(const ReportFolder& folder, std::string sampler, const std::function<void(const std::string&)>& say)
      : folder_(folder), sampler_(std::move(sampler)), say_(say), order_(folder.order()) {}

  DriveEnd run(bool one_point) {
    os::adopt_orphans();
    machine_ = look_at_machine(sampler_);
    if (order_.gpu && machine_.gpus.empty()) {
      throw Error(fmt::format("no GPU was found on {} ({})", machine_.node, machine_.why_none),
                  "to sweep without GPUs, add --device cpu", ExitCode::usage);
    }
    bool ran_one = false;
    for (;;) {
      std::vector<Ended> ended;
      for (const auto& result : folder_.results()) ended.push_back({result.point, result.end.kind});
      const auto next = next_point(order_, ended);
      if (!next.point) {
        folder_.write_together(next.reason);
        return {false, next.reason};
      }
      if (ran_one && one_point) return {false, ""};
      if (ran_one && !cool_down(order_.cooldown_s)) return {true, ""};
      ran_one = true;
      if (!run_point(*next.point, next.reason)) return {true, ""};
      folder_.write_together("");
    }
  }

 private:
  /// False when it was interrupted.
  bool run_point(const Point& point, const std::string& reason) {
    const int attempt = folder_.attempts(order_, point) + 1;
    if (attempt > most_attempts) {
      give_up(point);
      return true;
    }
    folder_.begin_point(order_, point, attempt);
    say_(fmt::format("{}{}{}", to_text(point, order_.axes), reason.empty() ? "" : ", " + reason,
                     attempt > 1 ? ", which was cut off before" : ""));
    PointResult result;
    result.point = point;
    result.folder = folder_name(point, order_.axes);
    result.command = filled_words(order_.command, point.settings);
    result.host = machine_.node;
    if (order_.gpu) result.gpus = machine_.gpus;
    if (order_.gpu) result.driver = machine_.driver;
    const auto place = std::filesystem::absolute(folder_.file(result.folder)).string();
    std::vector<JsonLines> json_files = {{place + "/metrics.jsonl", 0}};
    if (!order_.metrics_file.empty()) {
      json_files.push_back(
          json_lines(std::filesystem::path(order_.folder) / filled(order_.metrics_file, point.settings)));
    }
    SamplerProcess sampler(sampler_, place, order_.every_s, order_.gpu);
    result.began = now();
    const auto began = Clock::now();
    PointProcessEnd end;
    try {
      end = run_point_process(process_of(result, place, sampler.pid()));
    } catch (...) {
      folder_.forget_attempt(order_, point);
      throw;
    }
    result.wall_s = std::chrono::duration<double>(Clock::now() - began).count();
    const auto trouble = sampler.stop();
    if (end.interrupted || (!end.timed_out && interrupt_follows(end.exit_code))) {
      folder_.forget_attempt(order_, point);
      return false;
    }
    if (end.exit_code == no_container) check_container(point, place + "/training.log");
    write_result(result, end, place, trouble, read_log(order_, place + "/training.log", json_files));
    return true;
  }

  /// Without its image no point would run, and none has: the same command begins with this one again.
  void check_container(const Point& point, const std::string& log) {
    const auto container = container_trouble(log);
    if (!container) return;
    folder_.forget_attempt(order_, point);
    for (const auto& line : container->before) fmt::print(stderr, "{}\n", one_line(line));  // the engine's own
    throw Error(container->what, container->advice);
  }

  PointProcess process_of(const PointResult& result, const std::string& place, pid_t sampler) const {
    PointProcess process{.argv = result.command,
                         .environment = all_variables(),
                         .folder = order_.folder,
                         .log = place + "/training.log",
                         .timeout = std::nullopt};
    if (order_.timeout_s) process.timeout = std::chrono::duration<double>(*order_.timeout_s);
    process.spared = sampler;
    for (const auto& [variable_name, value] :
         {std::pair{"RV_SWEEP_FOLDER", place}, {"RV_SWEEP_METRICS", place + "/metrics.jsonl"}}) {
      const std::string name = variable_name;
      std::erase_if(process.environment, [&](const auto& one) { return one.starts_with(std::string(name) + "="); });
      process.environment.push_back(fmt::format("{}={}", name, value));
    }
    // The run's folder of checkpoints is one for all points: none begins where another has stopped.
    std::erase_if(process.environment, [](const auto& one) { return one.starts_with("RV_CHECKPOINT_DIR="); });
    return process;
  }

  void write_result(PointResult& result, const PointProcessEnd& end, const std::string& place,
                    const std::string& trouble, const ProgramOutput& output) {
    const auto files = read_samples(place);
    result.metrics = output.metrics();
    result.samples = summarize(files, os::read_file(place + "/events.jsonl").value_or(""));
    if (!trouble.empty()) result.samples.missing.push_back({"sampler", result.began, std::nullopt, trouble});
    result.end = ending({.exit_code = end.exit_code,
                         .timed_out = end.timed_out,
                         .oom_kills = oom_kills(files.ram),
                         .memory = output.memory(),
                         .went_on_after_message = output.went_on_after_message(),
                         .out_of_memory_codes = order_.out_of_memory_codes});
    if (end.left_behind > 0) {
      result.end.evidence += fmt::format("; {} of its processes outlived it and were ended", end.left_behind);
    }
    folder_.write(result);
    say_(fmt::format("{}: {}, {}", to_text(result.point, order_.axes), to_string(result.end.kind),
                     outcome_text(result)));
  }

  std::string outcome_text(const PointResult& result) const {
    const auto metric = result.metrics.find(order_.throughput);
    const auto seconds = fmt::format("{:.1f} s", result.wall_s);
    if (result.end.kind != EndKind::done) return fmt::format("{}: {}", seconds, result.end.evidence);
    return metric == result.metrics.end()
               ? fmt::format("{}; it did not report {}", seconds, order_.throughput)
               : fmt::format("{}, {} {}", seconds, order_.throughput, number_text(metric->second.typical()));
  }

  void give_up(const Point& point) {
    PointResult result;
    result.point = point;
    result.folder = folder_name(point, order_.axes);
    result.command = filled_words(order_.command, point.settings);
    result.host = machine_.node;
    result.began = now();
    result.end = {EndKind::killed, std::nullopt,
                  fmt::format("the sweep was interrupted {} times during this point", most_attempts)};
    folder_.write(result);
    say_(fmt::format("{}: {}", to_text(point, order_.axes), result.end.evidence));
  }

  const ReportFolder& folder_;
  std::string sampler_;
  const std::function<void(const std::string&)>& say_;
  Order order_;
  ThisMachine machine_;
};

}  // namespace

DriveEnd drive(const ReportFolder& folder, const std::string& sampler,
               const std::function<void(const std::string&)>& say, bool one_point) {
  const auto lock = os::FileLock::try_take(folder.lock_file(), os::WithoutLocks::go_on);
  if (!lock) {
    throw Error(fmt::format("{}: another rv is running this sweep", folder.path()),
                "wait until it is done, or end it; or name another --report-dir");
  }
  os::catch_interrupts();
  os::catch_hangup();
  return Driver(folder, sampler, say).run(one_point);
}

}  // namespace rv::sweep
