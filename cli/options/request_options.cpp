#include "cli/options/request_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "cli/json/values_json.h"
#include "cli/options/command_option.h"
#include "cli/options/completion_words.h"
#include "cli/options/given.h"
#include "cli/options/option_values.h"
#include "cli/options/sbatch_options.h"
#include "cli/options/value_option.h"
#include "slurm/gateway.h"

namespace rv::cli {

namespace {

Error contradiction(const std::string& message, std::string advice) {
  return {message, std::move(advice), ExitCode::usage};
}

/// Slurm shows a user only partitions that their groups may use, and the nodes of these.
Error shown_nothing(const planner::Cluster& cluster) {
  const std::string groups = cluster.groups.empty() ? "" : ", a member of " + listed(cluster.groups);
  const std::string what = cluster.partitions.empty() ? "partition" : "node";
  return {fmt::format("Slurm does not show a {} to user {}{}", what, cluster.user.text(), groups),
          "ask the administrators which groups and accounts may use this cluster (AllowGroups, AllowAccounts of the "
          "partitions), or name a hidden partition with --partition",
          ExitCode::no_strategy};
}

planner::Splits splits_value(const std::string& option, const std::string& text) {
  if (text == "pairs") return planner::Splits::pairs;
  // "seed" is what earlier releases called it.
  if (text == "two-nodes" || text == "seed") return planner::Splits::two_nodes;
  if (text == "all") return planner::Splits::all;
  throw wrong_value(option, text, "pairs, all or two-nodes", "--splits pairs puts two or more GPUs on each node");
}

planner::Goal goal_value(const std::string& option, const std::string& text) {
  if (text == "soonest") return {planner::Aim::soonest, 0};
  if (text == "cheapest") return {planner::Aim::cheapest, 0};
  double worth = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, worth);
  const std::string unit = lower(std::string_view(rest, static_cast<std::size_t>(end - rest)));
  if (fault != std::errc() || !(worth >= 0 && worth < 1e9) || unit != "su") {
    throw wrong_value(option, text, "soonest, cheapest or a price such as 25su",
                      "write --goal 25su if an hour sooner is worth 25 SU to you");
  }
  return {planner::Aim::mix, worth};
}

void add_window(std::map<std::string, std::chrono::seconds>& windows, const std::string& option,
                const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const std::string type = equals == std::string::npos ? "*" : text.substr(0, equals);
  if (type.empty()) {
    throw wrong_value(option, text, "a GPU type before \"=\"", "write --window a40=4h, or --window 4h for every type");
  }
  const std::string span = equals == std::string::npos ? text : text.substr(equals + 1);
  windows[type] = duration_value(option, span);
}

/// What a run on CPUs can't have, and -c, which only it has.
void check_cpu_run(const RequestOptions& options, planner::Request& request) {
  if (options.cores_per_task && request.gpus > 0) throw cores_per_task_refused(*options.cores_per_task);
  if (request.gpus > 0) return;
  const bool typed_window = std::any_of(request.windows.begin(), request.windows.end(),
                                        [](const auto& window) { return window.first != "*"; });
  const std::array<std::pair<bool, const char*>, 5> others{{{!request.types.empty(), "--type"},
                                                            {request.vram.has_value(), "--vram"},
                                                            {request.mig, "--mig"},
                                                            {options.splits.has_value(), "--splits"},
                                                            {typed_window, "--window TYPE=TIME"}}};
  for (const auto& [given, option] : others) {
    if (given) {
      throw contradiction(fmt::format("--gpu 0 asks for no GPUs and can't be combined with {}", option),
                          "remove one of them");
    }
  }
  if (!options.cores_per_task) return;
  if (request.cpus) throw contradiction("-c and --cpus can't be combined", "remove one of them");
  request.cpus = options.cores_per_task;
}

void check_agreement(const planner::Request& request) {
  if (request.mig && request.gpus > 1) {
    throw contradiction(
        fmt::format("--mig requests one slice of a GPU and can't be combined with --gpu {}", request.gpus),
        "remove --mig, or request --gpu 1");
  }
  if (request.mig && request.exclusive) {
    throw contradiction("--mig requests one slice of a GPU and can't be combined with --exclusive",
                        "remove one of them");
  }
  const int nodes = request.nodes.value_or(1);
  const bool by_name = static_cast<int>(request.nodelist.size()) == nodes;
  if (request.single_node && nodes > 1) {
    const std::string other =
        by_name ? fmt::format("the {} nodes of --nodelist", nodes) : fmt::format("--nodes {}", nodes);
    throw contradiction(fmt::format("--single-node and {} can't be combined", other), "remove one of them");
  }
  if (request.gpus % nodes != 0) {
    const std::string who =
        by_name ? fmt::format("the {} nodes of --nodelist do", nodes) : fmt::format("--nodes {} does", nodes);
    throw contradiction(fmt::format("{} not divide --gpu {} evenly", who, request.gpus),
                        by_name
                            ? fmt::format("rv uses all of them, with the same number of GPUs each: try --gpu {}", nodes)
                            : "every node gets the same number of GPUs: choose numbers that divide evenly");
  }
}

void name_nodes(planner::Request& request, const std::vector<std::string>& nodelist) {
  request.nodelist = nodelist;
  const int named = static_cast<int>(nodelist.size());
  if (request.nodes.value_or(named) < named) {
    throw contradiction(fmt::format("--nodelist has {} nodes, but --nodes is {}", named, *request.nodes),
                        "remove --nodes: rv uses all nodes of the list");
  }
  // As in sbatch, the other nodes may be any.
  if (!request.nodes) request.nodes = named;
}

std::string whole_file(const std::string& path) {
  const char* advice = "write the file with rv cluster --save FILE";
  std::optional<std::string> text;
  try {
    text = os::read_file(path);
  } catch (const Error& fault) {
    throw Error(fmt::format("--cluster: {}", fault.what()), advice, ExitCode::usage);
  }
  if (!text) {
    throw wrong_value("--cluster", path, "an existing file",
                      "rv cluster --save FILE writes one, rv plan --cluster FILE reads it");
  }
  return *text;
}

using SharedRequest = std::shared_ptr<RequestOptions>;

void add_gpu_options(CLI::App& command, const SharedRequest& o) {
  const auto count = count_from(1, most_counted);
  const auto wanted = "GPUs";
  const auto gpus = [o](std::string_view option, std::string_view text) {
    const int number = gpu_count_value(option, text);
    if (number == 0 && !o->cpu_runs) {
      throw contradiction(fmt::format("{} 0: this command needs GPUs", option),
                          "write -g 1 or more; rv run, up, map, plan, render and jupyter accept -g 0");
    }
    return number;
  };
  add_value(command, "-g,--gpu,--gpus", o->gpus, gpus, "number of GPUs (default: 1)").type_name("N").group(wanted);
  add_list(command, "-t,--type", o->types, gpu_types_value,
           "acceptable GPU types, for example a40,a100 (default: all types)")
      .type_name("TYPE,…")
      .group(wanted);
  add_value(command, "--vram", o->vram, memory_value, "minimum memory per GPU, for example 40G")
      .type_name("SIZE")
      .group(wanted);
  add_flag(command, "--mig", o->mig, "one MIG slice of a GPU").group(wanted);
  add_flag(command, "--single-node", o->single_node, "all GPUs on one node").group(wanted);
  add_value(command, "-N,--nodes", o->nodes, count, "use exactly N nodes").type_name("N").group(wanted);
  add_value(command, "--splits", o->splits, splits_value,
            "how GPUs may be split over nodes: pairs (at least two per node), all or two-nodes (default: pairs)")
      .type_name("HOW")
      .group(wanted);
}

void add_job_options(CLI::App& command, const SharedRequest& o) {
  const auto count = count_from(1, most_counted);
  const auto job = "Job";
  add_value(command, "--time", o->time, duration_value, "time limit: 30m, 2h, 3d, HH:MM:SS (default: 2:59:00)")
      .type_name("TIME")
      .group(job);
  add_value(command, "--cpus", o->cpus, count, "CPU cores per node (default: the GPUs' share of the node)")
      .type_name("N")
      .group(job);
  add_value(command, "--mem", o->memory, node_memory_value,
            "memory per node, for example 64G; 0: all of it (default: the GPUs' share)")
      .type_name("SIZE")
      .group(job);
  add_flag(command, "--exclusive", o->exclusive, "whole nodes, with no other jobs on them, and all of their memory")
      .group(job);
  add_option(command, "-J,--name,--job-name", o->name, "name of the run").type_name("NAME").group(job);
  add_value(command, "--fanout", o->fanout, count_from(1, 1000),
            "maximum number of candidates in the race (default: 4)")
      .type_name("N")
      .group(job);
  add_value(command, "--goal", o->goal, goal_value,
            "soonest, cheapest, or what starting an hour earlier is worth to you: 25su (default: soonest)")
      .type_name("GOAL")
      .group(job);
}

void add_slurm_options(CLI::App& command, const SharedRequest& o) {
  const auto slurm = "Slurm";
  add_value(command, "-p,--partition", o->partitions, list_value, "use only these partitions")
      .type_name("NAME,…")
      .group(slurm);
  add_value(command, "-A,--account", o->account, line_value, "account to charge").type_name("NAME").group(slurm);
  add_value(command, "-q,--qos", o->qos, line_value, "QOS of the job").type_name("NAME").group(slurm);
  add_value(command, "-C,--constraint", o->constraint, line_value, "node features, as for sbatch")
      .type_name("EXPR")
      .group(slurm);
  add_text_option(
      command, "-L,--licenses",
      [o](const std::string& text) { o->sbatch["licenses"] = line_value("--licenses", text); },
      "licences, as for sbatch: solver:2; the wait is unknown while they are in use")
      .type_name("LIST")
      .group(slurm);
  add_value(command, "-w,--nodelist", o->nodelist, host_set_value,
            "use these nodes: n1,n[3-5]; if --nodes is larger, others as well")
      .type_name("NODES")
      .group(slurm);
  add_value(command, "-x,--exclude", o->exclude, hosts_value, "nodes to leave out: n1,n[3-5]")
      .type_name("NODES")
      .group(slurm);
}

void add_offline_options(CLI::App& command, const SharedRequest& o) {
  const auto offline = "Prediction of waits";
  add_option(command, "--cluster", o->cluster_file, "plan on a file written by rv cluster --save")
      .type_name("FILE")
      .group(offline);
  add_values(
      command, "--window",
      [&windows = o->windows](const std::string& option, const std::string& text) {
        add_window(windows, option, text);
      },
      "state that jobs up to this length start soon; also plan chains of such segments")
      .type_name("[TYPE=]TIME")
      .group(offline);
  add_value(command, "--seed", o->seed, count_from(0, most_counted),
            "random seed of the replays; the same seed gives the same plan (default: 1)")
      .type_name("N")
      .group(offline);
  add_value(
      command, "--trials", o->trials, count_from(0, 10'000),
      "number of replays of the queue (default: up to 64; 0: none, only strategies on free nodes get a wait, now)")
      .type_name("N")
      .group(offline);
}

}  // namespace

std::shared_ptr<RequestOptions> add_request_options(CLI::App& command) {
  auto options = std::make_shared<RequestOptions>();
  add_gpu_options(command, options);
  add_job_options(command, options);
  add_slurm_options(command, options);
  add_offline_options(command, options);
  return options;
}

void add_probe_option(CLI::App& command, RequestOptions& options) {
  add_flag(command, "--probe", options.probe, "also ask the controller about the best strategies (sbatch --test-only)")
      .group("GPUs");
}

planner::Request to_request(const RequestOptions& options, const Settings& settings) {
  planner::Request request;
  request.gpus = options.gpus.value_or(1);
  request.types = options.types;
  request.vram = options.vram;
  request.time = options.time.value_or(settings.time);
  request.memory = options.memory;
  request.cpus = options.cpus;
  request.name = options.name;
  request.mig = options.mig;
  request.single_node = options.single_node;
  request.exclusive = options.exclusive;
  request.nodes = options.nodes;
  request.partitions = options.partitions;
  request.account = options.account;
  if (request.account.empty() && !settings.account.empty()) {
    request.account = line_value("--account", settings.account);
  }
  request.qos = options.qos;
  request.constraint = options.constraint;
  request.sbatch = options.sbatch;
  request.exclude = options.exclude;
  if (!options.nodelist.empty()) name_nodes(request, options.nodelist);
  request.splits = options.splits.value_or(planner::Splits::pairs);
  request.windows = options.windows;
  check_cpu_run(options, request);
  check_agreement(request);
  if (options.checkpoint) ask_for_segments(request, *options.checkpoint, settings);
  return request;
}

bool on_saved_cluster(const CLI::App& called) {
  return given(called, "--cluster");
}

planner::ForecastInputs to_forecast_inputs(const RequestOptions& options) {
  planner::ForecastInputs forecast_inputs;
  forecast_inputs.goal = options.goal;
  if (options.seed) forecast_inputs.seed = static_cast<std::uint64_t>(*options.seed);
  // Login nodes are shared: a plan takes few cores, however many there are.
  forecast_inputs.threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 4U));
  return forecast_inputs;
}

