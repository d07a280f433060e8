#include "cli/options/given.h"

#include <CLI/CLI.hpp>

namespace rv::cli {

bool given(const CLI::App& command, const std::string& option) {
  const CLI::Option* found = command.get_option_no_throw(option);
  return found != nullptr && found->count() > 0;
}

std::vector<std::string> given_texts(const CLI::App& command, const std::string& option) {
  const CLI::Option* found = command.get_option_no_throw(option);
  return found == nullptr ? std::vector<std::string>() : found->results();
}

}  // namespace rv::cli
