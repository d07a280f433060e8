// rv nodes: the nodes on which runs failed, and what plans make of it.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/quote.h"
#include "base/table.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/nodes/avoided_nodes.h"
#include "cli/options/command_option.h"
#include "shared/time_text.h"
#include "slurm/command_trouble.h"
#include "slurm/gateway.h"
#include "slurm/parse/hostlist.h"

namespace rv::cli {
namespace {

using monitor::NodeRecord;

struct NodesOptions {
  std::vector<std::string> nodes;
  bool forget = false;
  bool report = false;
};

/// Events of different clusters lie in one folder.
std::string name_of_this_cluster() {
  const auto identity = slurm::Gateway().controller();
  if (!identity) {
    throw Error("Slurm did not answer, so rv can't tell which cluster this is: " + identity.trouble,
                slurm::advice_for(identity.trouble), ExitCode::slurm);
  }
  return identity.value->cluster_name.text();
}

std::vector<std::string> typed_nodes(const std::vector<std::string>& words) {
  std::vector<std::string> nodes;
  for (const auto& word : words) {
    auto typed = slurm::read_typed_hosts(word);
    if (!typed.fault.empty()) {
      throw Error(fmt::format("\"{}\": {}", one_line(word), typed.fault), "write it like n3, or n[1-4]",
                  ExitCode::usage);
    }
    nodes.insert(nodes.end(), typed.hosts.begin(), typed.hosts.end());
  }
  return nodes;
}

/// Those of these names; all where there are none. Throws Error(usage) for a node without a record.
std::vector<NodeRecord> chosen(std::vector<NodeRecord> records, const std::vector<std::string>& nodes) {
  std::vector<std::string> known;
  known.reserve(records.size());
  for (const auto& record : records) known.push_back(record.node);
  for (const auto& node : nodes) {
    if (contains(known, node)) continue;
    throw Error(fmt::format("no fault of node {} is on record{}", one_line(node), suggestion(node, known)),
                "rv nodes lists the nodes that have one", ExitCode::usage);
  }
  if (!nodes.empty()) std::erase_if(records, [&](const auto& record) { return !contains(nodes, record.node); });
  return records;
}

std::string weight_text(double weight) {
  return weight == 0 ? "0" : fmt::format("{:.2g}", weight);
}

void print_table(const std::vector<NodeRecord>& records, const os::Terminal& terminal) {
  Table table;
  table.column("NODE", Table::Align::left, Table::Cut::never);
  for (const char* title : {"FAULTS", "COUNT AS"}) table.column(title, Table::Align::right);
  for (const char* title : {"PLANS", "LAST", "CAUSE"}) table.column(title);
  for (const auto& record : records) {
    const auto& last = record.faults.front().event;
    table.row({record.node, std::to_string(record.faults.size()), weight_text(record.weight),
               record.avoided() ? "avoid it" : "use it", local_time(last.time).substr(0, 16),
               std::string(failures::text_of(last.cause).text)});
    if (record.avoided()) table.tone(3, Tone::bad);
  }
  fmt::print("{}", table.text(terminal.table_width(), terminal.colour));
}

std::string counts_in_words(const monitor::NodeFault& fault) {
  if (!fault.excuse.empty()) return "does not count: " + fault.excuse;
  return "counts as " + weight_text(fault.weight);
}

void print_details(const NodeRecord& record, int width) {
  fmt::print("{}: {} that count as {}; {} ended well there since; plans {} (they avoid a node from {} on)\n",
             record.node, counted(static_cast<long long>(record.faults.size()), "fault"), weight_text(record.weight),
             counted(record.successes, "run"), record.avoided() ? "avoid it" : "use it",
             weight_text(monitor::faults_to_avoid));
  for (const auto& fault : record.faults) {
    fmt::print("  {}  run {} of {}: {}; {}\n", local_time(fault.event.time), fault.event.run, fault.event.user,
               failures::text_of(fault.event.cause).text, counts_in_words(fault));
    fmt::print("    {}\n", wrapped(fault.event.evidence, width - 4, 6));
  }
}

/// What an administrator needs, in a form that can be pasted into a mail.
void print_report(const std::vector<NodeRecord>& records, const std::string& cluster) {
  for (const auto& record : records) {
    fmt::print("Node {}{}: {} in the last 14 days\n", record.node, cluster.empty() ? "" : " of " + cluster,
               counted(static_cast<long long>(record.faults.size()), "failed run"));
    for (const auto& fault : record.faults) {
      const bool mine = fault.event.user == "you";
      fmt::print("  {}  {} ({} {}{})\n      {}\n", utc_time(fault.event.time),
                 failures::text_of(fault.event.cause).text, mine ? "my run" : "run", fault.event.run,
                 mine ? "" : " of " + fault.event.user, fault.event.evidence);
    }
    const auto& last = record.faults.front().event;
    const auto reason = fmt::format("{} {}", utc_date(last.time), failures::text_of(last.cause).text);
    fmt::print(
        "  To look at its GPUs:\n    srun -w {} nvidia-smi --query-gpu=index,serial,uuid,pci.bus_id --format=csv\n",
        record.node);
    fmt::print("  To drain it:\n    scontrol update NodeName={} State=DRAIN Reason={}\n", record.node, quote(reason));
  }
}

nlohmann::ordered_json to_json(const std::vector<NodeRecord>& records, const std::string& cluster) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& record : records) {
    auto faults = nlohmann::ordered_json::array();
    for (const auto& fault : record.faults) {
      faults.push_back({{"time", fault.event.time.time_since_epoch().count()},
                        {"cause", failures::text_of(fault.event.cause).name},
                        {"evidence", fault.event.evidence},
                        {"run", fault.event.run},
                        {"attempt", fault.event.attempt},
                        {"user", fault.event.user},
                        {"weight", fault.weight},
                        {"excuse", fault.excuse}});
    }
    list.push_back({{"node", record.node},
                    {"avoided", record.avoided()},
                    {"weight", record.weight},
                    {"successes", record.successes},
                    {"faults", faults}});
  }
  return {{"cluster", cluster}, {"nodes", list}};
}

