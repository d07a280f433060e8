// rv ssh and rv shell: a shell in a run's allocation. Both names run the same command. rv ssh also brings ssh
// itself there.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/border/checked_name.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/interrupt.h"
#include "base/os/user_name.h"
#include "base/text.h"
#include "base/variable.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/follow_run.h"
#include "cli/launch/login_node.h"
#include "cli/open/node_ssh.h"
#include "cli/open/ssh_config_value.h"
#include "cli/open/ssh_entries.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/option_values.h"
#include "cli/options/run_argument.h"
#include "cli/options/value_option.h"
#include "cli/remote/hop/hop.h"
#include "monitor/follow/allocation_shell.h"
#include "monitor/race/watch_runs.h"

namespace rv::cli {
namespace {

struct ShellOptions {
  RunArgument word;
  std::string node;
  std::optional<int> element;
  bool config = false;
  bool remove = false;
  bool stdio = false;
};

std::shared_ptr<ShellOptions> add_options(CLI::App& command) {
  auto options = std::make_shared<ShellOptions>();
  options->word =
      add_run_argument(command, "ID, name, or unique beginning of an ID (default: the newest run that holds GPUs)");
  add_option(command, "--node", options->node, "node of the run (default: its first)").type_name("NODE");
  add_value(command, "--element", options->element, count_from(0, 4'000'000),
            "element of an array (default: the first that runs)")
      .type_name("INDEX");
  return options;
}

std::string footer(const std::string& name) {
  return "Without a terminal the shell reads its commands from stdin.\n\nExamples:\n  rv " + name + "\n  rv " + name +
         " k3f9x2 --node udc-an28-2\n  echo nvidia-smi | rv " + name + " k3f9x2";
}

int enter(const ShellOptions& options, const Invocation& invocation) {
  const auto runs = monitor::runs_in(invocation.settings.runs_folder());
  auto [run, view] = monitor::poll_named_or_holding(runs, *options.word);
  if (!monitor::is_final(view.state) && !monitor::holds_gpus(run.folder, view)) {
    fmt::print(stderr, "rv: run {} has no GPUs yet; the shell opens when it has\n", run.record.id);
    slurm::Gateway gateway;
    const auto followed = follow_run(run.folder, gateway, invocation, {.until = Until::started, .only_watch = true});
    if (followed.interrupted) return os::interrupt_exit_code();
    view = followed.view;
  }
  if (!*options.word) fmt::print(stderr, "rv: a shell in run {} ({})\n", run.record.id, one_line(run.record.name));
  return monitor::open_shell(run.folder, view, options.node, invocation.terminal, options.element);
}

void add_shell(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto options = add_options(command);
  set_footer(command, footer("shell"));
  set_callback(command,
               [=, &invocation, &action] { action = [=, &invocation] { return enter(*options, invocation); }; });
}

/// A run may have any name.
RunName shown_name(const std::string& name) {
  return RunName(run_name_rule.allows(name) ? name : printable(name));
}

/// The runs of this machine's Slurm that are not over.
SshRuns live_runs(const Settings& settings) {
  const auto open = monitor::open_runs(monitor::runs_in(settings.runs_folder()));
  const auto seen = monitor::poll_runs(open);
  SshRuns runs{.user = UserName(os::effective_user_name()), .runs = {}};
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (!monitor::is_final(seen.views[i].state)) {
      runs.runs.push_back({RunId(open[i].record.id), shown_name(open[i].record.name)});
    }
  }
  return runs;
}

SshRuns runs_on(const HostSettings& there) {
  std::string text;
  const int code = remote::run_there({.host = there.host,
                                      .cluster_home = there.cluster_home,
                                      .folder = "",
                                      .words = {"ssh", "--config"},
                                      .terminal = {},
                                      .input = "",
                                      .output = [&text](std::string_view bytes) { text += bytes; }});
  if (code != 0)
    throw Error("the login node did not list its runs", "check whether rv ps works", static_cast<ExitCode>(code));
  return parse_ssh_runs(text);
}

/// This rv as another program starts it.
std::vector<std::string> own_words(const std::optional<HostSettings>& there) {
  std::vector<std::string> words;
  if (const auto home = variable("RV_HOME"); !home.empty()) words = {"env", "RV_HOME=" + home};
  words.push_back(std::filesystem::read_symlink("/proc/self/exe"));
  if (there) words.insert(words.end(), {"-H", there->host});
  return words;
}

int write_config(const Invocation& invocation) {
  if (invocation.hop) {
    fmt::print("{}", to_text(live_runs(invocation.settings)));
    return 0;
  }
  const std::string& home = invocation.settings.home;
  const auto there = login_node(invocation);
  const auto runs = there ? runs_on(*there) : live_runs(invocation.settings);
  ssh_public_key(home);
  const std::string path = ssh_config_path(home);
  os::write_file(path, ssh_config_text(runs, {.program = own_words(there),
                                              .alias = "rv-nodes-" + (there ? there->host : std::string("here")),
                                              .home = home}));
  std::vector<std::string> hosts;
  hosts.reserve(runs.runs.size());
  for (const auto& run : runs.runs) hosts.push_back("rv-" + run.id.text());
  if (invocation.json) {
    fmt::print("{}", json_text({{"file", path}, {"hosts", hosts}}));
    return 0;
  }
  fmt::print("Include {}\n", path.find(' ') == std::string::npos ? path : SshConfigValue::quoted(path).text());
  const auto names = ssh_hosts(runs);
  for (std::size_t i = 0; i < names.size(); ++i) {
    fmt::print(stderr, "rv: ssh {} reaches run {}\n", fmt::join(names[i], " or "), runs.runs[i].name.text());
  }
  fmt::print(stderr, "rv: add that line to the top of ~/.ssh/config once\n");
  return 0;
}

int remove_config(const Invocation& invocation) {
  const std::string path = ssh_config_path(invocation.settings.home);
  const bool was = ::unlink(path.c_str()) == 0;
  if (invocation.json) {
    fmt::print("{}", json_text({{"file", path}, {"removed", was}}));
  } else {
    fmt::print(stderr, "rv: {} {}\n", path, was ? "removed" : "does not exist");
  }
  return 0;
}

/// Serves as ssh's ProxyCommand.
int connect_stdio(const ShellOptions& options, const Invocation& invocation) {
  if (!*options.word) {
    throw Error("--stdio needs a run", "rv ssh --config writes the entries for ssh", ExitCode::usage);
  }
  // ssh closes its ProxyCommand at the end: the end of stdin ends the connection cleanly.
  std::signal(SIGHUP, SIG_IGN);
  const std::string& home = invocation.settings.home;
  const NodeSshRequest request{.run = **options.word, .node = options.node, .key = ssh_public_key(home)};
  const auto forget = [&] { forget_ssh_entry(home, request.run); };
  const auto there = login_node(invocation);
  try {
    const int code = there ? remote::run_there({.host = there->host,
                                                .cluster_home = there->cluster_home,
                                                .folder = "",
                                                .words = {"--node-ssh", to_text(request)},
                                                .terminal = {},
                                                .dialogue = true})
                           : serve_node_ssh(to_text(request));
    if (there && code == static_cast<int>(ExitCode::no_such_run)) forget();
    return code;
  } catch (const Error& fault) {
    if (fault.code() == ExitCode::no_such_run) forget();
    throw;
  }
}

void add_ssh(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto options = add_options(command);
  add_flag(command, "--config", options->config,
           "write entries for ssh for all current runs, and print the line that includes them");
  add_flag(command, "--rm", options->remove, "with --config: remove the entries");
  add_flag(command, "--stdio", options->stdio,
           "for ssh's ProxyCommand: connect stdin and stdout to an ssh server on the run's node");
  set_footer(command, footer("ssh") +
                          "\n  rv ssh --config                    then ssh rv-k3f9x2, rsync FILE rv-k3f9x2:, an editor"
                          "\n  rv ssh --config --rm");
  set_callback(command, [=, &invocation, &action] {
    if (options->remove && !options->config) {
      throw Error("--rm needs --config", "rv ssh --config --rm", ExitCode::usage);
    }
    action = [=, &invocation] {
      if (options->remove) return remove_config(invocation);
      if (options->config) return write_config(invocation);
      return options->stdio ? connect_stdio(*options, invocation) : enter(*options, invocation);
    };
  });
}

bool is_of_ssh(const CLI::App& called) {
  return given(called, "--config") || given(called, "--stdio");
}

}  // namespace

extern const Command shell_command{
    .name = "shell",
    .summary = "Open a shell on a node of a run; leaving it does not end the run",
    .group = groups::get_gpus,
    .nearest = {"attach"},
    .when_lost = "the run continues: rv -H {0} shell enters it again",
    .add = add_shell,
};

extern const Command ssh_command{
    .name = "ssh",
    .summary = "Same as rv shell; with --config: set up ssh to the nodes of runs",
    .group = groups::get_gpus,
    .stays_here = is_of_ssh,
    .when_lost = "the run continues: rv -H {0} ssh enters it again",
    .add = add_ssh,
};

}  // namespace rv::cli
