#include "cli/options/accept_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"

namespace rv::cli {
namespace {

Mebibytes io_size_value(std::string_view option, std::string_view text) {
  const auto size = memory_value(option, text);
  if (size.count >= 4) return size;
  throw Error(fmt::format("{}: \"{}\" is less than 4M", option, text), fmt::format("write it like {} 256M", option),
              ExitCode::usage);
}

using SharedAccept = std::shared_ptr<AcceptOptions>;

/// What an acceptance takes where nothing is said differs from what a run takes.
void describe_request(CLI::App& command) {
  option_of(command, "--gpu").description("how many GPUs in all (those of the nodes)");
  option_of(command, "--nodes").description("on exactly N nodes (1)");
  option_of(command, "--splits").description("even splits over nodes: pairs, all or two-nodes (all)");
  option_of(command, "--time").description("how long: 30m, 2h, 3d, HH:MM:SS (30m; with --full 2h)");
  option_of(command, "--name").description("a name for the run (accept)");
}

constexpr auto acceptance_group = "Acceptance";

void add_suite_options(CLI::App& command, const SharedAccept& o) {
  add_value(command, "--gpus-per-node", o->gpus_per_node, count_from(1, 100'000), "GPUs of every node (all of them)")
      .type_name("N")
      .group(acceptance_group);
  add_flag(command, "--quick", o->quick, "brief: about a minute (this is the default)").group(acceptance_group);
  add_flag(command, "--full", o->full, "longer and larger, GPUs one by one too, and under sustained load")
      .group(acceptance_group);
  add_list(command, "--suite", o->suites, list_value,
           fmt::format("{} (all of them); {}: networks that are timed; io: file systems and network",
                       accept::suite_names(", ", [](accept::Suite suite) { return !only_where_named(suite); }),
                       accept::suite_names(", ", accept::times_a_model)))
      .type_name("NAME,…")
      .group(acceptance_group);
  add_option(command, "--device", o->device, "auto, cuda or cpu: what the workers compute on (auto)")
      .type_name("WHICH")
      .group(acceptance_group);
  add_list(command, "--io-folder", o->io_folders, list_value, "for --suite io: whose file systems (scratch and home)")
      .type_name("DIR,…")
      .group(acceptance_group);
  add_value(command, "--io-size", o->io_size, io_size_value,
            "for --suite io: of the file that each node writes in a folder (256M; with --full 1G)")
      .type_name("SIZE")
      .group(acceptance_group);
}

void add_place_options(CLI::App& command, const SharedAccept& o) {
  add_flag(command, "--local", o->local, "here: in the current allocation, or on a host without Slurm")
      .group(acceptance_group);
  add_text_option(
      command, "--hosts", [o](const std::string& text) { o->hosts = text; },
      "on these hosts over ssh, without Slurm: a hosts file, or h1,h2")
      .type_name("FILE")
      .group(acceptance_group);
  add_value(command, "--slots", o->slots, count_from(1, 1024), "with --hosts: ranks on each, one a GPU (all of them)")
      .type_name("N")
      .group(acceptance_group);
  add_text_option(
      command, "--fabric", [o](const std::string& text) { o->fabric = text; },
      "make NCCL use nvlink, shm, ib or ethernet, and prove that it did")
      .type_name("WHICH")
      .group(acceptance_group);
  add_container_options(command, o->container);
  for (const auto* const name : {"--container", "--container-mount"}) option_of(command, name).group(acceptance_group);
  add_option(command, "--workers", o->workers, "folder of the workers (beside rv)")
      .type_name("DIR")
      .group(acceptance_group);
  add_flag(command, "--detach", o->detach, "submit and return; --judge RUN looks later").group(acceptance_group);
  add_flag(command, "--dry-run,-n", o->dry_run, "show the strategies to get the nodes and the steps, submit nothing")
      .group(acceptance_group);
}

void add_judging_options(CLI::App& command, const SharedAccept& o) {
  const auto judging = "Judging";
  add_option(command, "--baseline", o->baseline, "compare with these figures too").type_name("FILE").group(judging);
  add_option(command, "--save-baseline", o->save_baseline, "write what was measured as a baseline")
      .type_name("FILE")
      .group(judging);
  add_option(command, "--report-dir", o->report_dir, "also put accept.json and accept.html there")
      .type_name("DIR")
      .group(judging);
  add_option(command, "--judge", o->judge, "judge an earlier acceptance again: a run or a folder")
      .type_name("RUN")
      .group(judging);
  add_text_option(
      command, "--history", [o](const std::string& text) { o->history = text; },
      "how GPUs went over time: a UUID, a node, or all")
      .type_name("WHICH")
      .group(judging);
  add_flag(command, "--strict", o->strict, "a reading that is not available counts as a skip").group(judging);
  add_flag(command, "--allow-skip", o->allow_skip, "exit 0 where nothing is worse than a skip").group(judging);
}

}  // namespace

bool without_gpus(const AcceptOptions& options) {
  return !options.suites.empty() && std::all_of(options.suites.begin(), options.suites.end(),
                                                [](const auto& word) { return word == to_string(accept::Suite::io); });
}

std::shared_ptr<AcceptOptions> add_accept_options(CLI::App& command) {
  auto o = std::make_shared<AcceptOptions>();
  o->request = add_request_options(command);
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
    throw Error("--fabric is about what NCCL uses between GPUs, and --device cpu has none", "leave one of them out",
                ExitCode::usage);
  }
  std::vector<std::string> names;
  for (const auto fabric : accept::all_fabrics()) names.emplace_back(to_string(fabric));
  throw Error(fmt::format("--fabric: there is no fabric \"{}\"{}", *options.fabric, suggestion(*options.fabric, names)),
              "the fabrics are nvlink, shm, ib and ethernet", ExitCode::usage);
}

/// It would be forced and never used.
void check_fabric(const accept::Order& order) {
  const auto name = to_string(*order.fabric);
  const auto steps = steps_of(order);
  if (std::any_of(steps.begin(), steps.end(), [](const auto& step) { return accept::uses_nccl(step); })) return;
  if (order.gpus_per_node == 1 && (order.nodes == 1 || !crosses_nodes(*order.fabric))) {
    throw Error(fmt::format("--fabric {} is between GPUs{}, and one on each node is asked for", name,
                            crosses_nodes(*order.fabric) ? "" : " of one node"),
                "ask for more: --gpus-per-node 2, or --slots 2 with --hosts", ExitCode::usage);
  }
  throw Error(fmt::format("--fabric {}: none of the suites goes over it", name),
              "name p2p, collective, ddp or a model, or run them all: leave out --suite", ExitCode::usage);
}

}  // namespace

accept::Order order_of(const AcceptOptions& options, int nodes, int gpus_per_node) {
  if (options.quick && options.full) {
    throw Error("--quick and --full contradict each other", "give one of them", ExitCode::usage);
  }
  if (options.device != "auto" && options.device != "cuda" && options.device != "cpu") {
    throw Error(fmt::format("--device: \"{}\" is none of auto, cuda and cpu", options.device), "write --device cpu",
                ExitCode::usage);
  }
  accept::Order order{.nodes = nodes,
                      .gpus_per_node = gpus_per_node,
                      .full = options.full,
                      .device = options.device,
                      .suites = {},
                      .fabric = {}};
  if (options.fabric) order.fabric = fabric_of(options);
  std::vector<std::string> names;
  for (const auto suite : accept::all_suites()) names.emplace_back(to_string(suite));
  for (const auto& word : options.suites) {
    if (std::find(names.begin(), names.end(), word) != names.end()) continue;
    throw Error(fmt::format("--suite: there is no suite \"{}\"{}", word, suggestion(word, names)),
                fmt::format("the suites are {}", listed(names)), ExitCode::usage);
  }
  const bool one_rank = nodes * gpus_per_node == 1;
  for (const auto suite : accept::all_suites()) {
    const bool named =
        std::find(options.suites.begin(), options.suites.end(), to_string(suite)) != options.suites.end();
    const bool needs_two = needs_two_ranks(suite);
    const bool fits = !only_where_named(suite) && !(options.device == "cpu" && suite == accept::Suite::health) &&
                      !(one_rank && needs_two);
    if (named || (options.suites.empty() && fits)) order.suites.push_back(suite);
    if (named && one_rank && needs_two) {
      throw Error(fmt::format("--suite {} needs two GPUs, and one is asked for", to_string(suite)),
                  "ask for more: --gpus-per-node 2, or --nodes 2", ExitCode::usage);
    }
  }
  if (order.fabric) check_fabric(order);
  return order;
}

}  // namespace rv::cli
