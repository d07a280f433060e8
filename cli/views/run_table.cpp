#include "cli/views/run_table.h"

#include <algorithm>
#include <array>
#include <ctime>

#include "base/table.h"
#include "base/text.h"
#include "base/walltime.h"
#include "monitor/jobs/start_estimate.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

std::string gpus_of(const monitor::RunView& view) {
  if (const auto* winner = winner_of(view)) return winner->candidate.summary;
  if (view.candidates.size() == 1) return view.candidates.front().candidate.summary;
  const auto gpus = view.candidates.empty() ? 0 : view.candidates.front().candidate.gpus;
  const bool on_cpus = !view.candidates.empty() && gpus == 0;
  const auto cpus = on_cpus ? view.candidates.front().candidate.summary : std::string();
  return (on_cpus ? cpus.substr(0, cpus.find(" on ")) : counted(gpus, "GPU")) + ", " +
         counted(static_cast<long long>(view.candidates.size()), "candidate");
}

std::string span(slurm::TimePoint from, slurm::TimePoint to) {
  return format_duration(std::max(std::chrono::seconds(0), std::chrono::seconds(to - from)));
}

// The time in the present state: running since its start, queued since its submission.
std::string time_of(const monitor::RunRecord& record, const monitor::RunView& view, slurm::TimePoint now) {
  if (view.started) return span(*view.started, view.ended.value_or(now));
  return span(record.created, view.ended.value_or(now));
}

// Until its time limit ends it.
std::string time_left(const monitor::RunView& view, slurm::TimePoint now) {
  const auto end = monitor::ends_by(view);
  return end ? span(now, *end) : "";
}

std::string detail_of(const monitor::RunRecord& record, const monitor::RunView& view, slurm::TimePoint now) {
  std::string detail;
  if (const auto start = monitor::estimate_start(view, record.created, now)) {
    detail = monitor::in_words(*start, now) + "; ";
  }
  detail += one_line(view.detail);
  for (const auto& warning : view.warnings) detail += (detail.empty() ? "" : "; ") + one_line(warning);
  return detail;
}

/// Characters of the cell up to `end`, and of the "…" in place of the rest.
std::size_t characters_before(const std::string& cell, std::string_view end) {
  const auto at = cell.find(end);
  return characters(std::string_view(cell).substr(0, at)) + (at == std::string::npos ? 0 : 1);
}

/// The GPUs in a summary: "4× A100 80 GB on gpu-a100-80" → "4× A100 80 GB".
std::size_t least_of_gpus(const std::string& cell) {
  return characters_before(cell, " on ");
}

/// The predicted wait: "in about 12m (3m to 40m, …" → "in about 12m".
std::size_t least_of_detail(const std::string& cell) {
  return cell.starts_with("in about ") ? characters_before(cell, " (") : 0;
}

/// Longer names are cut where no terminal's width cuts them; --json has them whole.
constexpr std::size_t longest_name = 64;

/// The data from which a cell is made.
struct Row {
  const monitor::RunRecord& record;
  const monitor::RunView& view;
  slurm::TimePoint now;
};

struct Column {
  const char* title;
  std::string (*cell)(const Row&);
  Table::Align align = Table::Align::left;
  Table::Cut cut = Table::Cut::may;
  bool with_dates = false;                                  // only where dates are asked for
  bool toned = false;                                       // by the run's state
  std::size_t (*least)(const std::string& cell) = nullptr;  // how much of a cell is never cut, in characters
};

const std::array columns{
    Column{.title = "ID", .cell = [](const Row& row) { return row.record.id; }, .cut = Table::Cut::never},
    Column{.title = "NAME", .cell = [](const Row& row) { return shortened(one_line(row.record.name), longest_name); }},
    // To the minute: a table is wide enough.
    Column{.title = "CREATED",
           .cell = [](const Row& row) { return local_time(row.record.created).substr(0, 16); },
           .with_dates = true},
    Column{
        .title = "STATE", .cell = [](const Row& row) { return std::string(to_string(row.view.state)); }, .toned = true},
    Column{.title = "TIME",
           .cell = [](const Row& row) { return time_of(row.record, row.view, row.now); },
           .align = Table::Align::right},
    Column{.title = "LEFT",
           .cell = [](const Row& row) { return time_left(row.view, row.now); },
           .align = Table::Align::right},
    Column{.title = "GPUS", .cell = [](const Row& row) { return gpus_of(row.view); }, .least = least_of_gpus},
    Column{.title = "DETAIL",
           .cell = [](const Row& row) { return detail_of(row.record, row.view, row.now); },
           .least = least_of_detail},
};

}  // namespace

Tone tone_of(monitor::RunState state) {
  using monitor::RunState;
  switch (state) {
    case RunState::running:
    case RunState::holding:
    case RunState::starting:
      return Tone::good;
    case RunState::submitting:
    case RunState::queued:
    case RunState::ending:
      return Tone::waiting;
    case RunState::done:
    case RunState::stopped:
      return Tone::quiet;
    default:
      return Tone::bad;
  }
}

std::string run_table(const std::vector<monitor::RunRecord>& records, const std::vector<monitor::RunView>& views,
                      slurm::TimePoint now, const os::Terminal& terminal, bool dates) {
  std::vector<const Column*> shown;
  for (const auto& column : columns) {
    if (dates || !column.with_dates) shown.push_back(&column);
  }
  Table table;
  for (const auto* column : shown) table.column(column->title, column->align, column->cut);
  std::vector<std::size_t> least(shown.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Row row{records[i], views[i], now};
    std::vector<std::string> cells;
    cells.reserve(shown.size());
    for (const auto* column : shown) cells.push_back(column->cell(row));
    table.row(cells);
    for (std::size_t at = 0; at < shown.size(); ++at) {
      if (shown[at]->least != nullptr) least[at] = std::max(least[at], shown[at]->least(cells[at]));
      if (shown[at]->toned) table.tone(at, tone_of(row.view.state));
    }
  }
  for (std::size_t at = 0; at < shown.size(); ++at) table.at_least(at, least[at]);
  return table.text(terminal.table_width(), terminal.colour);
}

}  // namespace rv::cli
