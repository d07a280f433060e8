#include "cli/options/hosts_options.h"

#include "base/error.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"

namespace rv::cli {

void add_hosts_options(CLI::App& command, std::optional<std::string>& hosts, std::optional<int>& slots) {
  const auto what = "Where";
  command
      .add_option_function<std::string>(
          "--hosts", [&hosts](const std::string& text) { hosts = text; },
          "on these hosts over ssh, without Slurm: a hosts file, or h1,h2")
      ->type_name("FILE")
      ->group(what);
  add_value(command, "--slots", slots, count_from(1, 1024),
            "with --hosts: of each one's GPUs the first N (all of them)")
      ->type_name("N")
      ->group(what);
}

void check_slots(const std::optional<std::string>& hosts, const std::optional<int>& slots) {
  if (!slots || hosts) return;
  throw Error("--slots is of --hosts, and there is none", "name the hosts: --hosts h1,h2; through Slurm say -g 4",
              ExitCode::usage);
}

void check_beside_hosts(const RequestOptions& request, bool local, bool detach) {
  const auto refuse = [](bool given, const std::string& option, const std::string& advice) {
    if (given) throw Error("--hosts and " + option + " don't go together", advice, ExitCode::usage);
  };
  refuse(local, "--local", "--hosts h1 is one host, --local this one");
  refuse(detach, "--detach", "the work ends with its connections: run rv in tmux, or under nohup");
  refuse(request.gpus.has_value(), "--gpu", "say how many there are on each host: --slots 8");
  refuse(request.nodes.has_value() || !request.nodelist.empty(), "--nodes or --nodelist",
         "name the hosts in the file, or --hosts h1,h2");
  refuse(!request.partitions.empty(), "--partition", "partitions are Slurm's: leave out --hosts to go through it");
}

}  // namespace rv::cli
