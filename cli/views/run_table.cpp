#include "cli/views/run_table.h"

#include <algorithm>

#include "base/table.h"
#include "base/text.h"
#include "base/walltime.h"
#include "monitor/run/start_estimate.h"

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

}  // namespace

std::string run_table(const std::vector<monitor::RunRecord>& records, const std::vector<monitor::RunView>& views,
                      slurm::TimePoint now, const os::Terminal& terminal) {
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
      detail = "in about " + format_duration(left) + "; ";
    }
    detail += one_line(views[i].detail);
    for (const auto& warning : views[i].warnings) detail += (detail.empty() ? "" : "; ") + one_line(warning);
    table.row({records[i].id, one_line(records[i].name), std::string(to_string(views[i].state)),
               time_of(records[i], views[i], now), gpus_of(views[i]), detail});
  }
  return table.text(terminal.width, terminal.colour);
}

}  // namespace rv::cli
