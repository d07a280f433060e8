// Help pages, made from the command tree.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace rv::cli {

/// The root: what rv is, the commands by group. A subcommand: usage, options by group. Both: examples (the app's
/// footer) last. Ends with a newline.
std::string help_text(const CLI::App& app, int width);

}  // namespace rv::cli
