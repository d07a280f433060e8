#include "cli/options/accept_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"

namespace rv::cli {

std::shared_ptr<AcceptOptions> add_accept_options(CLI::App& command) {
  auto o = std::make_shared<AcceptOptions>();
  o->request = add_request_options(command);
  // What an acceptance takes where nothing is said differs from what a run takes.
  command.get_option("--gpu")->description("how many GPUs in all (those of the nodes)");
  command.get_option("--nodes")->description("on exactly N nodes (1)");
  command.get_option("--splits")->description("splits over nodes that are offered: pairs, all or seed (all)");
  command.get_option("--time")->description("how long: 30m, 2h, 3d, HH:MM:SS (30m; with --full 2h)");
  command.get_option("--name")->description("a name for the run (accept)");
  const auto what = "Acceptance";
  add_value(command, "--gpus-per-node", o->gpus_per_node, count_from(1, 100'000), "GPUs of every node (all of them)")
      ->type_name("N")
      ->group(what);
  command.add_flag("--quick", o->quick, "brief: about a minute (this is the default)")->group(what);
  command.add_flag("--full", o->full, "longer and larger, GPUs one by one too, and under sustained load")->group(what);
  add_list(command, "--suite", o->suites, list_value, "health, compute, memory, p2p, collective, train, ddp (all)")
      ->type_name("NAME,…")
      ->group(what);
  command.add_option("--device", o->device, "auto, cuda or cpu: what the workers compute on (auto)")
      ->type_name("WHICH")
      ->group(what);
  command.add_flag("--local", o->local, "here: in the current allocation, or on a host without Slurm")->group(what);
  command.add_option("--container", o->container, "run the workers in this image")->type_name("IMAGE")->group(what);
  command.add_option("--workers", o->workers, "folder of the workers (beside rv)")->type_name("DIR")->group(what);
  command.add_flag("--detach", o->detach, "submit and return; --judge RUN looks later")->group(what);
  command.add_flag("--dry-run,-n", o->dry_run, "show the strategies to get the nodes and the steps, submit nothing")
      ->group(what);

  const auto judging = "Judging";
  command.add_option("--baseline", o->baseline, "compare with these figures too")->type_name("FILE")->group(judging);
  command.add_option("--save-baseline", o->save_baseline, "write what was measured as a baseline")
      ->type_name("FILE")
      ->group(judging);
  command.add_option("--report-dir", o->report_dir, "also put accept.json and accept.html there")
      ->type_name("DIR")
      ->group(judging);
  command.add_option("--judge", o->judge, "judge an earlier acceptance again: a run or a folder")
      ->type_name("RUN")
      ->group(judging);
  command
      .add_option_function<std::string>(
          "--history", [o](const std::string& text) { o->history = text; },
          "how GPUs went over time: a UUID, a node, or all")
      ->type_name("WHICH")
      ->group(judging);
  command.add_flag("--strict", o->strict, "a reading that is not available counts as a skip")->group(judging);
  command.add_flag("--allow-skip", o->allow_skip, "exit 0 where nothing is worse than a skip")->group(judging);
  o->kubernetes = add_kubernetes_options(command);
  return o;
}

accept::Order order_of(const AcceptOptions& options, int nodes, int gpus_per_node) {
  if (options.quick && options.full) {
    throw Error("--quick and --full contradict each other", "give one of them", ExitCode::usage);
  }
  if (options.device != "auto" && options.device != "cuda" && options.device != "cpu") {
    throw Error(fmt::format("--device: \"{}\" is none of auto, cuda and cpu", options.device), "write --device cpu",
                ExitCode::usage);
  }
  accept::Order order{
      .nodes = nodes, .gpus_per_node = gpus_per_node, .full = options.full, .device = options.device, .suites = {}};
  std::vector<std::string> names;
  for (const auto suite : accept::all_suites()) names.emplace_back(to_string(suite));
  for (const auto& word : options.suites) {
    if (std::find(names.begin(), names.end(), word) != names.end()) continue;
    throw Error(fmt::format("--suite: there is no suite \"{}\"{}", word, suggestion(word, names)),
                "the suites are health, compute, memory, p2p, collective, train and ddp", ExitCode::usage);
  }
  const bool one_rank = nodes * gpus_per_node == 1;
  for (const auto suite : accept::all_suites()) {
    const bool named =
        std::find(options.suites.begin(), options.suites.end(), to_string(suite)) != options.suites.end();
    const bool needs_two =
        suite == accept::Suite::p2p || suite == accept::Suite::collective || suite == accept::Suite::ddp;
    const bool fits = !(options.device == "cpu" && suite == accept::Suite::health) && !(one_rank && needs_two);
    if (named || (options.suites.empty() && fits)) order.suites.push_back(suite);
    if (named && one_rank && needs_two) {
      throw Error(fmt::format("--suite {} needs two GPUs, and one is asked for", to_string(suite)),
                  "ask for more: --gpus-per-node 2, or --nodes 2", ExitCode::usage);
    }
  }
  return order;
}

}  // namespace rv::cli
