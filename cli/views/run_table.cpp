#include "cli/views/run_table.h"

#include <algorithm>
#include <ctime>

#include "base/table.h"
#include "base/text.h"
#include "base/walltime.h"
#include "monitor/jobs/start_estimate.h"

namespace rv::cli {
namespace {

std::string gpus_of(const monitor::RunView& view) {
  if (view.winner) return view.candidates.at(static_cast<std::size_t>(*view.winner - 1)).candidate.summary;
  if (view.candidates.size() == 1) return view.candidates.front().candidate.summary;
  return std::to_string(view.candidates.empty() ? 0 : view.candidates.front().candidate.gpus) + " GPUs, " +
         std::to_string(view.candidates.size()) + " candidates";
}

std::string span(slurm::TimePoint from, slurm::TimePoint to) {
  return format_duration(std::max(std::chrono::seconds(0), std::chrono::seconds(to - from)));
}

// How long it has been in the state that it is in: running since its start, queued since it was asked for.
std::string time_of(const monitor::RunRecord& record, const monitor::RunView& view, slurm::TimePoint now) {
  if (view.started) return span(*view.started, view.ended.value_or(now));
  return span(record.created, view.ended.value_or(now));
}

// Until its time limit ends it.
std::string time_left(const monitor::RunView& view, slurm::TimePoint now) {
  const auto end = monitor::ends_by(view);
  return end ? span(now, *end) : "";
}

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

std::string local_time(slurm::TimePoint time) {
  const std::time_t seconds = time.time_since_epoch().count();
  std::tm parts = {};
  ::localtime_r(&seconds, &parts);
  char text[32] = {};
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  return text;
}

std::string run_table(const std::vector<monitor::RunRecord>& records, const std::vector<monitor::RunView>& views,
                      slurm::TimePoint now, const os::Terminal& terminal, bool dates) {
  Table table;
  table.column("ID", Table::Align::left, Table::Cut::never);
  table.column("NAME");
  if (dates) table.column("CREATED");
  table.column("STATE");
  table.column("TIME", Table::Align::right);
  table.column("LEFT", Table::Align::right);
  table.column("GPUS");
  table.column("DETAIL");
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::string detail;
    if (const auto start = monitor::estimate_start(views[i], records[i].created, now)) {
      detail = monitor::in_words(*start, now) + "; ";
    }
    detail += one_line(views[i].detail);
    for (const auto& warning : views[i].warnings) detail += (detail.empty() ? "" : "; ") + one_line(warning);
    std::vector<std::string> row{records[i].id, one_line(records[i].name)};
    // To the minute: a table is wide enough.
    if (dates) row.push_back(local_time(records[i].created).substr(0, 16));
    for (auto& cell : {std::string(to_string(views[i].state)), time_of(records[i], views[i], now),
                       time_left(views[i], now), gpus_of(views[i]), detail}) {
      row.push_back(cell);
    }
    table.row(std::move(row));
    table.tone(dates ? 3 : 2, tone_of(views[i].state));
  }
  return table.text(terminal.table_width(), terminal.colour);
}

}  // namespace rv::cli
