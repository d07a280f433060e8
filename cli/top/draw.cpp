#include "cli/top/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/table.h"
#include "base/text.h"
#include "base/walltime.h"
#include "cli/top/draw_run.h"
#include "cli/views/run_table.h"
#include "shared/time_text.h"

namespace rv::cli::top {
namespace {

constexpr int number_width = 6;
constexpr int pending_width = 9;

std::string summary(const Known& known) {
  int running = 0;
  int waiting = 0;
  int over = 0;
  for (const auto& run : known.runs) {
    if (monitor::is_final(run.state)) {
      ++over;
    } else {
      ++(run.started ? running : waiting);
    }
  }
  return fmt::format("{} running, {} waiting, {} over", running, waiting, over);
}

std::string wait_words(const std::optional<std::chrono::seconds>& wait) {
  if (!wait) return "?";
  return *wait < std::chrono::minutes(1) ? "now" : format_duration(*wait);
}

constexpr int wait_width = 9;

/// The columns of the GPU table and their widths. On narrow terminals counts are dropped before waits.
struct TypeColumns {
  int name = 12;
  bool used = true, mine = true, pending = true;
  std::size_t waits = wait_sizes.size();
  int bar = 0;

  TypeColumns(int width, const std::vector<GpuType>& types) {
    for (const auto& type : types) name = std::max(name, columns_of(one_line(type.name)) + 1);
    name = std::min(name, std::max(12, width / 3));
    for (bool* column : {&used, &mine, &pending}) {
      if (taken() > width) *column = false;
    }
    while (waits > 0 && taken() > width) --waits;
    const int left = width - taken() - 4;
    bar = left >= 10 ? std::min(left, 40) : 0;
  }
  int taken() const {
    const int numbers = 1 + static_cast<int>(used) + static_cast<int>(mine);
    return name + numbers * number_width + (pending ? pending_width : 0) + static_cast<int>(waits) * wait_width;
  }
};

void draw_type_titles(Screen& screen, int row, const TypeColumns& columns) {
  screen.put(row, 0, "GPU TYPE");
  int at = columns.name;
  screen.put_right(row, at += number_width, "FREE");
  if (columns.used) screen.put_right(row, at += number_width, "USED");
  if (columns.mine) screen.put_right(row, at += number_width, "MINE");
  if (columns.pending) screen.put_right(row, at += pending_width, "PENDING");
  if (columns.bar > 0) screen.put(row, at + 2, "IN USE"), at += columns.bar + 2;
  for (std::size_t size = 0; size < columns.waits; ++size) {
    const auto gpus = std::to_string(wait_sizes.at(size));
    screen.put_right(row, at += wait_width, size == 0 ? "WAIT: " + gpus : gpus);
  }
  screen.paint(row, Style::title);
}

void draw_type(Screen& screen, int row, const TypeColumns& columns, const GpuType& type, bool utf8) {
  screen.put(row, 0, fitted(type.name, columns.name - 1, utf8));
  int at = columns.name;
  const auto count = [&](bool shown, const std::string& text, Style style, int width = number_width) {
    if (shown) screen.put_right(row, at += width, text, style);
  };
  count(true, std::to_string(type.free), type.free > 0 ? Style::good : Style::dim);
  count(columns.used, std::to_string(type.used), Style::plain);
  count(columns.mine, std::to_string(type.mine), type.mine > 0 ? Style::title : Style::dim);
  count(columns.pending, type.pending ? std::to_string(*type.pending) : "?",
        type.pending.value_or(0) > 0 ? Style::waiting : Style::dim, pending_width);
  if (columns.bar > 0) {
    const auto share = type.total > 0 ? static_cast<double>(type.used) / type.total : 0;
    screen.put(row, at + 2, bar(share, columns.bar, utf8), Style::dim);
    at += columns.bar + 2;
  }
  for (std::size_t size = 0; size < columns.waits; ++size) {
    screen.put_right(row, at += wait_width, wait_words(type.waits.at(size)),
                     type.waits.at(size) ? Style::plain : Style::dim);
  }
}

constexpr int narrow = 80;  // columns

/// Sorted by name; if not all fit, those that are used or requested come first.
std::vector<const GpuType*> types_in_order(const Known& known, bool in_use_first) {
  std::vector<const GpuType*> types;
  for (const auto& type : known.types) types.push_back(&type);
  if (!in_use_first) return types;
  const auto rank = [](const GpuType* type) {
    if (type->mine > 0) return 0;
    return type->used > 0 || type->pending.value_or(0) > 0 ? 1 : 2;
  };
  std::stable_sort(types.begin(), types.end(), [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  return types;
}

int draw_types(Screen& screen, int row, const Known& known, int most, bool utf8) {
  const TypeColumns columns(screen.width(), known.types);
  draw_type_titles(screen, row++, columns);
  if (!known.cluster_taken) {
    screen.put(row++, 0, "querying the state of the cluster", Style::dim);
    return row;
  }
  const int all = static_cast<int>(known.types.size());
  const int shown = all <= most ? all : std::max(0, most - 1);
  const auto types = types_in_order(known, shown < all || screen.width() < narrow);
  for (int i = 0; i < shown; ++i) draw_type(screen, row++, columns, *types[static_cast<std::size_t>(i)], utf8);
  if (shown < all) screen.put(row++, 0, fmt::format("and {} more types", all - shown), Style::dim);
  return row;
}

const char* in_words(Sort sort) {
  switch (sort) {
    case Sort::newest:
      return "newest first";
    case Sort::state:
      return "by state";
    case Sort::name:
      return "by name";
    case Sort::left:
      return "by time left";
  }
  return "";
}

/// "3 runs", "3 runs, 2 jobs".
std::string shown_count(const std::vector<const Run*>& shown) {
  const auto jobs = std::count_if(shown.begin(), shown.end(), [](const Run* run) { return run->is_job; });
  const auto runs = counted(static_cast<long long>(shown.size()) - jobs, "run");
  return jobs == 0 ? runs : runs + ", " + counted(jobs, "job");
}

void draw_runs(Screen& screen, int row, int end, const std::vector<const Run*>& shown, Choice& choice, TimePoint now,
               bool utf8) {
  draw_run_titles(screen, row++);
  choice.first_row = row;
  choice.page = std::max(1, end - row);
  const int selected = selected_row(shown, choice);
  const int last = std::max(0, static_cast<int>(shown.size()) - choice.page);
  if (selected >= 0) {
    choice.scrolled = std::clamp(choice.scrolled, selected - choice.page + 1, selected);
  }
  choice.scrolled = std::clamp(choice.scrolled, 0, last);
  for (int i = choice.scrolled; i < static_cast<int>(shown.size()) && row < end; ++i, ++row) {
    draw_run(screen, row, *shown[static_cast<std::size_t>(i)], now, utf8);
    if (i == selected) screen.paint(row, Style::selected);
  }
  if (shown.empty()) {
    screen.put(row, 0, choice.filter.empty() ? "no runs: rv run or rv up starts one" : "no run matches", Style::dim);
  }
}

void draw_footer(Screen& screen, const Known& known, const Choice& choice, bool utf8) {
  const int row = screen.height() - 1;
  if (!choice.asks_to_stop.empty()) {
    screen.put(row, 0, fmt::format("stop run {}? y: yes; any other key: no", choice.asks_to_stop));
    screen.paint(row, Style::bad);
    return;
  }
  if (choice.typing_filter) {
    screen.put(row, 0, fmt::format("/{}_  Enter applies the filter, Escape clears it", choice.filter));
    screen.paint(row, Style::title);
    return;
  }
  if (!known.trouble.empty()) {
    screen.put(row - 1, 0, fitted("Slurm does not answer: " + one_line(known.trouble), screen.width(), utf8),
               Style::bad);
  }
  int at = 0;
  for (const auto& [key, word] : {std::pair("q", "quit"),
                                  {"?", "help"},
                                  {"l", "logs"},
                                  {"w", "why"},
                                  {"x", "stop"},
                                  {"e", "shell"},
                                  {"i", "show"},
                                  {"/", "filter"},
                                  {"s", "sort"}}) {
    if (at + 4 + columns_of(word) > screen.width()) break;
    at = screen.put(row, at, key, Style::key);
    at = screen.put(row, at + 1, word, Style::dim) + 2;
  }
}

constexpr int help_column = 22;

/// Over as many rows as the text needs from this column on. Returns the row below.
int draw_wrapped(Screen& screen, int row, int column, const std::string& text, Style style) {
  std::istringstream lines(wrapped(text, screen.width() - column, 0));
  for (std::string line; std::getline(lines, line);) screen.put(row++, column, line, style);
  return row;
}

void draw_help(Screen& screen) {
  int row = 0;
  screen.put(row, 0, "rv top: keys");
  screen.paint(row++, Style::title);
  ++row;
  for (const auto& [key, words] : {std::pair("up, down, j, k", "choose a run; so do a click and the wheel"),
                                   {"Page Up, Page Down", "a page of runs"},
                                   {"Home, End", "the first run, the last one"},
                                   {"l, Enter", "rv logs -f of it"},
                                   {"w", "rv why"},
                                   {"i", "rv show"},
                                   {"e", "a shell on its node"},
                                   {"x", "stop it, after a question"},
                                   {"/", "only runs with this in ID, name or state"},
                                   {"s", "sort: state, name, time left, newest"},
                                   {"q, Ctrl-C", "quit; runs continue"}}) {
    screen.put(row, 2, key, Style::key, help_column);
    row = draw_wrapped(screen, row, help_column, words, Style::plain);
  }
  ++row;
  for (const char* line : {"MINE: GPUs that your jobs have. PENDING: requested by pending jobs.",
                           "WAIT: predicted, for 1, 4 and 8 GPUs; ?: unknown or not available",
                           "Runs are polled every 2 to 30 seconds with one squeue, the cluster once a minute.",
                           "Jobs that rv did not submit are listed by ID when they have ended; w explains them."}) {
    row = draw_wrapped(screen, row, 2, line, Style::dim);
  }
  screen.put(screen.height() - 1, 0, "any key goes back", Style::dim);
}

}  // namespace

int rows_for_all(const Known& known) {
  std::size_t gpus = 0;
  for (const auto& [run, what] : known.gpus) gpus = std::max(gpus, what.now.gpus.size());
  return static_cast<int>(11 + std::max<std::size_t>(1, known.types.size()) + known.runs.size() + known.jobs.size() +
                          gpus);
}

Drawn draw(const Known& known, Choice choice, TimePoint now, int width, int height, bool utf8) {
  Screen screen(width, height);
  if (choice.help) {
    draw_help(screen);
    return {std::move(screen), std::move(choice)};
  }
  const std::string title = (known.cluster.empty() ? "rv top" : "rv top  " + known.cluster) + "  " + summary(known);
  screen.put(0, 0, title);
  screen.put_right(0, screen.width(), local_time(now).substr(11));
  screen.paint(0, Style::title);
  const auto shown = shown_runs(known, choice);
  const int selected = selected_row(shown, choice);
  const Run* run = selected < 0 ? nullptr : shown[static_cast<std::size_t>(selected)];
  const auto gpus = run == nullptr ? known.gpus.end() : known.gpus.find(run->id);
  const RunGpus* what = gpus == known.gpus.end() ? nullptr : &gpus->second;
  const int room = screen.height() - 1 - (known.trouble.empty() ? 0 : 1);
  const int panel = run == nullptr ? 0 : panel_rows(what, screen.height());
  // Besides the types: two titles, three blank rows, the keys, and as many runs as there are, six at most.
  const int runs = std::clamp(static_cast<int>(shown.size()), 2, 6);
  const int most_types = std::max(2, screen.height() - 8 - panel - runs);
  int row = draw_types(screen, 2, known, most_types, utf8) + 1;
  const std::string filter = choice.filter.empty() ? "" : ", with \"" + choice.filter + "\"";
  screen.put(row++, 0, fmt::format("{} {}{}", shown_count(shown), in_words(choice.sort), filter), Style::dim);
  draw_runs(screen, row, room - panel, shown, choice, now, utf8);
  if (panel > 0) draw_panel(screen, room - panel, room, *run, what, utf8);
  draw_footer(screen, known, choice, utf8);
  return {std::move(screen), std::move(choice)};
}

}  // namespace rv::cli::top
