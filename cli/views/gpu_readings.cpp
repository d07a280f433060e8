#include "cli/views/gpu_readings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/table.h"
#include "base/text.h"
#include "cli/views/run_table.h"

namespace rv::cli {
namespace {

constexpr std::size_t columns = 8;

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

std::optional<double> number(std::string_view cell) {
  double value = 0;
  const auto [end, fault] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (fault != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return value;
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
    const auto index = cells.size() == columns ? number(cells[0]) : std::nullopt;
    if (!index) continue;
    readings.gpus.push_back({.node = node,
                             .index = static_cast<int>(*index),
                             .model = one_line(cells[1]),
                             .utilisation = number(cells[2]),
                             .memory_used = number(cells[3]),
                             .memory_total = number(cells[4]),
                             .power = number(cells[5]),
                             .power_limit = number(cells[6]),
                             .temperature = number(cells[7])});
  }
  std::sort(readings.gpus.begin(), readings.gpus.end(),
            [](const auto& a, const auto& b) { return std::tie(a.node, a.index) < std::tie(b.node, b.index); });
  std::sort(readings.troubles.begin(), readings.troubles.end());
  return readings;
}

monitor::GpuLook gpu_look(const GpuReadings& readings, planner::TimePoint now) {
  monitor::GpuLook look{.time = now, .busiest = {}, .all_known = readings.troubles.empty() && !readings.gpus.empty()};
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
  return table.text(terminal.width, terminal.colour);
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
                    {"temperature_c", or_null(gpu.temperature)}});
  }
  return {{"gpus", gpus}, {"troubles", readings.troubles}};
}

}  // namespace rv::cli
