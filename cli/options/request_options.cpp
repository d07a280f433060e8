#include "cli/options/request_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/json/values_json.h"
#include "cli/options/given.h"
#include "cli/options/option_values.h"
#include "slurm/gateway.h"

namespace rv::cli {

namespace {

Error contradiction(const std::string& message, std::string advice) {
  return {message, std::move(advice), ExitCode::usage};
}

planner::Splits to_splits(const std::string& text) {
  if (text.empty() || text == "pairs") return planner::Splits::pairs;
  if (text == "seed") return planner::Splits::seed;
  if (text == "all") return planner::Splits::all;
  throw contradiction(fmt::format("--splits: \"{}\" is not a way to split", text),
                      "write --splits pairs (two or more GPUs a node), --splits all, or --splits seed (two nodes)");
}

planner::Goal to_goal(const std::string& text) {
  if (text.empty() || text == "soonest") return {planner::Aim::soonest, 0};
  if (text == "cheapest") return {planner::Aim::cheapest, 0};
  double worth = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, worth);
  const std::string unit = lower(std::string_view(rest, static_cast<std::size_t>(end - rest)));
  if (fault != std::errc() || !(worth >= 0 && worth < 1e9) || unit != "su") {
    throw contradiction(fmt::format("--goal: \"{}\" is no goal", text),
                        "write --goal soonest, --goal cheapest, or --goal 25su where an hour sooner is worth 25 SU");
  }
  return {planner::Aim::mix, worth};
}

void add_window(planner::Request& request, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const std::string type = equals == std::string::npos ? "*" : text.substr(0, equals);
  if (type.empty()) {
    throw contradiction(fmt::format("--window: \"{}\" names no GPU type before \"=\"", text),
                        "write --window a40=4h, or --window 4h for every type");
  }
  const std::string span = equals == std::string::npos ? text : text.substr(equals + 1);
  request.windows[type] = duration_value("--window", span);
}

void check_agreement(const planner::Request& request) {
  if (request.mig && request.gpus > 1) {
    throw contradiction(fmt::format("--mig gives one slice of a GPU, and --gpu asks for {}", request.gpus),
                        "leave out --mig, or ask for --gpu 1");
  }
  const int nodes = request.nodes.value_or(1);
  const bool by_name = !request.nodelist.empty();
  if (request.single_node && nodes > 1) {
    const std::string other =
        by_name ? fmt::format("the {} nodes of --nodelist", nodes) : fmt::format("--nodes {}", nodes);
    throw contradiction(fmt::format("--single-node and {} contradict each other", other), "give one of them");
  }
  if (request.gpus % nodes != 0) {
    const std::string who =
        by_name ? fmt::format("the {} nodes of --nodelist do", nodes) : fmt::format("--nodes {} does", nodes);
    throw contradiction(fmt::format("{} not divide --gpu {} evenly", who, request.gpus),
                        by_name ? fmt::format("all of them are taken, with as many GPUs each: --gpu {}, say", nodes)
                                : "every node gets the same number of GPUs: choose numbers that divide");
  }
}

void name_nodes(planner::Request& request, const std::string& text) {
  request.nodelist = hosts_value("--nodelist", text);
  std::sort(request.nodelist.begin(), request.nodelist.end());
  request.nodelist.erase(std::unique(request.nodelist.begin(), request.nodelist.end()), request.nodelist.end());
  const int named = static_cast<int>(request.nodelist.size());
  if (request.nodes.value_or(named) != named) {
    throw contradiction(fmt::format("--nodelist names {} nodes, and --nodes asks for {}", named, *request.nodes),
                        "leave out --nodes: all nodes of the list are taken");
  }
  request.nodes = named;
}

std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) {
    throw Error(fmt::format("--cluster: can't read \"{}\"", path), "rv cluster --save FILE writes such a file",
                ExitCode::usage);
  }
  return text;
}

}  // namespace

