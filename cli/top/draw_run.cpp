#include "cli/top/draw_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/walltime.h"
#include "cli/views/run_table.h"

namespace rv::cli::top {
namespace {

/// "in 12h 30m", of a waiting run.
constexpr int least_detail = 11;

/// The positions of the columns; 0: no space.
struct RunColumns {
  int name = 8;
  int state = 0;
  int time = 0;  // where it ends
  int left = 0;  // where it ends
  int bar = 0;
  int bar_width = 0;
  int gpus = 0;
  int detail = 0;

  explicit RunColumns(int width) {
    const int names = std::clamp(width / 6, 10, 32);
    state = name + names + 2;
    const int span = width < 80 ? 8 : 9;
    time = state + 11 + span;
    left = time + span;
    int at = left + 2;
    bar_width = width >= 100 ? 20 : 10;
    if (at + bar_width + 2 + least_detail <= width) bar = at, at += bar_width + 2;
    if (width >= 110) gpus = at, at += std::clamp(width / 5, 20, 40) + 2;
    if (at + 8 <= width) detail = at;
  }
};

Style style_of(const Run& run) {
  switch (tone_of(run.state)) {
    case Tone::good:
      return Style::good;
    case Tone::waiting:
      return Style::waiting;
    case Tone::bad:
      return Style::bad;
    case Tone::quiet:
      return Style::dim;
    case Tone::plain:
      break;
  }
  return Style::plain;
}

std::string span(TimePoint from, TimePoint to) {
  return format_duration(std::max(std::chrono::seconds(0), to - from));
}

std::string with_word(const std::optional<double>& value, const char* form) {
  return value ? fmt::format(fmt::runtime(form), *value) : "?";
}

void draw_gpu(Screen& screen, int row, const GpuReading& gpu, bool utf8) {
  const int width = screen.width();
  const int name = std::clamp(width / 5, 14, 36);
  const std::string where = fmt::format("{} {}{}", gpu.node, gpu.index, name < 24 ? "" : " " + gpu.model);
  screen.put(row, 1, fitted(where, name - 2, utf8), Style::plain, name);
  const int meter = (width - name) / 3;
  const int bars = std::max(0, std::min(meter - 16, 30));
  struct Meter {
    const char* title;
    std::optional<double> part;
    std::string words;
  };
  const auto share = [](const std::optional<double>& part, const std::optional<double>& whole) {
    return part && whole && *whole > 0 ? std::optional(*part / *whole) : std::nullopt;
  };
  const auto in_gib = [](const std::optional<double>& mib) { return mib ? std::optional(*mib / 1024) : std::nullopt; };
  const Meter meters[] = {
      {"load", share(gpu.utilisation, 100.0), with_word(gpu.utilisation, "{:.0f} %")},
      {"mem", share(gpu.memory_used, gpu.memory_total), with_word(in_gib(gpu.memory_used), "{:.1f} GiB")},
      {"power", share(gpu.power, gpu.power_limit), with_word(gpu.power, "{:.0f} W")}};
  int at = name;
  for (const auto& [title, part, words] : meters) {
    int column = screen.put(row, at, title, Style::dim) + 1;
    if (part && bars >= 4) column = screen.put(row, column, bar(*part, bars, utf8), Style::good) + 1;
    screen.put(row, column, words, Style::plain, at + meter);
    at += meter;
  }
}

/// Shortens "in about 12m (3m to 40m, …)" to the available width: the span in brackets goes first, then "about".
std::string start_words(const std::string& start, int room) {
  auto shortest = start.substr(0, start.find(" ("));
  if (columns_of(shortest) < room) return start;
  constexpr std::string_view about = "in about ";
  if (columns_of(shortest) == room || !shortest.starts_with(about)) return shortest;
  return "in " + shortest.substr(about.size());
}

std::string ordinal(int number) {
  const int tens = number % 100;
  const char* suffix = tens >= 11 && tens <= 13 ? "th"
                       : number % 10 == 1       ? "st"
                       : number % 10 == 2       ? "nd"
                       : number % 10 == 3       ? "rd"
                                                : "th";
  return std::to_string(number) + suffix;
}

std::string standing(const Run& run) {
  std::vector<std::string> words;
  if (run.queue) {
    words.push_back(
        fmt::format("{} of {} waiting in {}", ordinal(run.queue->place), run.queue->of, run.queue->partition));
  }
  for (const auto* text : {&run.start, &run.progress_words, &run.detail}) {
    if (!text->empty()) words.push_back(one_line(*text));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace

void draw_run_titles(Screen& screen, int row) {
  const RunColumns columns(screen.width());
  screen.put(row, 0, "ID");
  screen.put(row, columns.name, "NAME");
  screen.put(row, columns.state, "STATE");
  screen.put_right(row, columns.time, "TIME");
  screen.put_right(row, columns.left, "LEFT");
  if (columns.bar > 0) screen.put(row, columns.bar, "PROGRESS");
  if (columns.gpus > 0) screen.put(row, columns.gpus, "GPUS");
  if (columns.detail > 0) screen.put(row, columns.detail, "DETAIL");
  screen.paint(row, Style::title);
}

void draw_run(Screen& screen, int row, const Run& run, TimePoint now, bool utf8) {
  const RunColumns columns(screen.width());
  screen.put(row, 0, run.id, Style::plain, columns.name - 1);
  screen.put(row, columns.name, fitted(one_line(run.name), columns.state - columns.name - 2, utf8));
  screen.put(row, columns.state, fitted(to_string(run.state), 13, utf8), style_of(run));
  screen.put_right(row, columns.time, span(run.started.value_or(run.created), run.ended.value_or(now)));
  if (run.ends_by && !run.ended) screen.put_right(row, columns.left, span(now, *run.ends_by));
  if (columns.bar > 0 && run.progress) {
    screen.put(row, columns.bar, bar(*run.progress, columns.bar_width, utf8), style_of(run));
  }
  if (columns.gpus > 0) {
    screen.put(row, columns.gpus, fitted(one_line(run.gpus), columns.detail - columns.gpus - 2, utf8), Style::plain,
               columns.detail - 2);
  }
  if (columns.detail > 0) {
    const int room = screen.width() - columns.detail;
    const std::string words = run.start.empty() ? one_line(run.detail) : start_words(one_line(run.start), room);
    screen.put(row, columns.detail, fitted(words, room, utf8), Style::dim);
  }
}

int panel_rows(const RunGpus* gpus, int height) {
  if (height < 18) return 0;
  if (gpus == nullptr) return 3;
  const int readings = static_cast<int>(gpus->now.gpus.size());
  return 4 + std::clamp(readings, 0, std::max(1, (height - 20) / 4));
}

void draw_panel(Screen& screen, int row, int end, const Run& run, const RunGpus* gpus, bool utf8) {
  ++row;
  const std::string where = run.nodes.empty() ? "" : " on " + one_line(run.nodes);
  screen.put(
      row, 0,
      fitted(fmt::format("{} {}  {}{}", run.id, one_line(run.name), one_line(run.gpus), where), screen.width(), utf8));
  screen.paint(row++, Style::title);
  if (row < end) screen.put(row++, 1, fitted(standing(run), screen.width() - 1, utf8));
  if (gpus == nullptr || row >= end) return;
  const std::string trouble =
      gpus->trouble.empty() ? fmt::format("{}", fmt::join(gpus->now.troubles, "; ")) : gpus->trouble;
  if (gpus->now.gpus.empty()) {
    screen.put(row, 1,
               fitted("GPUs: " + (trouble.empty() ? "asking them" : one_line(trouble)), screen.width() - 1, utf8),
               Style::dim);
    return;
  }
  const int width = std::clamp(screen.width() - 12, 1, 60);
  const int after = screen.put(row, 1, "load  " + sparkline(gpus->busy, width, utf8), Style::good);
  if (static_cast<int>(gpus->now.gpus.size()) > end - row - 1) {
    screen.put(row, after + 2, fmt::format("of {} GPUs; the first {}:", gpus->now.gpus.size(), end - row - 1),
               Style::dim);
  }
  ++row;
  for (const auto& gpu : gpus->now.gpus) {
    if (row >= end) break;
    draw_gpu(screen, row++, gpu, utf8);
  }
}

}  // namespace rv::cli::top
