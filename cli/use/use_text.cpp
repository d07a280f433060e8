#include "cli/use/use_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/walltime.h"

namespace rv::cli {
namespace {

using nlohmann::ordered_json;
using std::chrono::seconds;

constexpr std::size_t most_lines = 20;
constexpr int enough_samples = 10;  // to call a GPU idle for the whole time

std::string gib(double mebibytes) {
  const double amount = mebibytes / 1024;
  return amount < 10 ? fmt::format("{:.1f}", amount) : fmt::format("{:.0f}", amount);
}

std::string memory_text(const AttemptUse& attempt) {
  if (!attempt.peak_memory) return "memory unknown";
  const auto peak = gib(static_cast<double>(attempt.peak_memory->count));
  return fmt::format("{}{} GiB memory{}", peak,
                     attempt.memory ? " of " + gib(static_cast<double>(attempt.memory->count)) : "",
                     attempt.job.nodes > 1 ? " a node" : "");
}

std::string cpus_text(const AttemptUse& attempt) {
  if (!attempt.cpus) return "CPU time unknown";
  return fmt::format("{:.1f} of {}", *attempt.cpus, counted(attempt.job.cpus, "CPU"));
}

std::string time_text(const slurm::JobUse& job) {
  const auto took = format_duration(job.end - job.start);
  return job.limit ? took + " of " + format_duration(*job.limit) : took;
}

std::string gpus_text(const std::vector<GpuUse>& gpus) {
  double busy = 0;
  int known = 0, idle = 0;
  std::optional<double> peak, memory;
  for (const auto& gpu : gpus) {
    if (gpu.busy) {
      busy += *gpu.busy;
      ++known;
      if (gpu.most_busy == 0.0 && gpu.samples >= enough_samples) ++idle;
    }
    if (gpu.peak_memory && gpu.peak_memory >= peak) {
      peak = gpu.peak_memory;
      memory = gpu.memory;
    }
  }
  if (known == 0 && !peak) return "";
  const std::string noun = gpus.size() == 1 ? "GPU" : "GPUs";
  auto text = known > 0 ? fmt::format(", {} {:.0f}% busy", noun, busy / known) : ", " + noun;
  if (peak) text += fmt::format(" with at most {}{} GiB", gib(*peak), memory ? " of " + gib(*memory) : "");
  if (idle > 0 && gpus.size() > 1) text += fmt::format(", {} of {} never busy", idle, gpus.size());
  return text;
}

template <typename Value>
ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json amount(const std::optional<Mebibytes>& memory) {
  return memory ? ordered_json(memory->count) : ordered_json();
}

ordered_json gpu_json(const GpuUse& gpu) {
  return {{"node", gpu.node},
          {"index", gpu.index},
          {"samples", gpu.samples},
          {"busy_percent", or_null(gpu.busy)},
          {"most_busy_percent", or_null(gpu.most_busy)},
          {"peak_memory_mb", or_null(gpu.peak_memory)},
          {"memory_mb", or_null(gpu.memory)}};
}

ordered_json attempt_json(const AttemptUse& attempt) {
  const auto& job = attempt.job;
  ordered_json json = {{"job_id", job.id.number},
                       {"job", job.shown},
                       {"element", or_null(attempt.element)},
                       {"restart", attempt.restart},
                       {"state", job.state},
                       {"started", job.start.time_since_epoch().count()},
                       {"ended", job.end.time_since_epoch().count()},
                       {"elapsed_s", (job.end - job.start).count()},
                       {"time_limit_s", job.limit ? ordered_json(job.limit->count()) : ordered_json()},
                       {"nodes", job.nodes},
                       {"cpus", job.cpus},
                       {"cpu_s", or_null(job.cpu_seconds)},
                       {"memory_per_node_mb", amount(attempt.memory)},
                       {"peak_memory_per_node_mb", amount(attempt.peak_memory)}};
  json["gpus"] = ordered_json::array();
  for (const auto& gpu : attempt.gpus) json["gpus"].push_back(gpu_json(gpu));
  return json;
}

}  // namespace

std::string use_text(const AttemptUse& attempt) {
  return fmt::format("{}, {}, {}{}", memory_text(attempt), cpus_text(attempt), time_text(attempt.job),
                     gpus_text(attempt.gpus));
}

std::string attempt_name(const AttemptUse& attempt) {
  return fmt::format("job {}{}", one_line(attempt.job.shown),
                     attempt.restart > 0 ? fmt::format(", restart {}", attempt.restart) : "");
}

std::string enough_text(const Enough& enough) {
  const auto& wait = enough.wait;
  std::string text = fmt::format("{} would have been enough", fmt::join(enough.options(), " "));
  if (!wait) return text;
  const auto minutes_of = [](seconds span) {
    return span < std::chrono::minutes(1) ? std::string("less than a minute")
                                          : format_duration(std::chrono::round<std::chrono::minutes>(span));
  };
  const auto less = minutes_of(wait->enough), asked = minutes_of(wait->asked);
  if (wait->enough >= wait->asked || less == asked) return text + "; the predicted wait was no shorter with it";
  return text + fmt::format("; the predicted wait was {} with it, {} as asked", less, asked);
}

const AttemptUse& largest(const std::vector<AttemptUse>& attempts) {
  const auto* most = &attempts.back();
  for (const auto& attempt : attempts) {
    if (attempt.peak_memory && (!most->peak_memory || *attempt.peak_memory > *most->peak_memory)) most = &attempt;
  }
  return *most;
}

std::vector<std::pair<std::string, std::string>> use_lines(const RunUse& use, const std::optional<Enough>& enough) {
  if (!use.trouble.empty()) return {{"usage", "unknown: " + one_line(use.trouble)}};
  std::vector<std::pair<std::string, std::string>> lines;
  const bool single = use.attempts.size() == 1;
  for (const auto& attempt : use.attempts) {
    if (lines.size() == most_lines) break;
    lines.emplace_back("usage", single ? use_text(attempt) : attempt_name(attempt) + ": " + use_text(attempt));
  }
  if (use.attempts.size() > most_lines) {
    lines.emplace_back("usage", fmt::format("{} more jobs: --json", use.attempts.size() - most_lines));
  }
  if (enough) lines.emplace_back("enough", enough_text(*enough));
  return lines;
}

ordered_json use_json(const RunUse& use, const std::optional<Enough>& enough) {
  ordered_json json = {{"attempts", ordered_json::array()}};
  for (const auto& attempt : use.attempts) json["attempts"].push_back(attempt_json(attempt));
  json["enough"] = ordered_json();
  if (enough) {
    const auto& wait = enough->wait;
    json["enough"] = {
        {"memory_per_node_mb", amount(enough->memory)},
        {"time_limit_s", enough->time ? ordered_json(enough->time->count()) : ordered_json()},
        {"options", enough->options()},
        {"wait", wait ? ordered_json{{"enough_p50_s", wait->enough.count()}, {"asked_p50_s", wait->asked.count()}}
                      : ordered_json()}};
  }
  json["trouble"] = use.trouble;
  return json;
}

}  // namespace rv::cli
