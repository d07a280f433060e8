// A recipe: the options and the command of rv run in a YAML file.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace rv::cli {

struct Recipe {
  std::vector<std::string> options;  // one argument each: "--gpu=4", "--mig", "--env=SEED=1"
  std::vector<std::string> command;  // words, or one shell line; empty: the file has none
};

/// The options of one call, such as "--follow" and "--file": a recipe can't have them, and rv does not record them.
const std::vector<std::string>& call_options();

/// Adds the options of a command.
using AddOptions = std::function<void(CLI::App&)>;

/// Reads the file. Its keys are `command`, and names of options that `add` adds, except call_options(). A flag is true
/// or false, an option that may be repeated takes a list, and `env` takes a mapping of names to values. Throws
/// Error(usage) that names file, line and key: for a file that can't be read or is not a mapping, an unknown key, with
/// the nearest option, and for a value that the option refuses.
Recipe read_recipe(const std::string& path, const AddOptions& add);

/// The file for a recipe, whose options `add` adds.
std::string recipe_text(const Recipe& recipe, const AddOptions& add);

/// The published schema (docs/recipe.schema.json): JSON Schema 2020-12, from the options that `command` has.
std::string recipe_schema(const CLI::App& command);

}  // namespace rv::cli
