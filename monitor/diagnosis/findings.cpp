#include "monitor/diagnosis/findings.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "slurm/parse/hostlist.h"

namespace rv::monitor {
namespace {

// A job that Slurm starts again appends to the same logs. The output of earlier starts does not explain the end, so
// logs of other nodes than the last start's are ignored. So are Slurm's lines about a node failure ("*** JOB …") if the
// batch script recorded the command's exit code: then the job did not end with its node.
class LastStart {
 public:
  explicit LastStart(const RunEvidence& evidence)
      : exited_(evidence.facts.exit && evidence.facts.exit->kind == ExitKind::exited) {
    if (!evidence.view.array) nodes_ = slurm::expand_hostlist(evidence.view.nodes);
  }
  bool wrote(const LogTail& log) const {
    return nodes_.empty() || log.node.empty() || std::find(nodes_.begin(), nodes_.end(), log.node) != nodes_.end();
  }
  bool is_of(Cause cause, std::string_view line) const {
    return !exited_ || cause != Cause::node_failure || line.find("*** JOB ") == std::string_view::npos;
  }

 private:
  bool exited_;
  std::vector<std::string> nodes_;
};

}  // namespace

std::vector<Finding> findings_in(const RunEvidence& evidence) {
  const LastStart start(evidence);
  auto code = evidence.view.exit_code;
  if (!code && evidence.facts.exit) code = evidence.facts.exit->code;
  std::vector<Finding> findings;
  for (const auto& log : evidence.logs) {
    if (!start.wrote(log)) continue;
    for (auto& failure : failures::failures_in(log.lines, code)) {
      if (!failure.counts || !start.is_of(failure.match.cause, log.lines[failure.line])) continue;
      findings.push_back({std::move(failure), &log});
    }
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.failure.match.rank < b.failure.match.rank; });
  return findings;
}

}  // namespace rv::monitor
