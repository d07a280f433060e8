#include "cli/nodes/failed_acceptance.h"

#include <set>

#include "base/error.h"
#include "cli/nodes/avoided_nodes.h"
#include "monitor/run/run_folder.h"
#include "shared/time_text.h"

namespace rv::cli {

void note_failed_acceptance(const accept::Judgement& judgement, const FailedTest& failed, const Settings& settings) {
  if (judgement.verdict != Verdict::fail) return;
  try {
    const auto record = monitor::RunFolder(settings.runs_folder() + "/" + failed.run).record();
    const auto folder = node_event_folder(settings);
    const auto now = current_time();
    std::set<std::string> noted;
    for (const auto& finding : judgement.findings) {
      const auto& node = finding.subject.node;
      if (failed.own_baseline && !finding.step.empty()) continue;
      if (finding.verdict != Verdict::fail || !monitor::is_recordable_name(node) || !noted.insert(node).second)
        continue;
      folder.write({.kind = monitor::NodeEventKind::fault,
                    .cluster = record.cluster,
                    .node = node,
                    .cause = failed.cause,
                    .evidence = failed.test + ": " + finding.what,
                    .run = record.id,
                    // An acceptance finds different faults on different nodes: it is never taken as their reason.
                    .command = monitor::command_hash(record.id, node),
                    .time = failed.time.value_or(record.created)},
                   now);
    }
  } catch (const Error&) {
    return;  // the verdict counts all the same
  }
}

}  // namespace rv::cli
