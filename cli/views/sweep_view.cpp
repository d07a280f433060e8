#include "cli/views/sweep_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/table.h"

namespace rv::cli {
namespace {

using sweep::number_text;

std::string cell(const std::optional<double>& value) {
  return value ? number_text(*value) : "-";
}

std::string answers_text(const std::vector<sweep::Answer>& answers, int width) {
  std::string out;
  for (const auto& one : answers) {
    out += wrapped(fmt::format("{}: {} ({})", one.question, one.answer, one.evidence), width, 2) + "\n";
  }
  return out;
}

int text_width(const os::Terminal& terminal) {
  return terminal.out ? terminal.width : 120;
}

std::string title_of(const sweep::Order& order) {
  return order.throughput == sweep::steps_per_s ? "steps/s" : order.throughput;
}

}  // namespace

std::string sweep_text(const sweep::Sweep& sweep, const std::string& search, const os::Terminal& terminal) {
  const auto& order = sweep.order;
  const auto curves = sweep::curves_of(order, sweep.results);
  Table table;
  table.column("point");
  for (const auto& title : {title_of(order), std::string("VRAM MiB"), std::string("GPU %"), std::string("CPU %"),
                            std::string("RAM MiB"), std::string("seconds")}) {
    table.column(title, Table::Align::right);
  }
  table.column("region");
  table.column("end");
  for (const auto& result : sweep.results) {
    const auto metric = result.metrics.find(order.throughput);
    std::string region;
    for (const auto& curve : curves) {
      for (const auto& point : curve.points) {
        const bool mine = std::find(point.runs.begin(), point.runs.end(), &result) != point.runs.end();
        if (mine && point.region) region = to_string(*point.region);
      }
    }
    const auto& samples = result.samples;
    table.row({sweep::to_text(result.point, order.axes),
               cell(metric == result.metrics.end() ? std::nullopt : std::optional(metric->second.typical())),
               cell(samples["peak_vram_mib"]), cell(samples["peak_gpu_util"]), cell(samples["peak_cpu_util"]),
               cell(samples["peak_ram_mib"]), fmt::format("{:.1f}", result.wall_s), region,
               std::string(to_string(result.end.kind))});
  }
  auto out = table.text(terminal.table_width(), terminal.colour);
  if (!search.empty()) out += "\n" + search + "\n";
  for (const auto& curve : curves) {
    out += curve.label.empty() ? "\n" : fmt::format("\n{}:\n", curve.label);
    out += answers_text(answer(order, curve, machine_of(sweep.results), {}), text_width(terminal));
  }
  return out;
}

std::string comparison_text(const sweep::Comparison& comparison, const sweep::Order& order,
                            const os::Terminal& terminal) {
  std::string out;
  for (const auto& curve : comparison.curves) {
    if (!curve.first.label.empty()) out += fmt::format("{}:\n", curve.first.label);
    Table table;
    table.column(order.axes.front().name, Table::Align::right);
    table.column(comparison.first, Table::Align::right);
    table.column(comparison.second, Table::Align::right);
    table.column("ratio", Table::Align::right);
    for (const auto& point : curve.points) {
      const auto side = [](const sweep::CurvePoint* one) {
        if (one == nullptr) return std::string("not run");
        return one->throughput ? number_text(*one->throughput)
                               : std::string(one->out_of_memory != nullptr ? "out of memory" : "not reported");
      };
      const bool both = point.first != nullptr && point.second != nullptr && point.first->throughput &&
                        point.second->throughput && *point.second->throughput > 0;
      table.row({number_text(static_cast<double>(point.x)), side(point.first), side(point.second),
                 both ? fmt::format("{:.2f}", *point.first->throughput / *point.second->throughput) : "-"});
    }
    out +=
        table.text(terminal.table_width(), terminal.colour) + "\n" + answers_text(curve.answers, text_width(terminal));
  }
  return out;
}

}  // namespace rv::cli
