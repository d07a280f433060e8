// Runs the command lines that make an environment, and shows how far they are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "cli/project/recipe.h"

namespace rv::project {

struct RecipePlace {
  std::string folder;              // where the programs run: the project's
  std::vector<std::string> setup;  // shell lines before each
  std::string log;                 // file that gets all that they say
  os::Terminal terminal;
  bool quiet = false;
  std::function<void(const std::string& line)> say;
};

struct RecipeEnd {
  int exit_code = 0;
  std::string failed;  // the command that did, for people
};

/// One after the other, until one fails. They end with this process.
RecipeEnd run_recipe(const Recipe& recipe, const RecipePlace& place);

}  // namespace rv::project
