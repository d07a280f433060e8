// The real command tree, for tests.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/commands/commands.h"
#include "cli/options/user_command.h"

namespace rv::cli {

struct TestApp {
  Invocation invocation;
  Action action;
  std::unique_ptr<CLI::App> app = make_app(invocation, action);

  SplitCommandLine split(const std::vector<std::string>& words) const {
    return split_command(*app, words, nearest_commands());
  }
};

}  // namespace rv::cli
