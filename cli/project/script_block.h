// The dependencies that a Python script declares: the block of PEP 723.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::project {

struct ScriptBlock {
  std::vector<std::string> dependencies;
  std::string python;  // requires-python; empty: any
  std::string text;    // the block, without its "# "
};

/// Nothing for a script without such a block. Throws Error(usage), naming `script`, for a block that is not TOML or
/// that comes twice.
std::optional<ScriptBlock> script_block(std::string_view text, const std::string& script);

}  // namespace rv::project
