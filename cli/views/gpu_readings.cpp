#include "cli/views/gpu_readings.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/documents/json_members.h"
#include "base/documents/parse_document.h"
#include "base/table.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "cli/views/run_table.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "shared/number.h"

namespace rv::cli {
namespace {

// The fields that this rv queries; an older rv in a job queried fewer.
constexpr std::size_t columns = 10, least_columns = 8;

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

std::string shown(const std::optional<double>& value, std::string_view unit) {
  return value ? fmt::format("{:.0f} {}", *value, unit) : "?";
}

std::string share(const std::optional<double>& part, const std::optional<double>& whole, double scale, int digits,
                  std::string_view unit) {
  if (!part) return "?";
  if (!whole) return fmt::format("{:.{}f} {}", *part / scale, digits, unit);
  return fmt::format("{:.{}f} of {:.{}f} {}", *part / scale, digits, *whole / scale, digits, unit);
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

}  // namespace

GpuReadings parse_gpu_readings(std::string_view text) {
  GpuReadings readings;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos || bar == 0) continue;
    const std::string node(line.substr(0, bar));
    const std::string_view rest = line.substr(bar + 1);
    if (rest.starts_with("-|")) {
      readings.troubles.push_back(node + ": " + one_line(rest.substr(2)));
      continue;
    }
    const auto cells = cells_of(rest);
    const bool whole = cells.size() >= least_columns && cells.size() <= columns;
    const auto index = whole ? number_in<double>(cells[0]) : std::nullopt;
    if (!index) continue;
    readings.gpus.push_back({.node = node,
                             .index = static_cast<int>(*index),
                             .model = one_line(cells[1]),
                             .utilisation = number_in<double>(cells[2]),
                             .memory_used = number_in<double>(cells[3]),
                             .memory_total = number_in<double>(cells[4]),
                             .power = number_in<double>(cells[5]),
                             .power_limit = number_in<double>(cells[6]),
                             .temperature = number_in<double>(cells[7]),
                             .driver = cells.size() > 8 && !cells[8].starts_with("[") ? one_line(cells[8]) : "",
                             .clock = cells.size() > 9 ? number_in<double>(cells[9]) : std::nullopt});
  }
  std::sort(readings.gpus.begin(), readings.gpus.end(),
            [](const auto& a, const auto& b) { return std::tie(a.node, a.index) < std::tie(b.node, b.index); });
  std::sort(readings.troubles.begin(), readings.troubles.end());
  return readings;
}

monitor::GpuSample gpu_look(const GpuReadings& readings, planner::TimePoint now) {
  monitor::GpuSample look{.time = now, .busiest = {}, .all_known = readings.troubles.empty() && !readings.gpus.empty()};
  for (const auto& gpu : readings.gpus) {
    if (!gpu.utilisation) {
      look.all_known = false;
    } else {
      look.busiest = std::max(look.busiest.value_or(0), *gpu.utilisation);
    }
  }
  return look;
}

std::string gpu_table(const GpuReadings& readings, const os::Terminal& terminal) {
  Table table;
  table.column("NODE");
  table.column("GPU", Table::Align::right);
  table.column("MODEL");
  for (const char* title : {"BUSY", "MEMORY", "POWER", "TEMP"}) table.column(title, Table::Align::right);
  for (const auto& gpu : readings.gpus) {
    table.row({gpu.node, std::to_string(gpu.index), gpu.model, shown(gpu.utilisation, "%"),
               share(gpu.memory_used, gpu.memory_total, 1024, 1, "GiB"), share(gpu.power, gpu.power_limit, 1, 0, "W"),
               shown(gpu.temperature, "°C")});
  }
  return table.text(terminal.table_width(), terminal.colour);
}

nlohmann::ordered_json gpu_readings_json(const GpuReadings& readings) {
  nlohmann::ordered_json gpus = nlohmann::ordered_json::array();
  for (const auto& gpu : readings.gpus) {
    gpus.push_back({{"node", gpu.node},
                    {"index", gpu.index},
                    {"model", gpu.model},
                    {"utilisation_percent", or_null(gpu.utilisation)},
                    {"memory_used_mib", or_null(gpu.memory_used)},
                    {"memory_total_mib", or_null(gpu.memory_total)},
                    {"power_w", or_null(gpu.power)},
                    {"power_limit_w", or_null(gpu.power_limit)},
                    {"temperature_c", or_null(gpu.temperature)},
                    {"driver", gpu.driver.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(gpu.driver)},
                    {"clock_sm_mhz", or_null(gpu.clock)}});
  }
  return {{"gpus", gpus}, {"troubles", readings.troubles}};
}

std::string kept_line(const GpuReadings& readings, planner::TimePoint now) {
  auto json = gpu_readings_json(readings);
  json["time"] = now.time_since_epoch().count();
  return json_dump(json) + "\n";
}

std::vector<KeptReadings> parse_kept_readings(std::string_view text) {
  std::vector<KeptReadings> all;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto json = parse_json_or_discard<nlohmann::json>(line);
    if (!json.is_object()) continue;
    try {
      KeptReadings kept{.time = planner::TimePoint(std::chrono::seconds(integer_at<std::int64_t>(json, "time"))),
                        .readings = {}};
      for (const auto& gpu : json.at("gpus")) {
        kept.readings.gpus.push_back({.node = gpu.at("node").get<std::string>(),
                                      .index = integer_at<int>(gpu, "index"),
                                      .model = gpu.at("model").get<std::string>(),
                                      .utilisation = member_number(gpu, "utilisation_percent"),
                                      .memory_used = member_number(gpu, "memory_used_mib"),
                                      .memory_total = member_number(gpu, "memory_total_mib"),
                                      .power = member_number(gpu, "power_w"),
                                      .power_limit = member_number(gpu, "power_limit_w"),
                                      .temperature = member_number(gpu, "temperature_c"),
                                      .driver = member_text(gpu, "driver"),
                                      .clock = member_number(gpu, "clock_sm_mhz")});
      }
      all.push_back(std::move(kept));
    } catch (const nlohmann::json::exception&) {
      continue;  // a line of another rv, or damaged
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  return all;
}

std::vector<KeptReadings> parse_job_readings(std::string_view text) {
  std::vector<KeptReadings> all;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t bar = line.find('|');
    const auto time = bar == std::string_view::npos ? std::nullopt : number_in<double>(line.substr(0, bar));
    if (!time || *time < 0 || *time > 1e11) continue;
    auto readings = parse_gpu_readings(line.substr(bar + 1));
    if (readings.gpus.empty()) continue;
    const planner::TimePoint at{std::chrono::seconds(static_cast<std::int64_t>(*time))};
    if (all.empty() || all.back().time != at) all.push_back({.time = at, .readings = {}});
    auto& gpus = all.back().readings.gpus;
    gpus.insert(gpus.end(), readings.gpus.begin(), readings.gpus.end());
  }
  return all;
}

bool worth_keeping(const std::vector<KeptReadings>& kept, planner::TimePoint now) {
  if (kept.empty()) return true;
  const auto looked = std::chrono::seconds(now - kept.front().time);
  return now - kept.back().time >= std::max(std::chrono::seconds(10), looked / 1000);
}

}  // namespace rv::cli