void forget(const std::vector<NodeRecord>& records, const std::string& cluster, const Settings& settings) {
  const auto folder = node_event_folder(settings);
  const auto now = current_time();
  for (const auto& record : records) {
    folder.write({.kind = monitor::NodeEventKind::forgotten,
                  .cluster = cluster,
                  .node = record.node,
                  .evidence = "",
                  .run = "",
                  .command = "",
                  .time = now},
                 now);
  }
}

int run_nodes(const NodesOptions& options, const Invocation& invocation) {
  if (options.forget && options.nodes.empty()) {
    throw Error("--forget needs the names of nodes", "rv nodes lists them; then rv nodes --forget NODE",
                ExitCode::usage);
  }
  const auto cluster = name_of_this_cluster();
  const auto now = current_time();
  const auto records = chosen(monitor::node_records(node_event_folder(invocation.settings).read(cluster, now), now),
                              typed_nodes(options.nodes));
  if (options.forget) forget(records, cluster, invocation.settings);
  if (invocation.json) {
    fmt::print("{}", json_text(to_json(records, cluster)));
  } else if (options.forget) {
    fmt::print(stderr, "rv: plans use {} again; later faults are counted from 0\n",
               records.size() == 1 ? records.front().node : counted(static_cast<long long>(records.size()), "node"));
  } else if (records.empty()) {
    fmt::print(stderr, "rv: no run of the last 14 days failed because of a node\n");
  } else if (options.report) {
    print_report(records, cluster);
  } else if (options.nodes.empty()) {
    print_table(records, invocation.terminal);
  } else {
    for (const auto& record : records) print_details(record, invocation.terminal.width);
  }
  return 0;
}

void add_nodes(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto options = std::make_shared<NodesOptions>();
  add_option(command, "node", options->nodes, "show each fault of these nodes: n3, n[1-4] (default: a table of all)")
      .type_name("NODE");
  const auto forgets = add_flag(command, "--forget", options->forget,
                                "ignore the faults of these nodes so far, for example after a repair");
  add_flag(command, "--report", options->report, "print what an administrator needs to look at the nodes")
      .excludes(forgets);
  set_footer(command,
             "If a run fails and its output blames a node (a broken GPU, a node failure), rv records\n"
             "that. Plans avoid a node with two faults in 7 days. A run that ends well on the node halves\n"
             "what its earlier faults count.\n\n"
             "Examples:\n  rv nodes\n  rv nodes n3\n  rv nodes --report n3\n  rv nodes --forget n3");
  set_callback(command,
               [=, &invocation, &action] { action = [=, &invocation] { return run_nodes(*options, invocation); }; });
}

}  // namespace

extern const Command nodes_command{
    .name = "nodes",
    .summary = "List nodes on which runs failed; plans avoid these nodes",
    .group = groups::look_ahead,
    .nearest = {"node", "drain"},
    .add = add_nodes,
};

}  // namespace rv::cli
