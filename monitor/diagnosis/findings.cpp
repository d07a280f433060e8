#include "monitor/diagnosis/findings.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "slurm/parse/hostlist.h"

namespace rv::monitor {
namespace {

// A job that Slurm starts again writes on in the same logs: what a start before the last one left there says nothing of
// the end. Its nodes differ; and a batch script that has put its command's own exit code on record was not ended with
// its node.
class LastStart {
 public:
  explicit LastStart(const Evidence& evidence)
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

std::vector<Finding> findings_in(const Evidence& evidence) {
  const LastStart start(evidence);
  std::vector<Finding> findings;
  for (const auto& log : evidence.logs) {
    if (!start.wrote(log)) continue;
    std::vector<Cause> seen;
    for (std::size_t i = 0; i < log.lines.size(); ++i) {
      const auto match = cause_in(log.lines[i]);
      if (!match || !start.is_of(match->cause, log.lines[i])) continue;
      if (std::find(seen.begin(), seen.end(), match->cause) != seen.end()) continue;
      seen.push_back(match->cause);
      findings.push_back({*match, &log, i});
    }
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.match.rank < b.match.rank; });
  return findings;
}

}  // namespace rv::monitor
