#include "cli/options/accept_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"

namespace rv::cli {
namespace {

Mebibytes io_size_value(std::string_view option, std::string_view text) {
  const auto size = memory_value(option, text);
  if (size.count >= 4) return size;
  throw wrong_value(option, text, "at least 4M", fmt::format("write it like {} 256M", option));
}

const accept::Tier* tier_value(std::string_view option, std::string_view text) {
  if (const auto* const tier = accept::tier_named(text)) return tier;
  std::vector<std::string> names;
  for (const auto& tier : accept::all_tiers()) names.emplace_back(tier.name);
  throw wrong_value(option, text, "a tier" + suggestion(text, names), fmt::format("the tiers are {}", listed(names)));
}

using SharedAccept = std::shared_ptr<AcceptOptions>;

/// The defaults of an acceptance differ from those of a run.
void describe_request(CLI::App& command) {
  option_of(command, "--gpu").description("number of GPUs of all nodes together (default: all)");
  option_of(command, "--nodes").description("number of nodes (default: 1)");
  option_of(command, "--splits")
      .description("how GPUs may be split over nodes: pairs (at least two per node), all or two-nodes (default: all)");
  option_of(command, "--time")
      .description(
          "time limit: 30m, 2h, 3d, HH:MM:SS (default: 30m, with --full 2h; with --kubernetes 2h, with "
          "--full 4h)");
  option_of(command, "--name").description("name of the run (default: accept)");
}

constexpr auto acceptance_group = "Acceptance";

void add_suite_options(CLI::App& command, const SharedAccept& o) {
  add_value(command, "--gpus-per-node", o->gpus_per_node, count_from(1, most_counted),
            "GPUs of every node (default: all of the largest node that fits; with --kubernetes 8)")
      .type_name("N")
      .group(acceptance_group);
  add_flag(command, "--quick", o->quick, "short test, half a minute on four H200 (default)").group(acceptance_group);
  add_flag(command, "--full", o->full, "longer test of a few minutes: also each GPU alone, and a minute of load")
      .group(acceptance_group);
  add_list(command, "--suite", o->suites, list_value,
           fmt::format("suites to run (default: {}); further: {} (timed networks), io (file systems and network)",
                       accept::suite_names(", ", [](accept::Suite suite) { return !only_where_named(suite); }),
                       accept::suite_names(", ", accept::times_a_model)))
      .type_name("NAME,…")
      .group(acceptance_group);
  add_text_option(
      command, "--tier", [o](const std::string& text) { o->tier = tier_value("--tier", text); },
      "preset of suites and length: prolog, preflight, pre-job, idle or weekly")
      .type_name("NAME")
      .group(acceptance_group);
  add_text_option(
      command, "--device", [o](const std::string& text) { o->device = text == "gpu" ? "cuda" : text; },
      "compute on: auto, gpu or cpu (default: auto)")
      .type_name("WHICH")
      .group(acceptance_group);
  add_list(command, "--io-folder", o->io_folders, list_value, "folders for --suite io (default: scratch and home)")
      .type_name("DIR,…")
      .group(acceptance_group);
  add_value(command, "--io-size", o->io_size, io_size_value,
            "size of the files of --suite io (default: 256M; with --full 1G)")
      .type_name("SIZE")
      .group(acceptance_group);
}

void add_place_options(CLI::App& command, const SharedAccept& o) {
  add_flag(command, "--local", o->local, "test this machine or the current allocation; submit nothing")
      .group(acceptance_group);
  add_text_option(
      command, "--hosts", [o](const std::string& text) { o->hosts = text; },
      "test these hosts over ssh, without Slurm: a hosts file, or h1,h2")
      .type_name("FILE")
      .group(acceptance_group);
  add_value(command, "--slots", o->slots, count_from(1, 1024),
            "with --hosts: use the first N GPUs of each host (default: all)")
      .type_name("N")
      .group(acceptance_group);
  add_text_option(
      command, "--fabric", [o](const std::string& text) { o->fabric = text; },
      "restrict NCCL to nvlink, shm, ib or ethernet, and check its log")
      .type_name("WHICH")
      .group(acceptance_group);
  add_container_options(command, o->container);
  for (const auto* const name : {"--container", "--container-mount"}) option_of(command, name).group(acceptance_group);
  add_earlier_name(command, "--workers", "--worker-folder", o->worker_folder);
  add_option(command, "--worker-folder", o->worker_folder, "folder of the workers (default: beside rv)")
      .type_name("DIR")
      .group(acceptance_group);
  add_flag(command, "--detach", o->detach, "submit and return; rv accept --judge RUN prints the result later")
      .group(acceptance_group);
  add_flag(command, "--dry-run,-n", o->dry_run, "show the strategies and the steps; submit nothing")
      .group(acceptance_group);
}

void add_judging_options(CLI::App& command, const SharedAccept& o) {
  const auto judging = "Judging";
  add_option(command, "--baseline", o->baseline, "file of further baselines to compare with")
      .type_name("FILE")
      .group(judging);
  add_option(command, "--save-baseline", o->save_baseline, "write the measured figures as baselines")
      .type_name("FILE")
      .group(judging);
  add_option(command, "--report-dir", o->report_dir, "also write accept.json and accept.html to this folder")
      .type_name("DIR")
      .group(judging);
  add_option(command, "--judge", o->judge, "judge an earlier acceptance test again, by its run or report folder")
      .type_name("RUN")
      .group(judging);
  add_text_option(
      command, "--history", [o](const std::string& text) { o->history = text; },
      "show figures over time: of a GPU (its UUID), of a node (its name), or all")
      .type_name("WHICH")
      .group(judging);
  add_flag(command, "--strict", o->strict, "count unavailable readings as skipped").group(judging);
  add_flag(command, "--allow-skip", o->allow_skip, "exit with 0, not 77, if something was skipped and nothing failed")
      .group(judging);
}

}  // namespace

bool takes_full_length(const AcceptOptions& options) {
  return options.full || (options.tier != nullptr && options.tier->full);
}

bool without_gpus(const AcceptOptions& options) {
  return !options.suites.empty() && std::all_of(options.suites.begin(), options.suites.end(),
                                                [](const auto& word) { return word == to_string(accept::Suite::io); });
}

std::shared_ptr<AcceptOptions> add_accept_options(CLI::App& command) {
  auto o = std::make_shared<AcceptOptions>();
  o->request = add_request_options(command);
  o->request->avoids_faulty_nodes = false;
  describe_request(command);
  add_suite_options(command, o);
  add_place_options(command, o);
  add_judging_options(command, o);
  o->kubernetes = add_kubernetes_options(command);
  return o;
}

namespace {

accept::Fabric fabric_of(const AcceptOptions& options) {
  if (const auto known = accept::fabric_named(*options.fabric)) {
    if (options.device != "cpu") return *known;
    throw Error("--fabric and --device cpu can't be combined", "--fabric is for NCCL, which needs GPUs",
                ExitCode::usage);
  }
  std::vector<std::string> names;
  for (const auto fabric : accept::all_fabrics()) names.emplace_back(to_string(fabric));
  throw wrong_value("--fabric", *options.fabric, "a fabric" + suggestion(*options.fabric, names),
                    "the fabrics are nvlink, shm, ib and ethernet");
}

/// It would be forced and never used.
void check_fabric(const accept::Order& order) {
  const auto name = to_string(*order.fabric);
  const auto steps = steps_of(order);
  if (std::any_of(steps.begin(), steps.end(), [](const auto& step) { return accept::uses_nccl(step); })) return;
  if (order.gpus_per_node == 1 && (order.nodes == 1 || !crosses_nodes(*order.fabric))) {
    throw Error(fmt::format("--fabric {} needs two GPUs{}, and you requested one", name,
                            crosses_nodes(*order.fabric) ? "" : " of a node"),
                crosses_nodes(*order.fabric) ? "use --nodes 2 or --gpus-per-node 2; with --hosts name two hosts"
                                             : "use --gpus-per-node 2, or --slots 2 with --hosts",
                ExitCode::usage);
  }
  throw Error(fmt::format("--fabric {} is not used by any of the suites", name),
              "add p2p, collective, ddp or a model to --suite, or remove --suite", ExitCode::usage);
}

}  // namespace

namespace {

void check_tier(const AcceptOptions& options) {
  const auto* const other = !options.suites.empty() ? "--suite"
                            : options.quick         ? "--quick"
                            : options.full          ? "--full"
                                                    : nullptr;
  if (other == nullptr) return;
  throw Error(fmt::format("--tier and {} can't be combined", other),
              fmt::format("a tier chooses its suites and their length; remove one of them"), ExitCode::usage);
}

bool has(std::span<const accept::Suite> suites, accept::Suite suite) {
  return std::find(suites.begin(), suites.end(), suite) != suites.end();
}

}  // namespace

accept::Order order_of(const AcceptOptions& options, int nodes, int gpus_per_node) {
  if (options.tier != nullptr) check_tier(options);
  if (options.quick && options.full) {
    throw Error("--quick and --full can't be combined", "remove one of them", ExitCode::usage);
  }
  if (options.device != "auto" && options.device != "cuda" && options.device != "cpu") {
    throw wrong_value("--device", options.device, "auto, gpu or cpu", "write --device cpu");
  }
  accept::Order order{.nodes = nodes,
                      .gpus_per_node = gpus_per_node,
                      .full = takes_full_length(options),
                      .device = options.device,
                      .suites = {},
                      .fabric = {},
                      .within_s = options.tier != nullptr ? options.tier->within_s : 0};
  if (options.fabric) order.fabric = fabric_of(options);
  std::vector<std::string> names;
  for (const auto suite : accept::all_suites()) names.emplace_back(to_string(suite));
  for (const auto& word : options.suites) {
    if (std::find(names.begin(), names.end(), word) != names.end()) continue;
    throw wrong_value("--suite", word, "a suite" + suggestion(word, names),
                      fmt::format("the suites are {}", listed(names)));
  }
  const bool one_rank = nodes * gpus_per_node == 1;
  for (const auto suite : accept::all_suites()) {
    const bool named =
        std::find(options.suites.begin(), options.suites.end(), to_string(suite)) != options.suites.end();
    const bool needs_two = needs_two_ranks(suite);
    const bool chosen = options.tier != nullptr ? has(options.tier->suites, suite) : !only_where_named(suite);
    const bool fits =
        chosen && !(options.device == "cpu" && suite == accept::Suite::health) && !(one_rank && needs_two);
    if (named || (options.suites.empty() && fits)) order.suites.push_back(suite);
    if (named && one_rank && needs_two) {
      throw Error(fmt::format("--suite {} needs two GPUs", to_string(suite)),
                  "request more: --gpus-per-node 2, or --nodes 2", ExitCode::usage);
    }
  }
  if (order.fabric) check_fabric(order);
  return order;
}

}  // namespace rv::cli
