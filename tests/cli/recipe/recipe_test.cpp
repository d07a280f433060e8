#include "cli/recipe/recipe.h"

#include <doctest/doctest.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/options/value_option.h"
#include "tests/base/temporary_folder.h"

namespace rv::cli {
namespace {

using Words = std::vector<std::string>;

/// Options of the kinds that rv run has.
struct Options {
  int gpus = 0;
  std::vector<std::string> types;
  Words variables;
  bool mig = false;
  bool follow = false;

  void add(CLI::App& app) {
    const auto number = [](const std::string& option, const std::string& text) {
      if (text != "4") throw Error(option + " \"" + text + "\": expected 4", "write 4", ExitCode::usage);
      return 4;
    };
    add_value(app, "-g,--gpu,--gpus", gpus, number, "number of GPUs").type_name("N");
    add_option(app, "-t,--type", types, "GPU types").delimiter(',');
    add_repeated_option(
        app, "-e,--env", [this](const std::string& text) { variables.push_back(text); }, "a variable");
    add_flag(app, "--mig", mig, "use MIG");
    add_flag(app, "-f,--follow", follow, "follow");
  }
};

void add_all(CLI::App& app) {
  static Options options;
  options.add(app);
}

Recipe read(const std::string& text, const AddOptions& add = add_all) {
  const TemporaryFolder folder;
  const auto path = folder.path() + "/task.yaml";
  os::write_file(path, text);
  return read_recipe(path, add);
}

std::string fault_of(const std::string& text, const AddOptions& add = add_all) {
  try {
    read(text, add);
  } catch (const Error& fault) {
    CHECK(fault.code() == ExitCode::usage);
    const std::string what = fault.what();
    return what.substr(what.find(".yaml") + 5) + " / " + fault.advice();
  }
  return "";
}

TEST_CASE("a recipe is options and a command") {
  const auto recipe = read(
      "# a comment\ngpu: 4\ntype: [a40, h100]\nmig: true\nenv:\n  SEED: 7\n  NAME: 'a b=c'\n"
      "command: python train.py --lr 3e-4\n");
  CHECK(recipe.options == Words{"--gpu=4", "--type=a40", "--type=h100", "--mig", "--env=SEED=7", "--env=NAME=a b=c"});
  CHECK(recipe.command == Words{"python train.py --lr 3e-4"});
  CHECK(read("command: [python, train.py, '--name', 'a b']").command == Words{"python", "train.py", "--name", "a b"});
  CHECK(read("mig: false").options.empty());
  CHECK(read("").options.empty());
}

TEST_CASE("what a recipe gets wrong is named with its line and the way out") {
  CHECK(
      fault_of("gpu: 4\ntyp: a40\n").starts_with(":2: unknown key \"typ\"; did you mean \"type\"? / known keys: gpu"));
  CHECK(
      fault_of("follow: true\n").starts_with(":1: follow: this option can't be in a recipe / give it on the command"));
  CHECK(fault_of("gpu: 5\n") == ":1: --gpu \"5\": expected 4 / write 4");
  CHECK(fault_of("gpu: [4]\n").starts_with(":1: gpu: expected a string"));
  CHECK(fault_of("mig: maybe\n").starts_with(":1: mig: expected true or false"));
  CHECK(fault_of("env: SEED\n").starts_with(":1: env: expected names with values"));
  CHECK(fault_of("command: []\n").starts_with(":1: command: expected a command"));
  CHECK(fault_of("gpu: 4\ngpu: 4\n").find("gpu") != std::string::npos);
  CHECK(fault_of("- gpu\n").find("expected keys with values") != std::string::npos);
  CHECK(fault_of("gpu: {\n").find("not valid YAML") != std::string::npos);
  CHECK_THROWS_AS(read_recipe("/nonexistent/task.yaml", add_all), Error);
}

TEST_CASE("an option that rv run refuses is not a key, and its refusal names the command") {
  const AddOptions add = [](CLI::App& command) {
    command.add_option("--gpu")->type_name("N");
    command
        .add_option_function<std::string>("--gres",
                                          [&command](const std::string& text) {
                                            throw Error("rv " + command.get_name() + " does not accept --gres " + text,
                                                        "write -g N", ExitCode::usage);
                                          })
        ->group("");
  };
  CLI::App command;
  add(command);
  CHECK(recipe_schema(command).find("gres") == std::string::npos);
  CHECK(fault_of("gres: 4\n", add) == ":1: rv run does not accept --gres 4 / write -g N");
}

TEST_CASE("a recipe that is written is read back") {
  const Recipe recipe{.options = {"--gpu=4", "--type=a40", "--type=h100", "--mig", "--env=SEED=7", "--env=TEXT=a: #b"},
                      .command = {"bash", "-c", "echo \"$SEED\"\nexit 3", "yes", "7", "~", ""}};
  const auto again = read(recipe_text(recipe, add_all));
  CHECK(again.options == recipe.options);
  CHECK(again.command == recipe.command);
  const Recipe line{.options = {}, .command = {"echo a # no comment"}};
  CHECK(read(recipe_text(line, add_all)).command == line.command);
}

}  // namespace
}  // namespace rv::cli
