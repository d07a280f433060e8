// rv forward: a run's ports on this machine.

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/host_name.h"
#include "base/table.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/login_node.h"
#include "cli/options/command_option.h"
#include "cli/remote/forward/background.h"
#include "cli/remote/forward/forward_arguments.h"
#include "cli/remote/forward/forward_record.h"
#include "cli/remote/forward/stop_words.h"
#include "cli/remote/hop/ssh_connection.h"
#include "monitor/run/resolve_run.h"

namespace rv::cli {
namespace {

using forward::ForwardRecord;

struct ForwardOptions {
  std::vector<std::string> words;
  std::string node;
  bool automatic = false;
  bool list = false;
  bool stop = false;
};

void print(const std::vector<forward::ForwardRecord>& records, const Invocation& invocation) {
  if (invocation.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& record : records) {
      for (const auto& port : record.ports) {
        rows.push_back({{"local_port", port.local},
                        {"run", record.run},
                        {"name", record.name},
                        {"node", port.target.node},
                        {"remote_port", port.target.port},
                        {"login_node", record.login_node},
                        {"machine", record.machine},
                        {"pid", record.pid},
                        {"state", record.state},
                        {"refusal", record.refusal}});
      }
    }
    fmt::print("{}", json_text({{"forwards", rows}}));
    return;
  }
  if (records.empty()) {
    fmt::print(stderr, "rv: no port is forwarded; forward one with rv forward PORT\n");
    return;
  }
  Table table;
  table.column("LOCAL", Table::Align::right);
  for (const char* title : {"RUN", "NAME", "NODE"}) table.column(title);
  table.column("PORT", Table::Align::right);
  table.column("PID", Table::Align::right);
  table.column("STATE");
  for (const auto& record : records) {
    std::string state = record.state;
    if (record.machine != os::host_name()) state.append(" on ").append(record.machine);
    if (!record.refusal.empty()) state.append(": ").append(record.refusal);
    for (const auto& port : record.ports) {
      table.row({std::to_string(port.local), record.run, record.name, port.target.node,
                 std::to_string(port.target.port), std::to_string(record.pid), state});
    }
  }
  fmt::print("{}", table.text(invocation.terminal.table_width(), invocation.terminal.colour));
}

int start(const ForwardOptions& options, const Invocation& invocation) {
  const auto words = forward::parse_forward_arguments(options.words);
  if (words.ports.empty() && !options.automatic) {
    throw Error("rv forward needs a port",
                "for example rv forward 8888; rv forward --auto forwards all ports of the run", ExitCode::usage);
  }
  const auto there = login_node(invocation);
  // Prompts for a password or a second factor happen here, where the terminal is.
  if (there) remote::SshConnection(there->host).open();
  const auto record = forward::start_in_background({.there = there,
                                                    .home = invocation.settings.home,
                                                    .run = words.run,
                                                    .node = options.node,
                                                    .ports = words.ports,
                                                    .automatic = options.automatic});
  if (invocation.json) {
    print({record}, invocation);
    return 0;
  }
  for (const auto& port : record.ports) {
    fmt::print("127.0.0.1:{} is port {} of {} (run {}) until the run ends\n", port.local, port.target.port,
               port.target.node, record.run);
  }
  return 0;
}

int stop(const ForwardOptions& options, const Invocation& invocation) {
  const auto& home = invocation.settings.home;
  const auto records = forward::read_records(home);
  nlohmann::ordered_json stopped = nlohmann::ordered_json::array();
  for (const auto& [record, ports] : forward::ports_to_stop(records, options.words, os::host_name())) {
    forward::stop_ports(home, record, ports);
    for (const int port : ports) {
      stopped.push_back(port);
      if (!invocation.json) fmt::print("127.0.0.1:{} is no longer forwarded\n", port);
    }
  }
  if (invocation.json) fmt::print("{}", json_text({{"stopped", stopped}}));
  return 0;
}

void check(const ForwardOptions& options) {
  if (options.list && options.stop)
    throw Error("--list and --stop can't be combined", "see rv forward --help", ExitCode::usage);
  if (options.list && !options.words.empty()) {
    throw Error("--list does not take a port or run", "rv forward --list shows all forwards", ExitCode::usage);
  }
  if ((options.list || options.stop) && (options.automatic || !options.node.empty())) {
    throw Error("--auto and --node can't be combined with --list or --stop", "remove --auto and --node",
                ExitCode::usage);
  }
}

void add_forward(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<ForwardOptions>();
  add_option(command, "words", options->words,
             "PORT or LOCAL:REMOTE, then the run (default: the newest that holds GPUs)")
      .type_name("[PORT…] [RUN]");
  add_option(command, "--node", options->node, "node of the run (default: its first)").type_name("NODE");
  add_flag(command, "--auto", options->automatic, "forward all ports on which the run's processes listen");
  add_flag(command, "-l,--list", options->list, "list the forwards");
  add_flag(command, "-s,--stop", options->stop, "end forwards of these local ports, of a run, or all");
  set_footer(command,
             "A background process keeps the ports open until the run ends, also after a lost connection.\n"
             "\n"
             "Examples:\n"
             "  rv forward 8888                   forward port 8888 of the newest run that holds GPUs\n"
             "  rv forward 8080:8888 train        forward it to port 8080 of this machine\n"
             "  rv forward 6006 --node udc-an28-2 k3f9x2\n"
             "  rv forward --auto\n"
             "  rv forward --list\n"
             "  rv forward --stop 8080\n"
             "  rv forward --stop all");
  set_callback(command, [=, &invocation, &action] {
    check(*options);
    action = [=, &invocation] {
      for (const auto& word : options->words) monitor::refuse_empty(word);
      if (options->list) {
        print(forward::read_records(invocation.settings.home), invocation);
        return 0;
      }
      return options->stop ? stop(*options, invocation) : start(*options, invocation);
    };
  });
}

}  // namespace

extern const Command forward_command{
    .name = "forward",
    .summary = "Forward ports of a run's node to this machine (127.0.0.1)",
    .group = groups::follow_runs,
    .runs_on = RunsOn::here,
    .add = add_forward,
};

}  // namespace rv::cli