planner::Cluster read_cluster(const Settings& settings, const std::vector<std::string>& partitions) {
  os::make_folder(settings.home);
  auto cluster = slurm::Gateway().read_cluster(settings.home + "/cache");
  const auto known_in = [&](const planner::Cluster& one) {
    return std::all_of(partitions.begin(), partitions.end(),
                       [&](const std::string& name) { return one.find_partition(name) != nullptr; });
  };
  // Hidden partitions accept jobs from users who know their names.
  if (!known_in(cluster)) {
    auto whole = slurm::Gateway().read_cluster(settings.home + "/cache", true);
    if (known_in(whole)) cluster = std::move(whole);
  }
  if (cluster.partitions.empty() || cluster.nodes.empty()) throw shown_nothing(cluster);
  remember_names(settings.home, cluster, settings.catalogue);
  return cluster;
}

planner::Cluster cluster_for(const RequestOptions& options, const Settings& settings,
                             std::vector<planner::FinishedJob>* history) {
  if (options.cluster_file.empty()) return read_cluster(settings, options.partitions);
  const std::string text = options.cluster_file == "-"
                               ? std::string{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()}
                               : whole_file(options.cluster_file);
  try {
    const auto document = parse_json<nlohmann::json>(text, options.cluster_file);
    planner::Cluster cluster = cluster_from_json(document);
    if (history != nullptr) *history = history_from_json(document);
    return cluster;
  } catch (const nlohmann::json::parse_error& fault) {
    throw Error(fmt::format("--cluster \"{}\": the file is not JSON (near byte {})", options.cluster_file, fault.byte),
                "write the file with rv cluster --save FILE", ExitCode::usage);
  } catch (const Error& fault) {
    throw Error(fmt::format("--cluster \"{}\": {}", options.cluster_file, fault.what()), fault.advice(), fault.code());
  }
}

int fanout(const RequestOptions& options, const Settings& settings) {
  const int width = options.fanout.value_or(settings.fanout);
  if (width < 1) throw contradiction(fmt::format("--fanout: {} is below 1", width), "write it like --fanout 4");
  return width;
}

}  // namespace rv::cli
