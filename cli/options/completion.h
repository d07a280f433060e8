// Completion scripts, generated from the command tree so that they can't fall behind it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace rv::cli {

/// Of a positional, the words that may stand there are completed where its type names them: "bash|zsh|fish"; runs,
/// types, partitions and accounts come from `rv --words KIND`, which reads local files (completion_words.h).
/// `shell` is "bash", "zsh" or "fish"; empty for another.
std::optional<std::string> completion_script(const CLI::App& app, std::string_view shell);

}  // namespace rv::cli
