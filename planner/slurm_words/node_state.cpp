#include "planner/slurm_words/node_state.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace rv::planner {

namespace {

struct Word {
  std::string_view name;
  NodeStart start;
};

// Slurm's words for nodes: base states and flags of scontrol (src/common/slurm_protocol_defs.c: node_states,
// node_state_flags), the words of 20.11, and those that sinfo makes of several (node_state_string()).
constexpr std::array words{
    // base states
    Word{"IDLE", NodeStart::now}, Word{"MIXED", NodeStart::now}, Word{"ALLOCATED", NodeStart::now},
    Word{"DOWN", NodeStart::never}, Word{"ERROR", NodeStart::never}, Word{"FUTURE", NodeStart::never},
    Word{"UNKNOWN", NodeStart::some_time},  // has not registered since the controller was started
    // flags
    Word{"CLOUD", NodeStart::now}, Word{"DYNAMIC_NORM", NodeStart::now}, Word{"DYNAMIC_FUTURE", NodeStart::now},
    Word{"RESUME", NodeStart::now},  // of a request that is being carried out
    Word{"PLANNED", NodeStart::planned}, Word{"RESERVED", NodeStart::reserved},
    Word{"COMPLETING", NodeStart::cleaning},  // _pick_best_nodes() leaves out cg_node_bitmap
    Word{"POWERED_DOWN", NodeStart::boot}, Word{"POWERING_DOWN", NodeStart::boot}, Word{"POWER_DOWN", NodeStart::boot},
    Word{"POWERING_UP", NodeStart::boot}, Word{"POWER_UP", NodeStart::boot},
    Word{"REBOOT_REQUESTED", NodeStart::reboot}, Word{"REBOOT_ISSUED", NodeStart::reboot},
    Word{"MAINTENANCE", NodeStart::maintenance}, Word{"NOT_RESPONDING", NodeStart::some_time},
    // Another job has the whole of its block (--exclusive=topo): until that ends.
    Word{"BLOCKED", NodeStart::some_time}, Word{"DRAIN", NodeStart::never}, Word{"FAIL", NodeStart::never},
    Word{"INVALID_REG", NodeStart::never},
    // No slurmd: only jobs with --external start there (26.05, external_node_bitmap).
    Word{"EXTERNAL", NodeStart::never},
    // 20.11
    Word{"POWER", NodeStart::boot}, Word{"POWER_SAVING", NodeStart::boot}, Word{"REBOOT", NodeStart::reboot},
    Word{"MAINT", NodeStart::maintenance}, Word{"RES", NodeStart::reserved},
    // sinfo, which has no DRAIN and FAIL
    Word{"DRAINED", NodeStart::never}, Word{"DRAINING", NodeStart::never}, Word{"FAILING", NodeStart::never},
    Word{"INVAL", NodeStart::never}};

const Word* find_word(std::string_view name) {
  const auto* found = std::find_if(words.begin(), words.end(), [&](const Word& word) { return word.name == name; });
  return found == words.end() ? nullptr : found;
}

NodeStart start_of_flag(const std::string& flag) {
  const Word* word = find_word(flag);
  return word == nullptr ? NodeStart::unlisted : word->start;
}

bool is_reboot(const std::string& flag) {
  return start_of_flag(flag) == NodeStart::reboot;
}

/// What a reboot that was issued, or that drains the node until it is idle, has set itself.
bool is_of_reboot(const std::string& flag) {
  return is_reboot(flag) || flag == "DRAIN" || flag == "NOT_RESPONDING" || start_of_flag(flag) == NodeStart::boot;
}

/// _do_power_work() takes the DRAIN off a node that it powers down: scontrol update state=POWER_DOWN_ASAP sets both.
bool loses_drain(const NodeState& state) {
  return state.has("DRAIN") && state.has("POWER_DOWN") && !state.has("POWERED_DOWN");
}

bool has_jobs(const NodeState& state) {
  return state.base == "MIXED" || state.base == "ALLOCATED";
}

}  // namespace

bool NodeState::has(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

NodeStart NodeState::start() const {
  const Word* base_word = find_word(base);
  // A base state that is not known says nothing good of the node.
  NodeStart start = base_word == nullptr ? NodeStart::never : base_word->start;
  const bool rebooting = base == "REBOOT" || std::any_of(flags.begin(), flags.end(), is_reboot);
  // validate_node_specs(): with a next state the DRAIN goes, and the node stays away only where that is DOWN.
  const bool stays_away = next.starts_with("DOWN") || (next.empty() && has("DRAIN"));
  const bool comes_back = rebooting && !stays_away && (base_word == nullptr || base != "FUTURE");
  // Without DRAIN jobs start until the node happens to be idle.
  const bool waits_for_idle = rebooting && has_jobs(*this) && !has("DRAIN") && !has("REBOOT_ISSUED");
  if (comes_back && base == "DOWN") start = NodeStart::reboot;
  for (const std::string& flag : flags) {
    NodeStart of_flag = start_of_flag(flag);
    if (is_reboot(flag)) {
      of_flag = waits_for_idle ? NodeStart::planned : stays_away ? NodeStart::never : NodeStart::reboot;
    } else if (comes_back && is_of_reboot(flag)) {
      of_flag = NodeStart::reboot;
    } else if (flag == "DRAIN" && loses_drain(*this)) {
      of_flag = NodeStart::some_time;
    }
    start = std::max(start, of_flag);
  }
  return start;
}

bool NodeState::usable() const {
  return start() <= NodeStart::boot;
}

bool NodeState::may_return() const {
  return start() != NodeStart::never;
}

bool NodeState::returns_by_known_time() const {
  return start() <= NodeStart::maintenance;
}

bool NodeState::boots_first() const {
  return std::any_of(flags.begin(), flags.end(),
                     [](const std::string& flag) { return start_of_flag(flag) == NodeStart::boot; });
}

bool NodeState::reboots_first() const {
  return start() == NodeStart::reboot;
}

std::vector<std::string> NodeState::unlisted_flags() const {
  std::vector<std::string> unlisted;
  std::copy_if(flags.begin(), flags.end(), std::back_inserter(unlisted),
               [](const std::string& flag) { return find_word(flag) == nullptr; });
  return unlisted;
}

std::string to_text(const NodeState& state) {
  std::string text = state.base;
  for (const std::string& flag : state.flags) text += "+" + flag;
  if (!state.next.empty()) text += ", then " + state.next;
  return text;
}

}  // namespace rv::planner
