#include "cli/options/hosts_options.h"

#include "base/error.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"

namespace rv::cli {
namespace {

void refuse_beside(const std::string& where, bool given, const std::string& option, const std::string& advice) {
  if (given) throw Error(where + " and " + option + " can't be combined", advice, ExitCode::usage);
}

}  // namespace

void add_hosts_options(CLI::App& command, std::optional<std::string>& hosts, std::optional<int>& slots) {
  const auto what = "Where";
  add_text_option(
      command, "--hosts", [&hosts](const std::string& text) { hosts = text; },
      "run on these hosts over ssh, without Slurm: a hosts file, or h1,h2")
      .type_name("FILE")
      .group(what);
  add_value(command, "--slots", slots, count_from(1, 1024),
            "with --hosts: use the first N GPUs of each host (default: all)")
      .type_name("N")
      .group(what);
  add_flag_callback(command, "--kubernetes", refuse_kubernetes, "").group("");
}

void refuse_kubernetes() {
  throw Error("--kubernetes: only rv accept runs in pods",
              "in a pod with GPUs, use --local; rv accept --kubernetes tests the nodes", ExitCode::usage);
}

void check_slots(const std::optional<std::string>& hosts, const std::optional<int>& slots) {
  if (!slots || hosts) return;
  throw Error("--slots needs --hosts", "add --hosts h1,h2; with Slurm, write -g 4", ExitCode::usage);
}

void check_beside_hosts(const RequestOptions& request, bool local, bool detach) {
  refuse_beside("--hosts", local, "--local",
                "--local uses this machine, --hosts the hosts that it names: remove one of them");
  refuse_beside("--hosts", detach, "--detach", "the work ends with its connections: run rv in tmux, or under nohup");
  refuse_beside("--hosts", request.gpus.has_value(), "--gpu", "give the number of GPUs of each host: --slots 8");
  const char* select = "--hosts selects the hosts: --hosts h1,h2, or a file that lists them";
  refuse_beside("--hosts", request.nodes.has_value(), "--nodes", select);
  refuse_beside("--hosts", !request.nodelist.empty(), "--nodelist", select);
  refuse_beside("--hosts", !request.partitions.empty(), "--partition",
                "partitions belong to Slurm: remove --hosts to use it");
}

void check_beside_local(const RequestOptions& request, bool detach) {
  refuse_beside("--local", detach, "--detach", "the work ends with rv: run rv in tmux, or under nohup");
  refuse_beside("--local", request.gpus.has_value(), "--gpu",
                "--local uses the GPUs of CUDA_VISIBLE_DEVICES, or all: CUDA_VISIBLE_DEVICES=0,1");
  refuse_beside("--local", request.nodes.has_value(), "--nodes", "for other hosts, use --hosts h1,h2");
  refuse_beside("--local", !request.nodelist.empty(), "--nodelist", "for other hosts, use --hosts h1,h2");
  refuse_beside("--local", !request.partitions.empty(), "--partition",
                "partitions belong to Slurm: remove --local to use it");
}

}  // namespace rv::cli
