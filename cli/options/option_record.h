// The options of a call, kept to call the same command again.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace rv::cli {

/// The present name of an option of an earlier release: "--segment-time" for "--segment", which sbatch has with another
/// meaning. Another name is returned as it is.
std::string_view current_name(std::string_view option);

/// The command's options as they were given, one argument each: "--gpus=4", "--mig". Positional arguments, the
/// general options and those named in `left_out` are not among them.
std::vector<std::string> options_given(const CLI::App& command, const std::vector<std::string>& left_out);

/// Those of `earlier` whose option is not given to `command` now, then those given now. --sbatch and --env count
/// as that many options as they have keys.
std::vector<std::string> merged_options(const std::vector<std::string>& earlier, const CLI::App& command,
                                        const std::vector<std::string>& left_out);

/// The arguments of `earlier` that `now` does not replace, then those of `now`: the same for unparsed arguments.
std::vector<std::string> overridden(const std::vector<std::string>& earlier, const std::vector<std::string>& now);

/// Removes "(default: …)" from the help of all options of `command` except `kept` ("--raw"): the values that are not
/// given to it come from an earlier call.
void remove_defaults(CLI::App& command, const std::vector<std::string>& kept);

/// Parses `arguments` as the options that `add` adds to a command. Throws Error(usage) where one is not valid, as of
/// another release of rv.
void parse_options(const std::vector<std::string>& arguments, const std::function<void(CLI::App&)>& add);

}  // namespace rv::cli
