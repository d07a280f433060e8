// The options of a call, kept to call the same command again.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace rv::cli {

/// The command's options as they were given, one argument each: "--gpus=4", "--mig". Positional arguments and the
/// options named in `left_out` are not among them.
std::vector<std::string> options_given(const CLI::App& command, const std::vector<std::string>& left_out);

/// Those of `earlier` whose option is not given to `command` now, then those given now.
std::vector<std::string> merged_options(const std::vector<std::string>& earlier, const CLI::App& command,
                                        const std::vector<std::string>& left_out);

/// Parses `arguments` as the options that `add` adds to a command. Throws Error(usage) where one is not valid, as of
/// another release of rv.
void parse_options(const std::vector<std::string>& arguments, const std::function<void(CLI::App&)>& add);

}  // namespace rv::cli
