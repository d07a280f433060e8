#include "slurm/parse/parse_topology.h"

#include <cstdint>
#include <sstream>

#include "slurm/parse/field.h"
#include "slurm/parse/hostlist.h"

namespace rv::slurm {
namespace {

struct Switch {
  std::string name;
  std::int64_t level = -1;
  std::string nodes;
};

/// "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=s[0-1]": no value holds a blank.
Switch parse_switch(std::string_view line) {
  Switch one;
  std::istringstream words{std::string(line)};
  for (std::string word; words >> word;) {
    const std::string_view pair = word;
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    const auto key = pair.substr(0, equals);
    const auto value = pair.substr(equals + 1);
    if (key == "SwitchName") one.name = value;
    if (key == "Level") one.level = parse_number(value).value_or(-1);
    if (key == "Nodes") one.nodes = value;
  }
  return one;
}

}  // namespace

std::map<std::string, std::string> parse_top_switches(std::string_view text) {
  std::map<std::string, std::string> highest;
  std::map<std::string, std::int64_t> level_of;
  while (!text.empty()) {
    const Switch one = parse_switch(next_line(text));
    if (one.name.empty() || one.level < 0) continue;
    for (const std::string& node : expand_hostlist(one.nodes)) {
      const auto [at, fresh] = level_of.try_emplace(node, one.level);
      if (!fresh && at->second >= one.level) continue;
      at->second = one.level;
      highest[node] = one.name;
    }
  }
  return highest;
}

}  // namespace rv::slurm
