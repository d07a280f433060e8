#include "cli/kubernetes/check_nodes.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/table.h"
#include "base/text.h"
#include "cli/json/values_json.h"
#include "cli/kubernetes/job_order_of.h"
#include "cli/kubernetes/kubectl.h"
#include "cli/kubernetes/pods/names.h"
#include "cli/kubernetes/pods/node_check.h"

namespace rv::cli {
namespace {

using kubernetes::ClusterCheck;

kubernetes::ClusterFacts facts_for(const std::string& from) {
  if (!from.empty()) {
    const auto text = os::read_file(from == "-" ? "/dev/stdin" : from);
    if (!text) {
      throw Error(fmt::format("--from {}: no such file", from),
                  "write the file with kubectl get nodes,pods -A -o json >FILE", ExitCode::usage);
    }
    return kubernetes::cluster_facts(*text, "--from " + from);
  }
  const auto both = kubectl({"get", "nodes,pods", "--all-namespaces", "-o", "json"});
  if (both.ok) return kubernetes::cluster_facts(both.out, "kubectl get nodes,pods");
  // Not every user may list the pods of others.
  return kubernetes::cluster_facts(kubectl_out({"get", "nodes", "-o", "json"}, "the nodes can't be read"),
                                   "kubectl get nodes");
}

std::string gpus_of(const kubernetes::NodeCheck& node) {
  if (node.capacity == 0) return node.shows_gpus ? "not offered" : "-";
  if (node.shares) return kubernetes::shown(*node.shares, node.capacity);
  if (node.allocatable == node.capacity) return std::to_string(node.capacity);
  return fmt::format("{} of {}", node.allocatable, node.capacity);
}

/// A node's reasons stand below its row, whole: they are what the check is for, and have the option to type.
std::string table_of(const ClusterCheck& check, const Invocation& invocation) {
  Table table;
  table.column("NODE", Table::Align::left, Table::Cut::never);
  table.column("GPUS", Table::Align::right);
  table.column("IN USE", Table::Align::right);
  table.column("TAKES A POD");
  table.column("MODEL");
  for (const auto& node : check.nodes) {
    const bool takes = node.reasons.empty();
    table.row({one_line(node.node), gpus_of(node), node.used ? std::to_string(*node.used) : "?", takes ? "yes" : "no",
               node.model.empty() ? "-" : one_line(node.model)});
    table.tone(3, takes ? Tone::good : Tone::bad);
  }
  const auto rows = table.text(invocation.terminal.table_width(), invocation.terminal.colour);
  auto end = rows.find('\n') + 1;  // of the titles
  auto out = rows.substr(0, end);
  for (const auto& node : check.nodes) {
    const auto begin = end;
    end = rows.find('\n', begin) + 1;
    out += rows.substr(begin, end - begin);
    for (const auto& reason : node.reasons) {
      out += wrapped("  " + one_line(reason), invocation.terminal.table_width(), 4) + "\n";
    }
  }
  return out;
}

void print_check(const ClusterCheck& check, const kubernetes::JobOrder& order, const Invocation& invocation) {
  fmt::print("{}", table_of(check, invocation));
  for (const auto& pod : check.waiting) {
    fmt::print("waits  {}/{}: {}\n", one_line(pod.space), one_line(pod.name),
               pod.why.empty() ? "the scheduler has given no reason" : one_line(pod.why));
  }
  const auto pods = order.gpus_per_node > 0 ? fmt::format("{} with {} each", counted(check.wanted, "pod"),
                                                          counted(order.gpus_per_node, "GPU"))
                                            : counted(check.wanted, "pod");
  fmt::print("{}: {} would be scheduled{}\n", pods, std::min(check.would_take, check.wanted),
             check.pods_known ? "" : "; the GPUs in use are unknown");
}

}  // namespace

int check_nodes(const AcceptOptions& options, const Invocation& invocation) {
  if (!options.kubernetes->space.empty()) kubernetes::check_namespace("--namespace", options.kubernetes->space);
  const auto order = job_order_of(options);
  const auto check = kubernetes::check_cluster(facts_for(options.kubernetes->from), order);
  if (invocation.json) {
    fmt::print("{}", json_text(to_json(check, order)));
  } else {
    print_check(check, order, invocation);
  }
  return static_cast<int>(check.fits() ? ExitCode::ok : ExitCode::no_strategy);
}

}  // namespace rv::cli
