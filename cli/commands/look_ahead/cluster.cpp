#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/planning.h"
#include "cli/options/command_option.h"
#include "cli/options/request_options.h"
#include "cli/views/cluster_view.h"

namespace rv::cli {

namespace {

struct Options {
  std::string save;
  RequestOptions request;  // of which --cluster alone is offered
};

int show(const Options& options, const Invocation& invocation) {
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
    throw Error(fmt::format("--save: \"{}\" is not a regular file, and would be replaced by one", options.save),
                "give the name of a file, or - for stdout", ExitCode::usage);
  }
  os::write_file(options.save, document());
  if (invocation.json) {
    fmt::print("{}", json_text({{"saved", options.save},
                                {"nodes", cluster.nodes.size()},
                                {"partitions", cluster.partitions.size()},
                                {"jobs", cluster.jobs.size()}}));
  } else {
    fmt::print("{}: {} nodes, {} partitions, {} jobs\n", options.save, cluster.nodes.size(), cluster.partitions.size(),
               cluster.jobs.size());
  }
  return 0;
}

void add_cluster(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<Options>();
  add_option(command, "--save", options->save,
             "write what was read to a file that rv plan --cluster reads; - is stdout")
      .type_name("FILE");
  add_option(command, "--cluster", options->request.cluster_file,
             "show such a file instead of asking Slurm; - is stdin")
      .type_name("FILE");
  set_footer(command,
             "Examples:\n"
             "  rv cluster\n"
             "  rv cluster --save now.json\n"
             "  rv cluster --cluster now.json");
  set_callback(command, [&invocation, &action, options] {
    action = [&invocation, options] { return show(*options, invocation); };
  });
}

}  // namespace

extern const Command cluster_command{
    .name = "cluster",
    .summary = "Show the cluster's GPUs: free, used, asked for",
    .group = groups::look_ahead,
    .nearest = {"sinfo", "nodes"},
    .stays_here = on_saved_cluster,
    .add = add_cluster,
};

}  // namespace rv::cli
