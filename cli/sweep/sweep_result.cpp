#include "cli/sweep/sweep_result.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "cli/json/values_json.h"
#include "cli/sweep/drive/report_folder.h"
#include "cli/views/sweep_view.h"

namespace rv::cli {
namespace {

/// Figures of different machines on one curve say nothing about any of them.
void note_machines(const std::vector<sweep::PointResult>& results) {
  std::set<std::string> machines;
  for (const auto& result : results) {
    if (!result.host.empty()) machines.insert(result.gpus.empty() ? result.host : result.gpus.front());
  }
  if (machines.size() < 2) return;
  fmt::print(stderr, "rv: note: the points ran on different machines ({}): their figures are not comparable\n",
             one_line(sweep::machine_of(results)));
}

struct Standing {
  sweep::Sweep sweep;
  sweep::Next next;
  std::string search;  // how --find-max ended
  bool well = true;    // as far as it went
};

Standing standing_of(const sweep::ReportFolder& folder) {
  Standing out{{folder.order(), folder.results()}, {}, "", true};
  std::vector<sweep::Ended> ended;
  for (const auto& result : out.sweep.results) {
    ended.push_back({result.point, result.end.kind});
    out.well = out.well && (result.end.kind == sweep::EndKind::done || is_out_of_memory(result.end.kind));
  }
  out.next = next_point(out.sweep.order, ended);
  if (!out.next.point) out.search = out.next.reason;
  return out;
}

}  // namespace

SweepResult write_sweep_result(const std::string& report_dir) {
  const sweep::ReportFolder folder(report_dir);
  const auto standing = standing_of(folder);
  folder.write_together(standing.search);
  return {results_json(standing.sweep, standing.search), standing.well && !standing.next.point};
}

int print_sweep(const std::string& report_dir, const Invocation& invocation) {
  const sweep::ReportFolder folder(report_dir);
  const auto [sweep, next, search, well] = standing_of(folder);
  if (invocation.json) {
    fmt::print("{}", json_text(results_json(sweep, search)));
  } else {
    fmt::print("{}", sweep_text(sweep, search, invocation.terminal));
  }
  note_machines(sweep.results);
  if (next.point) {
    fmt::print(stderr, "rv: {} is next; the same command continues there\n", to_text(*next.point, sweep.order.axes));
  } else if (!invocation.json) {
    fmt::print("\nreport: {}\n", folder.file("report.html"));
    if (!sweep.order.project.empty()) fmt::print(stderr, "rv: fetch the results with rv sync pull\n");
  }
  return well && !next.point ? 0 : 1;
}

}  // namespace rv::cli