std::shared_ptr<RequestOptions> add_request_options(CLI::App& command) {
  auto o = std::make_shared<RequestOptions>();
  const auto wanted = "GPUs";
  command
      .add_option_function<std::string>(
          "-g,--gpu,--gpus", [o](const std::string& text) { o->gpus = count_value("--gpu", text); },
          "how many GPUs (1)")
      ->type_name("N")
      ->group(wanted);
  command
      .add_option_function<std::vector<std::string>>(
          "-t,--type",
          [o](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              for (std::string& type : list_value("--type", text)) o->types.push_back(std::move(type));
            }
          },
          "GPU types, any of them: a40, a100, … (any type)")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("TYPE,…")
      ->group(wanted);
  command.add_option("--vram", o->vram, "at least so much GPU memory each: 40G")->type_name("SIZE")->group(wanted);
  command.add_flag("--mig", o->mig, "one MIG slice of a GPU")->group(wanted);
  command.add_flag("--single-node", o->single_node, "all GPUs on one node")->group(wanted);
  command
      .add_option_function<std::string>(
          "--nodes", [o](const std::string& text) { o->nodes = count_value("--nodes", text); }, "on exactly N nodes")
      ->type_name("N")
      ->group(wanted);
  command.add_option("--splits", o->splits, "splits over nodes that are offered: pairs, all or seed (pairs)")
      ->type_name("HOW")
      ->group(wanted);

  const auto job = "Job";
  command.add_option("--time", o->time, "how long: 30m, 2h, 3d, HH:MM:SS (2:59:00)")->type_name("TIME")->group(job);
  command
      .add_option_function<std::string>(
          "--cpus", [o](const std::string& text) { o->cpus = count_value("--cpus", text); },
          "CPU cores per node (the GPUs' share of the node)")
      ->type_name("N")
      ->group(job);
  command.add_option("--mem", o->memory, "memory per node: 64G (the GPUs' share of the node)")
      ->type_name("SIZE")
      ->group(job);
  command.add_option("--name", o->name, "a name for the run")->type_name("NAME")->group(job);
  command
      .add_option_function<std::string>(
          "--fanout", [o](const std::string& text) { o->fanout = count_value("--fanout", text, 1, 1000); },
          "race at most N strategies (4)")
      ->type_name("N")
      ->group(job);

  command.add_option("--goal", o->goal, "soonest, cheapest, or what an hour sooner is worth: 25su (soonest)")
      ->type_name("GOAL")
      ->group(job);

  const auto slurm = "Slurm";
  command.add_option("--partition", o->partition, "only these partitions")->type_name("NAME,…")->group(slurm);
  command.add_option("--account", o->account, "account to charge")->type_name("NAME")->group(slurm);
  command.add_option("--qos", o->qos, "quality of service")->type_name("NAME")->group(slurm);
  command.add_option("--constraint", o->constraint, "node features, as for sbatch")->type_name("EXPR")->group(slurm);
  command.add_option("--nodelist", o->nodelist, "exactly these nodes: n1,n[3-5]")->type_name("NODES")->group(slurm);
  command.add_option("--exclude", o->exclude, "nodes to leave out: n1,n[3-5]")->type_name("NODES")->group(slurm);

  const auto offline = "Planning on what is known already";
  command.add_option("--cluster", o->cluster_file, "plan on a file of rv cluster --save")
      ->type_name("FILE")
      ->group(offline);
  command
      .add_option_function<std::vector<std::string>>(
          "--window", [o](const std::vector<std::string>& texts) { o->windows = texts; },
          "a backfill window known from elsewhere: jobs up to so long start soon")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("[TYPE=]TIME")
      ->group(offline);
  command
      .add_option_function<std::string>(
          "--seed", [o](const std::string& text) { o->seed = count_value("--seed", text, 0); },
          "of the replays of the queue: the same snapshot and seed give the same plan (1)")
      ->type_name("N")
      ->group(offline);
  command
      .add_option_function<std::string>(
          "--trials", [o](const std::string& text) { o->trials = count_value("--trials", text, 0, 10'000); },
          "predict waits: replay the queue so often, 64 say (not at all)")
      ->type_name("N")
      ->group(offline);
  return o;
}

void add_probe_option(CLI::App& command, RequestOptions& options) {
  command
      .add_flag("--probe", options.probe, "ask the controller about the first ways: sbatch --test-only, a few times")
      ->group("GPUs");
}

planner::Request to_request(const RequestOptions& options, const Settings& settings) {
  planner::Request request;
  request.gpus = options.gpus;
  request.types = options.types;
  if (!options.vram.empty()) request.vram = memory_value("--vram", options.vram);
  request.time = options.time.empty() ? settings.time : duration_value("--time", options.time);
  if (!options.memory.empty()) request.memory = memory_value("--mem", options.memory);
  request.cpus = options.cpus;
  request.name = options.name;
  request.mig = options.mig;
  request.single_node = options.single_node;
  request.nodes = options.nodes;
  if (!options.partition.empty()) request.partitions = list_value("--partition", options.partition);
  const std::string& account = options.account.empty() ? settings.account : options.account;
  if (!account.empty()) request.account = line_value("--account", account);
  if (!options.qos.empty()) request.qos = line_value("--qos", options.qos);
  if (!options.constraint.empty()) request.constraint = line_value("--constraint", options.constraint);
  if (!options.exclude.empty()) request.exclude = hosts_value("--exclude", options.exclude);
  if (!options.nodelist.empty()) name_nodes(request, options.nodelist);
  request.splits = to_splits(options.splits);
  for (const std::string& window : options.windows) add_window(request, window);
  check_agreement(request);
  if (options.checkpoint) ask_for_segments(request, *options.checkpoint, settings);
  return request;
}

bool on_saved_cluster(const CLI::App& called) {
  return given(called, "--cluster");
}

planner::ForecastInputs to_outlook(const RequestOptions& options) {
  planner::ForecastInputs forecast_inputs;
  forecast_inputs.goal = to_goal(options.goal);
  if (options.seed) forecast_inputs.seed = static_cast<std::uint64_t>(*options.seed);
  // Login nodes are shared: a plan takes few cores, however many there are.
  forecast_inputs.threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 4U));
  return forecast_inputs;
}

planner::Cluster read_cluster(const Settings& settings) {
  os::make_folder(settings.home);
  return slurm::Gateway().read_cluster(settings.home + "/cache");
}

planner::Cluster cluster_for(const RequestOptions& options, const Settings& settings,
                             std::vector<planner::FinishedJob>* history) {
  if (options.cluster_file.empty()) return read_cluster(settings);
  const std::string text = options.cluster_file == "-"
                               ? std::string{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()}
                               : whole_file(options.cluster_file);
  try {
    const auto document = nlohmann::json::parse(text);
    planner::Cluster cluster = cluster_from_json(document);
    if (history != nullptr) *history = history_from_json(document);
    return cluster;
  } catch (const nlohmann::json::parse_error& fault) {
    throw Error(fmt::format("--cluster: \"{}\" is not JSON (near byte {})", options.cluster_file, fault.byte),
                "rv cluster --save FILE writes a file that can be read back", ExitCode::usage);
  } catch (const Error& fault) {
    throw Error(fmt::format("--cluster: \"{}\": {}", options.cluster_file, fault.what()), fault.advice(), fault.code());
  }
}

int fanout(const RequestOptions& options, const Settings& settings) {
  const int width = options.fanout.value_or(settings.fanout);
  if (width < 1) throw contradiction(fmt::format("--fanout: {} is below 1", width), "write it like --fanout 4");
  return width;
}

}  // namespace rv::cli
