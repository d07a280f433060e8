#include "cli/commands/commands.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "tests/cli/fixture_app.h"

namespace rv::cli {

namespace {

using Words = std::vector<std::string>;

/// What a command says of a call with these words.
bool says(const char* name, OfCall Command::*property, Words words) {
  const TestApp test;
  words.insert(words.begin(), name);
  std::reverse(words.begin(), words.end());
  test.app->parse(std::move(words));
  const OfCall asked = command_named(name).*property;
  return asked != nullptr && asked(*test.app->get_subcommand(name));
}

}  // namespace

TEST_CASE("the command tree matches the declarations of the commands") {
  const TestApp test;
  const auto tree = test.app->get_subcommands([](const CLI::App*) { return true; });
  REQUIRE(tree.size() == all_commands().size());
  std::set<std::string> names;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const Command& command = *all_commands()[i];
    CAPTURE(command.name);
    CHECK(names.insert(command.name).second);
    CHECK(&command_named(command.name) == &command);
    CHECK(tree[i]->get_name() == command.name);
    CHECK(tree[i]->get_group() == command.group);
    CHECK(tree[i]->get_description() == command.summary);
  }
  CHECK_THROWS_AS(command_named("nothing"), std::out_of_range);
}

TEST_CASE("a synonym or suggestion belongs to one command and never hides a command") {
  std::set<std::string_view> words;
  for (const Command* command : all_commands()) CHECK(words.insert(command->name).second);
  for (const Command* command : all_commands()) {
    for (const auto& list : {command->synonyms, command->nearest}) {
      for (const auto word : list) {
        CAPTURE(word);
        if (!word.empty()) CHECK(words.insert(word).second);
      }
    }
  }
}

TEST_CASE("the commands that stay on the machine where they are typed") {
  Words here;
  for (const Command* command : all_commands()) {
    if (command->runs_on == RunsOn::here) here.emplace_back(command->name);
  }
  CHECK(here == Words{"forward", "pull", "init", "sync", "mcp", "completion"});
  for (const char* name : {"plan", "render", "up", "run", "map", "accept", "cluster"}) {
    CAPTURE(name);
    CHECK(says(name, &Command::stays_here, {"--cluster", "saved.json"}));
    CHECK(!says(name, &Command::stays_here, {}));
  }
  for (const char* name : {"accept", "stress"}) {
    CAPTURE(name);
    CHECK(says(name, &Command::stays_here, {"--local"}));
    CHECK(says(name, &Command::stays_here, {"--hosts", "n1,n2"}));
  }
  CHECK(says("sweep", &Command::stays_here, {"--local", "--over", "n=1"}));
  CHECK(says("sweep", &Command::stays_here, {}));  // rv sweep compare A B
  CHECK(!says("sweep", &Command::stays_here, {"--over", "n=1"}));
  CHECK(says("env", &Command::stays_here, {"import", ".env"}));
  CHECK(says("env", &Command::stays_here, {"set", "TOKEN", "--from-env"}));
  CHECK(!says("env", &Command::stays_here, {"set", "TOKEN"}));
}

TEST_CASE("a command that can start a run of a project can leave its dependencies out, or agree to its code") {
  const TestApp test;
  Words starts;
  for (const Command* command : all_commands()) {
    const auto& app = *test.app->get_subcommand(command->name);
    const auto has = [&](const char* option) { return app.get_option_no_throw(option) != nullptr; };
    if (has("--no-deps")) starts.emplace_back(command->name);
    CAPTURE(command->name);
    CHECK((!has("--no-deps") || has("--trust-project")));
  }
  for (const char* name : {"up", "run", "map", "jupyter", "sweep", "stress"}) {
    CAPTURE(name);
    CHECK(std::find(starts.begin(), starts.end(), name) != starts.end());
  }
}

TEST_CASE("the commands that need no settings") {
  Words without;
  for (const Command* command : all_commands()) {
    if (!command->needs_settings) without.emplace_back(command->name);
  }
  CHECK(without == Words{"exec", "completion"});
}

TEST_CASE("the calls that need this folder's files") {
  CHECK(says("run", &Command::needs_files, {"-g", "2"}));
  CHECK(!says("run", &Command::needs_files, {"--dry-run"}));
  CHECK(!says("run", &Command::needs_files, {"--no-sync"}));
  CHECK(says("up", &Command::needs_files, {"--run", "true"}));
  CHECK(!says("up", &Command::needs_files, {}));
  CHECK(!says("up", &Command::needs_files, {"--run", "true", "--dry-run"}));
  CHECK(says("map", &Command::needs_files, {"-g", "2"}));
  CHECK(!says("map", &Command::needs_files, {"--results", "k3f9x2"}));
  CHECK(says("jupyter", &Command::needs_files, {}));
  CHECK(!says("jupyter", &Command::needs_files, {"--attach", "train"}));
  CHECK(!says("plan", &Command::needs_files, {}));
}

TEST_CASE("the calls whose output continues after a lost connection") {
  CHECK(says("run", &Command::follows, {"-f"}));
  CHECK(!says("run", &Command::follows, {}));
  CHECK(says("logs", &Command::follows, {"--follow"}));
  CHECK(says("up", &Command::follows, {"--run", "true"}));
  CHECK(!says("up", &Command::follows, {"--run", "true", "--detach"}));
  CHECK(says("jupyter", &Command::follows, {}));
  CHECK(!says("jupyter", &Command::follows, {"--dry-run"}));
  CHECK(!says("ps", &Command::follows, {}));
}

TEST_CASE("a call that is repeated after a lost connection does not start its run again") {
  Words starts_none;
  for (const Command* command : all_commands()) {
    if (command->follows != nullptr && command->resume == nullptr) starts_none.emplace_back(command->name);
  }
  CHECK(starts_none == Words{"logs"});
}

}  // namespace rv::cli
