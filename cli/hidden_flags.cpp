#include "cli/hidden_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string_view>

#include "base/error.h"
#include "cli/acceptance/preflight.h"
#include "cli/app.h"
#include "cli/map/dispatcher.h"
#include "cli/options/completion_words.h"
#include "cli/recipe/recipe.h"
#include "cli/remote/forward/login_relay.h"
#include "cli/remote/forward/node_relay.h"
#include "cli/remote/hop/build_id.h"
#include "cli/remote/sync/rsync_shell.h"
#include "cli/views/man_page.h"
#include "shared/sha256.h"

namespace rv::cli {

namespace {

/// The manual pages. The build writes them to files (cli/CMakeLists.txt).
int print_man_page(const std::string& command, Invocation& invocation) {
  Action none;
  const auto app = make_app(invocation, none);
  if (command == "rv") {
    fmt::print("{}", man_page(*app));
    return 0;
  }
  const auto commands = all_commands();
  if (std::none_of(commands.begin(), commands.end(), [&](const auto* one) { return one->name == command; })) {
    throw Error("unknown command " + command, "see rv --help", ExitCode::usage);
  }
  fmt::print("{}", man_page(*app->get_subcommand(command)));
  return 0;
}

int print_recipe_schema(Invocation& invocation) {
  Action none;
  const auto app = make_app(invocation, none);
  fmt::print("{}", recipe_schema(*app->get_subcommand("run")));
  return 0;
}

/// An argument vector that is not for users: one rv starts another with it, a shell asks for completions, the build for
/// manual pages, a test for the schema of recipes. No settings are read for it, and it has no help and no completion.
struct HiddenFlag {
  std::string_view flag;
  std::function<int(const std::string& value, Invocation& invocation)> run;
  bool takes_value = true;
  bool with_hop = false;  // allowed inside --hop, too
};

const std::vector<HiddenFlag>& hidden_flags() {
  static const std::vector<HiddenFlag> flags = {
      // The laptop's rv compares that with its own before it copies itself to a login node.
      {"--checksum",
       [](const auto&, auto&) {
         fmt::print("{}\n", sha256_hex(remote::own_binary()));
         return 0;
       },
       /*takes_value=*/false},
      {"--man-page", print_man_page},
      {"--recipe-schema", [](const auto&, auto& rv) { return print_recipe_schema(rv); }, /*takes_value=*/false},
      {"--words", [](const auto& line, auto&) { return print_completion_words(line); }},
      // The far ends of a forward (cli/remote/forward).
      {"--relay", [](const auto& login, auto&) { return forward::relay_from_login_node(login); }, true,
       /*with_hop=*/true},
      {"--relay-on-node", [](const auto& node, auto&) { return forward::relay_on_node(node); }, true,
       /*with_hop=*/true},
      // The tasks of rv map on one node of its job (cli/map/dispatcher).
      {"--map-tasks", [](const auto& run_folder, auto&) { return dispatch_tasks(run_folder); }},
      // The test of a job's nodes before its command (cli/acceptance/preflight).
      {"--preflight", [](const auto& folder, auto&) { return run_preflight(folder); }},
      {"--listening-ports", [](const auto& job, auto&) { return forward::print_listening_ports(job); }, true,
       /*with_hop=*/true},
  };
  return flags;
}

}  // namespace

std::optional<int> run_hidden(const std::vector<std::string>& words, Invocation& invocation, bool in_hop) {
  for (const auto& hidden : hidden_flags()) {
    if (words.size() != (hidden.takes_value ? 2U : 1U) || words.front() != hidden.flag) continue;
    if (!in_hop || hidden.with_hop) return hidden.run(words.back(), invocation);
  }
  // Takes rsync's own arguments behind it.
  if (!in_hop && !words.empty() && words.front() == "--rsh") return sync::run_rsync_shell(words);
  return std::nullopt;
}

}  // namespace rv::cli
