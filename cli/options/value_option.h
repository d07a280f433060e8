// An option whose text becomes a value when the command line is read, once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/options/command_option.h"

namespace rv::cli {

/// "--gpu" of "-g,--gpu,--gpus": how messages call the option.
inline std::string long_name(const std::string& names) {
  const auto begin = names.find("--");
  return names.substr(begin, names.find(',', begin) - begin);
}

/// `read(option, text)` gives the value, or throws Error(usage) that names the option. `value` outlives the command.
template <class Value, class Read>
CommandOption add_value(CLI::App& command, const std::string& names, Value& value, Read read,
                        const std::string& description) {
  return add_text_option(
      command, names,
      [&value, read, option = long_name(names)](const std::string& text) { value = read(option, text); }, description);
}

/// For an option that may be repeated: `keep(option, text)` is called for each.
template <class Keep>
CommandOption add_values(CLI::App& command, const std::string& names, Keep keep, const std::string& description) {
  return add_repeated_option(
      command, names, [keep, option = long_name(names)](const std::string& text) { keep(option, text); }, description);
}

/// Adds the items of every such text to `list`. `read` gives the items of one.
template <class Read>
CommandOption add_list(CLI::App& command, const std::string& names, std::vector<std::string>& list, Read read,
                       const std::string& description) {
  return add_values(
      command, names,
      [&list, read](const std::string& option, const std::string& text) {
        for (auto& item : read(option, text)) list.push_back(std::move(item));
      },
      description);
}

}  // namespace rv::cli
