#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "cli/report/gpu_curves.h"
#include "cli/report/parts.h"
#include "reports/pages/html.h"
#include "reports/pages/live_chart.h"
#include "reports/pages/time_heat.h"
#include "shared/median.h"

namespace rv::cli {
namespace {

/// More lines than this can't be distinguished.
constexpr std::size_t most_lines = 8;

std::string name_of(const GpuKey& place) {
  return fmt::format("{} gpu {}", place.first, place.second);
}

/// One line per GPU; if there are few readings, each is drawn as a point.
std::vector<pages::Line> lines_of(const RunStory& story, slurm::TimePoint began, GpuFigure figure, double scale,
                                  const GpuCurves& curves) {
  std::vector<pages::Line> lines;
  for (const auto& gpu : curves.gpus) lines.push_back({.name = name_of(gpu)});
  if (story.gpus.size() <= 60) {
    for (const auto& look : story.gpus) {
      for (const auto& gpu : look.readings.gpus) {
        const auto& value = gpu.*figure;
        if (!value) continue;
        const auto at = std::lower_bound(curves.gpus.begin(), curves.gpus.end(), GpuKey{gpu.node, gpu.index});
        const auto seconds = std::max(0.0, static_cast<double>((look.time - began).count()));
        lines[static_cast<std::size_t>(at - curves.gpus.begin())].points.emplace_back(seconds, *value / scale);
      }
    }
    return lines;
  }
  for (std::size_t row = 0; row < curves.rows.size(); ++row) {
    for (std::size_t column = 0; column < curves.rows[row].size(); ++column) {
      const auto& value = curves.rows[row][column];
      if (value) lines[row].points.emplace_back(curves.time_of(column), *value / scale);
    }
  }
  return lines;
}

/// For many GPUs: the minimum, the median and the maximum at each time.
std::vector<pages::Line> range_of(const GpuCurves& curves, double scale) {
  std::vector<pages::Line> lines{{.name = "most"}, {.name = "median"}, {.name = "least"}};
  for (std::size_t column = 0; column < curves.rows.front().size(); ++column) {
    std::vector<double> values;
    for (const auto& row : curves.rows) {
      if (row[column]) values.push_back(*row[column] / scale);
    }
    if (values.empty()) continue;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double x = curves.time_of(column);
    lines[0].points.emplace_back(x, *most);
    lines[1].points.emplace_back(x, median(values));
    lines[2].points.emplace_back(x, *least);
  }
  return lines;
}

std::string chart_html(const char* title, const char* unit, const RunStory& story, slurm::TimePoint began,
                       GpuFigure figure, double scale) {
  const auto curves = gpu_curves(story.gpus, began, figure);
  pages::LineChart chart{.x_name = "seconds", .unit = unit, .dots = story.gpus.size() <= 60};
  chart.lines =
      curves.gpus.size() <= most_lines ? lines_of(story, began, figure, scale, curves) : range_of(curves, scale);
  const bool any = std::any_of(chart.lines.begin(), chart.lines.end(), [](const auto& l) { return !l.points.empty(); });
  return any ? fmt::format("<h3>{}</h3>\n{}", title, live_chart(chart)) : "";
}

/// Many GPUs, a row for each.
std::string heat_html(const GpuCurves& busy) {
  if (busy.gpus.size() <= most_lines) return "";
  pages::TimeHeat heat;
  heat.seconds = busy.seconds;
  for (const auto& [node, index] : busy.gpus) heat.names.push_back(fmt::format("{}:{}", node, index));
  heat.rows = busy.rows;
  return pages::folded("busy, a row a GPU: dark is busy", pages::scrolling(time_heat_svg(heat)));
}

std::optional<double> mean_of(const std::vector<std::optional<double>>& row) {
  double sum = 0;
  int known = 0;
  for (const auto& value : row) {
    if (!value) continue;
    sum += *value;
    ++known;
  }
  return known == 0 ? std::nullopt : std::optional(sum / known);
}

/// Averages of one GPU over the whole time.
struct Whole {
  GpuKey gpu;
  std::optional<double> busy, memory_gib, power, hottest;
};

std::optional<double> most_of(const std::vector<std::optional<double>>& row) {
  std::optional<double> most;
  for (const auto& value : row) {
    if (value) most = std::max(most.value_or(*value), *value);
  }
  return most;
}

std::string table_html(const std::vector<Whole>& gpus, std::size_t begin, std::size_t end) {
  std::string out =
      "<div class=\"scroll\"><table class=\"gpus\">\n<tr><th>GPU</th><th class=\"n\">busy %</th>"
      "<th class=\"n\">most memory GiB</th><th class=\"n\">W</th><th class=\"n\">hottest °C</th></tr>\n";
  const auto cell = [](const std::optional<double>& value, int digits) {
    return value ? fmt::format("<td class=\"n\">{:.{}f}</td>", *value, digits) : "<td class=\"n\">—</td>";
  };
  for (auto i = begin; i < end; ++i) {
    const auto& one = gpus[i];
    out += fmt::format("<tr><td>{}</td>{}{}{}{}</tr>\n", pages::escape_html(name_of(one.gpu)), cell(one.busy, 0),
                       cell(one.memory_gib, 1), cell(one.power, 0), cell(one.hottest, 0));
  }
  return out + "</table></div>\n";
}

/// The idlest GPUs come first. If there are many, the others are folded.
std::string wholes_html(const RunStory& story, slurm::TimePoint began, const GpuCurves& busy) {
  const auto memory = gpu_curves(story.gpus, began, &GpuReading::memory_used);
  const auto power = gpu_curves(story.gpus, began, &GpuReading::power);
  const auto heat = gpu_curves(story.gpus, began, &GpuReading::temperature);
  std::vector<Whole> gpus;
  for (std::size_t i = 0; i < busy.gpus.size(); ++i) {
    auto gib = most_of(memory.rows[i]);
    if (gib) *gib /= 1024;
    gpus.push_back({busy.gpus[i], mean_of(busy.rows[i]), gib, mean_of(power.rows[i]), most_of(heat.rows[i])});
  }
  if (gpus.size() <= most_lines) return table_html(gpus, 0, gpus.size());
  std::stable_sort(gpus.begin(), gpus.end(),
                   [](const auto& a, const auto& b) { return a.busy.value_or(-1) < b.busy.value_or(-1); });
  return "<h3>The idlest</h3>\n" + table_html(gpus, 0, most_lines) +
         pages::folded("the other " + counted(static_cast<long long>(gpus.size() - most_lines), "GPU"),
                       table_html(gpus, most_lines, gpus.size()));
}

}  // namespace

std::string gpus_html(const RunStory& story) {
  if (story.gpus.empty()) {
    if (!story.view.started) return "";
    return "<p class=\"dim\">There are no GPU readings: nvidia-smi did not answer, the setting gpu_curves is off, or "
           "the run measures the GPUs itself.</p>\n";
  }
  const auto began = story.view.started.value_or(story.gpus.front().time);
  const auto busy = gpu_curves(story.gpus, began, &GpuReading::utilisation);
  const auto samples = counted(static_cast<long long>(most_samples(story.gpus)), "sample");
  return fmt::format("<p class=\"dim\">{} per GPU. Values between samples are not known.</p>\n", samples) +
         wholes_html(story, began, busy) + chart_html("Busy", "%", story, began, &GpuReading::utilisation, 1) +
         heat_html(busy) + chart_html("Memory", "GiB", story, began, &GpuReading::memory_used, 1024) +
         chart_html("Power", "W", story, began, &GpuReading::power, 1) +
         chart_html("Temperature", "°C", story, began, &GpuReading::temperature, 1) +
         chart_html("SM clock", "MHz", story, began, &GpuReading::clock, 1);
}

}  // namespace rv::cli
