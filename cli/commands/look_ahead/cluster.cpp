#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/planning.h"
#include "cli/options/command_option.h"
#include "cli/options/request_options.h"
#include "cli/options/sbatch_options.h"
#include "cli/options/value_option.h"
#include "cli/views/cluster_details.h"
#include "cli/views/cluster_view.h"
#include "planner/cluster/cluster_index.h"
#include "planner/strategies/type_match.h"

namespace rv::cli {

namespace {

struct Options {
  std::string save;
  bool nodes = false;
  bool users = false;
  RequestOptions request;  // only --cluster and --type are offered
};

/// The models that --type names on this cluster; empty where it was not given.
ModelNames wanted_types(const Options& options, const planner::Cluster& cluster, const Invocation& invocation) {
  if (options.request.types.empty()) return {};
  const auto& catalogue = invocation.settings.catalogue;
  const auto index = planner::index_cluster(cluster, catalogue);
  const auto match = planner::match_types(options.request.types, catalogue, index.models);
  if (match.models.empty())
    throw wrong_value("--type", match.absent.front().gpu_type, "a GPU type of this cluster",
                      match.absent.front().reason + "; rv cluster lists its nodes");
  return match.models;
}

int show_details(const Options& options, const Invocation& invocation) {
  const planner::Cluster cluster = cluster_with_note(options.request, invocation).cluster;
  const auto& catalogue = invocation.settings.catalogue;
  const auto types = wanted_types(options, cluster, invocation);
  const auto nodes = options.users ? std::vector<NodeGpus>() : node_gpus(cluster, catalogue, types);
  const auto users = options.users ? user_gpus(cluster, catalogue, types) : std::vector<UserGpus>();
  if (invocation.json) {
    fmt::print("{}", json_text(options.users ? nlohmann::ordered_json{{"users", users_json(users)}}
                                             : nlohmann::ordered_json{{"nodes", nodes_json(nodes)}}));
  } else {
    fmt::print("{}", options.users ? users_table(users, cluster, invocation.terminal)
                                   : nodes_table(nodes, invocation.terminal));
  }
  return 0;
}

int show(const Options& options, const Invocation& invocation) {
  if (options.nodes || options.users || !options.request.types.empty()) {
    if (!options.save.empty()) {
      throw Error("--save can't be combined with --nodes, --users and --type", "--save FILE writes the whole cluster",
                  ExitCode::usage);
    }
    return show_details(options, invocation);
  }
  const planner::Cluster cluster = cluster_with_note(options.request, invocation).cluster;
  const auto document = [&] { return json_text(cluster_to_json(cluster), 1); };
  if (options.save == "-" || (options.save.empty() && invocation.json)) {
    fmt::print("{}", document());
    return 0;
  }
  if (options.save.empty()) {
    fmt::print("{}", cluster_table(cluster, invocation.settings.catalogue, invocation.terminal));
    return 0;
  }
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(options.save, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw Error(fmt::format("--save: \"{}\" is not a regular file", options.save),
                "give the name of a file, or - for stdout", ExitCode::usage);
  }
  os::write_file(options.save, document());
  if (invocation.json) {
    fmt::print("{}", json_text({{"saved", options.save},
                                {"nodes", cluster.nodes.size()},
                                {"partitions", cluster.partitions.size()},
                                {"jobs", cluster.jobs.size()}}));
  } else {
    fmt::print("{}: {}, {}, {}\n", options.save, counted(static_cast<long long>(cluster.nodes.size()), "node"),
               counted(static_cast<long long>(cluster.partitions.size()), "partition"),
               counted(static_cast<long long>(cluster.jobs.size()), "job"));
  }
  return 0;
}

void add_cluster(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<Options>();
  add_option(command, "--save", options->save, "write the cluster's state to a file for rv plan --cluster; - is stdout")
      .type_name("FILE");
  add_option(command, "--cluster", options->request.cluster_file,
             "show this file instead of querying Slurm; - is stdin")
      .type_name("FILE");
  const auto nodes =
      add_flag(command, "--nodes", options->nodes, "show each node with GPUs, its free resources and its state");
  const auto users = add_flag(command, "--users", options->users, "show who holds GPUs, and who waits for some");
  (void)users.excludes(nodes);
  add_list(command, "-t,--type", options->request.types, gpu_types_value,
           "only these GPU types, and their nodes: a40,a100")
      .type_name("TYPE,…");
  set_footer(command,
             "Examples:\n"
             "  rv cluster\n"
             "  rv cluster -t h100          the nodes with H100\n"
             "  rv cluster --users -t h100  who has them\n"
             "  rv cluster --save now.json\n"
             "  rv cluster --cluster now.json");
  set_callback(command, [&invocation, &action, options] {
    action = [&invocation, options] { return show(*options, invocation); };
  });
}

}  // namespace

extern const Command cluster_command{
    .name = "cluster",
    .summary = "Show the GPUs of the cluster: free, used, pending",
    .group = groups::look_ahead,
    .nearest = {"sinfo"},
    .stays_here = on_saved_cluster,
    .add = add_cluster,
};

}  // namespace rv::cli
