#include "cli/run_table.h"

#include <algorithm>

#include "cli/table.h"
#include "monitor/start_estimate.h"
#include "planner/walltime.h"

namespace rv::cli {
namespace {

std::string gpus_of(const monitor::RunView& view) {
  if (view.winner) return view.candidates.at(static_cast<std::size_t>(*view.winner - 1)).candidate.summary;
  if (view.candidates.size() == 1) return view.candidates.front().candidate.summary;
  return std::to_string(view.candidates.empty() ? 0 : view.candidates.front().candidate.gpus) + " GPUs, " +
         std::to_string(view.candidates.size()) + " candidates";
}

std::string span(slurm::TimePoint from, slurm::TimePoint to) {
  return planner::format_duration(std::max(std::chrono::seconds(0), std::chrono::seconds(to - from)));
}

// How long it has been in the state that it is in: running since its start, queued since it was asked for.
std::string time_of(const monitor::RunRecord& record, const monitor::RunView& view, slurm::TimePoint now) {
  if (view.started) return span(*view.started, view.ended.value_or(now));
  return span(record.created, view.ended.value_or(now));
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  return line;
}

std::string run_table(const std::vector<monitor::RunRecord>& records, const std::vector<monitor::RunView>& views,
                      slurm::TimePoint now, const Terminal& terminal) {
  Table table;
  table.column("ID");
  table.column("NAME");
  table.column("STATE");
  table.column("TIME", Table::Align::right);
  table.column("GPUS");
  table.column("DETAIL");
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::string detail;
    if (const auto start = monitor::estimate_start(views[i], records[i].created, now)) {
      const auto left = std::chrono::ceil<std::chrono::minutes>(start->time - now);
      detail = "in about " + planner::format_duration(left) + "; ";
    }
    detail += one_line(views[i].detail);
    for (const auto& warning : views[i].warnings) detail += (detail.empty() ? "" : "; ") + one_line(warning);
    table.row({records[i].id, one_line(records[i].name), std::string(to_string(views[i].state)),
               time_of(records[i], views[i], now), gpus_of(views[i]), detail});
  }
  return table.text(terminal.width, terminal.colour);
}

}  // namespace rv::cli
