#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "cli/report/parts.h"
#include "pages/html.h"
#include "pages/live_chart.h"
#include "pages/time_heat.h"

namespace rv::cli {
namespace {

/// More lines than these nobody tells apart.
constexpr std::size_t most_lines = 8;

using Figure = std::optional<double> GpuReading::*;
using Place = std::pair<std::string, int>;

std::vector<Place> places_of(const std::vector<KeptReadings>& kept) {
  std::vector<Place> places;
  for (const auto& look : kept) {
    for (const auto& gpu : look.readings.gpus) places.emplace_back(gpu.node, gpu.index);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

double seconds_after(slurm::TimePoint began, slurm::TimePoint time) {
  return std::max(0.0, static_cast<double>((time - began).count()));
}

/// A line a GPU; of many the least and the most at each look.
std::string chart_html(const char* title, const char* unit, const RunStory& story, slurm::TimePoint began,
                       Figure figure, double scale) {
  const auto places = places_of(story.gpus);
  const bool each = places.size() <= most_lines;
  std::map<Place, std::size_t> number;
  pages::LineChart chart{.x_name = "seconds", .unit = unit, .dots = story.gpus.size() <= 60};
  if (each) {
    for (const auto& place : places) {
      number[place] = chart.lines.size();
      chart.lines.push_back({.name = fmt::format("{} gpu {}", place.first, place.second)});
    }
  } else {
    chart.lines = {{.name = "least"}, {.name = "most"}};
  }
  bool any = false;
  for (const auto& look : story.gpus) {
    const double x = seconds_after(began, look.time);
    std::optional<double> least, most;
    for (const auto& gpu : look.readings.gpus) {
      const auto& value = gpu.*figure;
      if (!value) continue;
      any = true;
      if (each) chart.lines[number[{gpu.node, gpu.index}]].points.emplace_back(x, *value / scale);
      least = std::min(least.value_or(*value), *value);
      most = std::max(most.value_or(*value), *value);
    }
    if (each || !least) continue;
    chart.lines[0].points.emplace_back(x, *least / scale);
    chart.lines[1].points.emplace_back(x, *most / scale);
  }
  return any ? fmt::format("<h3>{}</h3>\n{}", title, live_chart(chart)) : "";
}

/// Many GPUs, a row for each. A look is a step: they are not evenly apart.
std::string heat_html(const RunStory& story, slurm::TimePoint began) {
  const auto places = places_of(story.gpus);
  if (places.size() <= most_lines) return "";
  pages::TimeHeat heat;
  heat.seconds = seconds_after(began, story.gpus.back().time);
  for (const auto& [node, index] : places) heat.names.push_back(fmt::format("{}:{}", node, index));
  heat.rows.resize(places.size());
  for (const auto& look : story.gpus) {
    for (auto& row : heat.rows) row.emplace_back();
    for (const auto& gpu : look.readings.gpus) {
      const auto at = std::lower_bound(places.begin(), places.end(), Place{gpu.node, gpu.index});
      heat.rows[static_cast<std::size_t>(at - places.begin())].back() = gpu.utilisation;
    }
  }
  return "<h3>Busy, a row a GPU, look after look: dark is busy</h3>\n" + pages::scrolling(time_heat_svg(heat));
}

}  // namespace

std::string gpus_html(const RunStory& story) {
  if (story.gpus.empty()) {
    if (!story.view.started) return "";
    return "<p class=\"dim\">No figures were kept: rv gpu and rv top keep what they see while the run is under "
           "way.</p>\n";
  }
  const auto began = story.view.started.value_or(story.gpus.front().time);
  const auto looks = counted(static_cast<long long>(story.gpus.size()), "look");
  return fmt::format("<p class=\"dim\">{} of rv gpu and rv top; between them nothing is known.</p>\n", looks) +
         chart_html("Busy", "%", story, began, &GpuReading::utilisation, 1) + heat_html(story, began) +
         chart_html("Memory", "GiB", story, began, &GpuReading::memory_used, 1024) +
         chart_html("Power", "W", story, began, &GpuReading::power, 1) +
         chart_html("Temperature", "°C", story, began, &GpuReading::temperature, 1);
}

}  // namespace rv::cli
