#include "cli/project/script_block.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/documents/json_members.h"
#include "base/error.h"
#include "cli/project/decoded.h"
#include "cli/project/toml.h"

namespace rv::project {
namespace {

/// The lines between "# /// script" and the last "# ///" before a line that is not a comment, as PEP 723 has it.
std::vector<std::string> blocks_of(const std::string& text) {
  std::vector<std::string> blocks;
  std::istringstream lines(text);
  std::string block, closed;
  bool open = false, ended = false;
  const auto close = [&] {
    if (open && ended) blocks.push_back(closed);
    open = ended = false;
    block.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!open) {
      open = line == "# /// script";
      continue;
    }
    if (line == "# ///") {
      closed = block;
      ended = true;
    }
    const bool comment = line == "#" || line.starts_with("# ");
    if (!comment) {
      close();
    } else {
      block += (line.size() > 2 ? line.substr(2) : "") + "\n";
    }
  }
  close();
  return blocks;
}

}  // namespace

std::optional<ScriptBlock> script_block(std::string_view text, const std::string& script) {
  const auto blocks = blocks_of(decoded(text));
  if (blocks.empty()) return std::nullopt;
  const auto toml = parse_toml(blocks.front());
  if (blocks.size() > 1 || !toml) {
    throw Error(fmt::format("{}: its block \"# /// script\" {}", script,
                            blocks.size() > 1 ? "comes twice" : "is not valid TOML"),
                "correct it (PEP 723); --no-deps runs the script without its dependencies", ExitCode::usage);
  }
  ScriptBlock block{.dependencies = {}, .python = member_text(*toml, "requires-python"), .text = blocks.front()};
  const auto& needed = member_of(*toml, "dependencies");
  if (!needed.is_array()) return block;
  for (const auto& one : needed) {
    if (one.is_string()) block.dependencies.push_back(one.get<std::string>());
  }
  return block;
}

}  // namespace rv::project
