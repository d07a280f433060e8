#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/text.h"
#include "slurm/parse/field.h"
#include "slurm/parse/gres_text.h"
#include "slurm/parse/key_value.h"
#include "slurm/parse/parse_cluster.h"

namespace rv::slurm {
namespace {

// sinfo's suffixes, which scontrol uses for some states as well.
// node_state_string() in src/common/slurm_protocol_defs.c.
constexpr std::array<std::pair<char, std::string_view>, 9> suffixes{{{'*', "NOT_RESPONDING"},
                                                                     {'~', "POWERED_DOWN"},
                                                                     {'#', "POWERING_UP"},
                                                                     {'!', "POWER_DOWN"},
                                                                     {'%', "POWERING_DOWN"},
                                                                     {'$', "MAINTENANCE"},
                                                                     {'@', "REBOOT_REQUESTED"},
                                                                     {'^', "REBOOT_ISSUED"},
                                                                     {'-', "PLANNED"}}};

planner::Node parse_node(const KeyValues& values) {
  planner::Node node;
  node.name = values["NodeName"];
  node.state = parse_node_state(values["State"]);
  if (!is_nothing(values["NextState"])) node.state.next = values["NextState"];
  node.gpus = parse_gpu_pools(values["Gres"], values["GresUsed"]);
  // CPUEfctv leaves out the cores kept for the system; 20.11 does not know it.
  node.cpus = static_cast<int>(parse_number(values["CPUEfctv"]).value_or(parse_number(values["CPUTot"]).value_or(0)));
  node.cpus_used = static_cast<int>(parse_number(values["CPUAlloc"]).value_or(0));
  node.sockets = static_cast<int>(parse_number(values["Sockets"]).value_or(0));
  node.weight = parse_number(values["Weight"]).value_or(1);
  const auto reserved = parse_number(values["MemSpecLimit"]).value_or(0);
  node.memory.count = parse_number(values["RealMemory"]).value_or(0) - reserved;
  node.memory_used.count = parse_number(values["AllocMem"]).value_or(0);
  node.features = list_of(values["ActiveFeatures"]);
  for (std::string& feature : list_of(values["AvailableFeatures"])) {
    if (!contains(node.features, feature)) node.other_features.push_back(std::move(feature));
  }
  node.partitions = list_of(values["Partitions"]);
  // "Owner=ann(1001)"
  if (!is_nothing(values["Owner"])) node.owner = values["Owner"].substr(0, values["Owner"].rfind('('));
  node.reason = parse_node_reason(values["Reason"]);
  return node;
}

}  // namespace

planner::NodeState parse_node_state(std::string_view text) {
  planner::NodeState state;
  // sinfo's "ALLOCATED+": some of its jobs are completing.
  const bool completing = text.ends_with('+');
  if (completing) text.remove_suffix(1);
  for (auto word : split(text, '+')) {
    std::vector<std::string> marks;
    for (bool stripped = true; stripped && !word.empty();) {
      stripped = false;
      for (const auto& [mark, flag] : suffixes) {
        if (word.ends_with(mark)) {
          marks.emplace_back(flag);
          word.remove_suffix(1);
          stripped = true;
          break;
        }
      }
    }
    if (state.base.empty()) {
      state.base = word;
    } else if (!word.empty()) {
      state.flags.emplace_back(word);
    }
    state.flags.insert(state.flags.end(), marks.begin(), marks.end());
  }
  if (completing) state.flags.emplace_back("COMPLETING");
  return state;
}

std::string parse_node_reason(std::string_view text) {
  std::string reason;
  const auto line = next_line(text);
  const auto at = line.rfind('@');
  const auto when = line.ends_with(']') && at != std::string_view::npos
                        ? parse_number(line.substr(at + 1, line.size() - at - 2))
                        : std::nullopt;
  if (when && *when > 0) {
    const std::chrono::sys_seconds time{std::chrono::seconds(*when)};
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    reason = fmt::format("{}@{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC]", line.substr(0, at), int(date.year()),
                         unsigned(date.month()), unsigned(date.day()), clock.hours().count(), clock.minutes().count(),
                         clock.seconds().count());
  } else {
    reason = line;
  }
  // Further lines of the text stand behind the stamp.
  while (!text.empty()) {
    auto rest = next_line(text);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (!rest.empty()) reason += " " + std::string(rest);
  }
  return reason;
}

std::vector<planner::Node> parse_nodes(std::string_view text) {
  std::vector<planner::Node> nodes;
  while (!text.empty()) {
    const auto record = next_record(text, "NodeName=");
    if (!record.empty()) nodes.push_back(parse_node(KeyValues(record)));
  }
  return nodes;
}

}  // namespace rv::slurm
