#include <array>
#include <utility>

#include "base/text.h"
#include "slurm/parse/field.h"
#include "slurm/parse/gres_text.h"
#include "slurm/parse/key_value.h"
#include "slurm/parse/parse_cluster.h"

namespace rv::slurm {
namespace {

// sinfo's suffixes, which scontrol uses for some states as well.
constexpr std::array<std::pair<char, std::string_view>, 8> suffixes{{{'*', "NOT_RESPONDING"},
                                                                     {'~', "POWERED_DOWN"},
                                                                     {'#', "POWERING_UP"},
                                                                     {'!', "POWERING_DOWN"},
                                                                     {'%', "POWERING_DOWN"},
                                                                     {'$', "MAINTENANCE"},
                                                                     {'@', "REBOOT_ISSUED"},
                                                                     {'^', "REBOOT_ISSUED"}}};

planner::Node parse_node(const KeyValues& values) {
  planner::Node node;
  node.name = values["NodeName"];
  node.state = parse_node_state(values["State"]);
  node.gpus = parse_gpu_pools(values["Gres"], values["GresUsed"]);
  // CPUEfctv leaves out the cores kept for the system; 20.11 does not know it.
  node.cpus = static_cast<int>(parse_number(values["CPUEfctv"]).value_or(parse_number(values["CPUTot"]).value_or(0)));
  node.cpus_used = static_cast<int>(parse_number(values["CPUAlloc"]).value_or(0));
  const auto reserved = parse_number(values["MemSpecLimit"]).value_or(0);
  node.memory.count = parse_number(values["RealMemory"]).value_or(0) - reserved;
  node.memory_used.count = parse_number(values["AllocMem"]).value_or(0);
  node.features = list_of(values["ActiveFeatures"]);
  for (std::string& feature : list_of(values["AvailableFeatures"])) {
    if (!contains(node.features, feature)) node.other_features.push_back(std::move(feature));
  }
  node.partitions = list_of(values["Partitions"]);
  node.reason = values["Reason"];
  return node;
}

}  // namespace

planner::NodeState parse_node_state(std::string_view text) {
  planner::NodeState state;
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
  return state;
}

std::vector<planner::Node> parse_nodes(std::string_view text) {
  std::vector<planner::Node> nodes;
  while (!text.empty()) {
    const auto line = next_line(text);
    if (line.starts_with("NodeName=")) nodes.push_back(parse_node(KeyValues(line)));
  }
  return nodes;
}

}  // namespace rv::slurm
