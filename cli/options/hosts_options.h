// On hosts over ssh, without Slurm.
#pragma once

#include <optional>
#include <string>

#include "cli/options/request_options.h"

namespace CLI {
class App;
}

namespace rv::cli {

/// Adds --hosts and --slots; the group is that of where things run. --kubernetes is an Error(usage).
void add_hosts_options(CLI::App& command, std::optional<std::string>& hosts, std::optional<int>& slots);

/// Throws the Error(usage) of a command whose work can't run in pods.
[[noreturn]] void refuse_kubernetes();

/// Throws Error(usage) for --slots without --hosts.
void check_slots(const std::optional<std::string>& hosts, const std::optional<int>& slots);

/// Throws Error(usage) for what --hosts leaves no room for: GPUs and nodes of Slurm's, --local, --detach.
void check_beside_hosts(const RequestOptions& request, bool local, bool detach);

/// Does the same for --local.
void check_beside_local(const RequestOptions& request, bool detach);

}  // namespace rv::cli
