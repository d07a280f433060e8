#include "monitor/node_memory/note_node_events.h"

#include <algorithm>

#include "base/error.h"
#include "monitor/diagnosis/gather_evidence.h"
#include "monitor/node_memory/node_event_folder.h"
#include "slurm/parse/hostlist.h"

namespace rv::monitor {
namespace {

/// Of an array: a broken node fails many elements, and each is one more log to read.
constexpr int most_elements = 32;

NodeEvent event_of(const RunFacts& facts, const RunView& view, NodeEventKind kind, std::string node, TimePoint now) {
  return {.kind = kind,
          .cluster = facts.record.cluster,
          .node = std::move(node),
          .cause = Cause::unknown,
          .evidence = "",
          .run = facts.record.id,
          .attempt = facts.standing.attempt,
          .command = command_hash(facts.record.work_folder, facts.record.name),
          .time = view.ended.value_or(now)};
}

void add_faults(std::vector<NodeEvent>& events, const RunFacts& facts, const RunView& view, const Diagnosis& diagnosis,
                TimePoint now) {
  if (!text_of(diagnosis.cause).blames_node) return;
  for (const auto& node : diagnosis.bad_nodes) {
    auto event = event_of(facts, view, NodeEventKind::fault, node, now);
    event.cause = diagnosis.cause;
    event.evidence = diagnosis.proofs.empty() ? diagnosis.summary : diagnosis.proofs.front().text;
    events.push_back(std::move(event));
  }
}

std::vector<NodeEvent> faults_of_elements(const RunFolder& folder, const RunFacts& facts, const RunView& view,
                                          TimePoint now) {
  std::vector<NodeEvent> events;
  int read = 0;
  for (const auto& element : facts.elements) {
    const bool failed = element.exit && element.exit->kind == ExitKind::exited && element.exit->code != 0;
    if (!failed || !element.start || ++read > most_elements) continue;
    RunEvidence evidence{.facts = facts,
                         .view = view,
                         .record = {},
                         .accounting = {},
                         .logs = element_logs(folder, element.index, element.start->node),
                         .memory = {}};
    evidence.facts.exit = element.exit;
    add_faults(events, facts, view, diagnose(evidence), now);
  }
  return events;
}

NodeEventFolder folder_of(const RunFolder& folder, const RunRecord& record) {
  if (!record.node_memory.empty()) return NodeEventFolder(record.node_memory, true);
  return NodeEventFolder::own(folder.home());
}

/// A success is worth a file only where a fault of its node or of its command is on record.
void keep_successes_that_matter(std::vector<NodeEvent>& events, const std::vector<NodeEventName>& known) {
  const auto same_node = [](const NodeEvent& event, const NodeEventName& name) {
    return name.cluster == event.cluster && name.node == event.node;
  };
  const auto same_command = [](const NodeEvent& event, const NodeEventName& name) {
    return name.cluster == event.cluster && name.command == event.command;
  };
  bool command_told = false;
  std::erase_if(events, [&](const NodeEvent& event) {
    if (event.kind != NodeEventKind::success) return false;
    if (std::any_of(known.begin(), known.end(), [&](const auto& name) { return same_node(event, name); })) return false;
    if (command_told) return true;
    command_told = std::any_of(known.begin(), known.end(), [&](const auto& name) { return same_command(event, name); });
    return !command_told;
  });
}

}  // namespace

std::vector<NodeEvent> node_events(const RunFolder& folder, const RunFacts& facts, const RunView& view, TimePoint now) {
  const auto& cluster = facts.record.cluster;
  if (!facts.claim || facts.claim->by_stop || (!cluster.empty() && !is_recordable_name(cluster))) return {};
  std::vector<NodeEvent> events;
  // A test of nodes ends well whatever it finds out about them.
  if (view.state == RunState::done && !facts.record.job.measures) {
    for (auto& node : slurm::expand_hostlist(view.nodes)) {
      events.push_back(event_of(facts, view, NodeEventKind::success, std::move(node), now));
    }
  } else if (view.state == RunState::failed || view.state == RunState::node_failure || view.state == RunState::lost) {
    if (facts.record.job.array) events = faults_of_elements(folder, facts, view, now);
    const RunEvidence evidence{.facts = facts,
                               .view = view,
                               .record = {},
                               .accounting = {},
                               .logs = read_log_tails(folder, view),
                               .memory = {}};
    if (!facts.record.job.array) add_faults(events, facts, view, diagnose(evidence), now);
  }
  std::erase_if(events, [](const NodeEvent& event) { return !is_recordable_name(event.node); });
  return events;
}

void note_node_events(const RunFolder& folder, const RunFacts& facts, const RunView& view, TimePoint now) {
  try {
    auto events = node_events(folder, facts, view, now);
    if (events.empty()) return;
    const auto place = folder_of(folder, facts.record);
    if (view.state == RunState::done) keep_successes_that_matter(events, place.names());
    for (const auto& event : events) place.write(event, now);
  } catch (const Error&) {
    return;  // the run ends all the same
  }
}

}  // namespace rv::monitor
