#include "planner/strategies/partition_strategies.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/text.h"
#include "base/walltime.h"
#include "planner/cluster/admission.h"
#include "planner/cluster/budget.h"
#include "planner/cluster/cost.h"
#include "planner/cluster/limits.h"
#include "planner/cluster/node_filter.h"
#include "planner/cluster/whole_nodes.h"
#include "planner/sharing/gpu_memory.h"
#include "planner/sharing/switches.h"
#include "planner/strategies/resources.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

class PartitionStrategies {
 public:
  PartitionStrategies(Plan& plan, const ClusterIndex& index, const ModelInPartition& model_in_partition,
                      const Request& request)
      : plan_(plan),
        cluster_(*index.cluster),
        model_in_partition_(model_in_partition),
        partition_(*model_in_partition.partition),
        request_(request),
        filter_(request.constraint, request.exclude, request.nodelist, request.nodes.value_or(0)) {}

  void add(const std::vector<int>& node_counts, std::optional<seconds> window) {
    admission_ = admit(cluster_, partition_, request_);
    if (!admission_.refusal.empty()) return reject(admission_.refusal);
    if (!find_nodes()) return;
    limits_ = effective_limits(cluster_, partition_, admission_.job_qos, admission_.association);
    tell_models_apart();
    const std::size_t before = plan_.strategies.size();
    for (const int nodes : node_counts) add_split(nodes, window);
    const bool found = plan_.strategies.size() > before;
    if (!found && !split_trouble_.empty() && !refused_otherwise_) reject(split_trouble_);
  }

 private:
  void reject(std::string reason) { plan_.rejected.push_back({model_in_partition_.model.name, std::move(reason)}); }

  /// A refusal of one split that says nothing about the others. The first split whose GPUs fit on a node tells most.
  void note_split_trouble(std::string reason, bool fits_on_node) {
    if (!split_trouble_.empty() && (split_fits_on_node_ || !fits_on_node)) return;
    split_trouble_ = std::move(reason);
    split_fits_on_node_ = fits_on_node;
  }

  bool find_nodes() {
    const Node* out_of_service = nullptr;
    const Node* unconnected = nullptr;
    long long passing = 0;
    std::vector<std::string> missing = request_.nodelist;
    for (const NodeGpus& place : model_in_partition_.nodes) {
      if (!filter_.passes(*place.node)) continue;
      ++passing;
      std::erase(missing, place.node->name);
      if (!in_topology(cluster_, *place.node)) {
        unconnected = place.node;
      } else if (place.node->state.may_return()) {
        places_.push_back(&place);
      } else if (filter_.requires_node(*place.node)) {
        reject("a node of --nodelist is out of service (" + in_words(*place.node) + ")");
        return false;
      } else if (out_of_service == nullptr || out_of_service->reason.empty()) {
        out_of_service = place.node;
      }
    }
    if (!missing.empty()) {
      reject(missing.front() + " of --nodelist is not a node of " + partition_.name + with_this_gpu() +
             (missing.size() == 1 ? "" : ", like " + std::to_string(missing.size() - 1) + " more"));
      return false;
    }
    if (!places_.empty()) return true;
    if (out_of_service == nullptr && unconnected != nullptr) {
      reject("no node of " + partition_.name + " can run it: " + unconnected->name +
             " is not connected to a switch (topology/tree), so Slurm starts no job there");
      return false;
    }
    if (out_of_service == nullptr) {
      const std::string which = request_.constraint.empty() ? "" : " with the features " + request_.constraint;
      reject("no node of " + partition_.name + which + " is left" + (request_.exclude.empty() ? "" : " by --exclude") +
             " (it has " + counted(static_cast<long long>(model_in_partition_.nodes.size()), "node") + with_this_gpu() +
             ")");
      return false;
    }
    const bool some = passing < static_cast<long long>(model_in_partition_.nodes.size());
    reject((passing == 1 ? "the only node" : "all " + std::to_string(passing) + " nodes") +
           (some ? " that the request leaves in " : " in ") + partition_.name + (passing == 1 ? " is" : " are") +
           " out of service (" + in_words(*out_of_service) + ")");
    return false;
  }

  /// "n1 is IDLE+DRAIN: bad fan"
  static std::string in_words(const Node& node) {
    const std::string state = node.name + " is " + to_text(node.state);
    return node.reason.empty() ? state : state + ": " + node.reason;
  }

  /// Sets constraint and exclude so that the gres request can't land on another model's node.
  void tell_models_apart() {
    constraint_ = request_.constraint;
    exclude_ = request_.exclude;
    if (model_in_partition_.other_models.empty()) return;
    std::unordered_set<const Node*> ours;
    for (const NodeGpus* place : places_) ours.insert(place->node);
    std::vector<const Node*> others;
    for (const Node* node : model_in_partition_.other_models) {
      if (!ours.contains(node) && filter_.passes(*node)) others.push_back(node);
    }
    if (others.empty()) return;
    // The node's own spelling: Slurm compares letter by letter.
    for (const std::string& feature : places_.front()->node->features) {
      if (!tells_model(feature)) continue;
      const bool all = std::all_of(places_.begin(), places_.end(),
                                   [&](const auto* place) { return contains(place->node->features, feature); });
      const bool none = std::none_of(others.begin(), others.end(),
                                     [&](const Node* node) { return contains(node->features, feature); });
      const auto combined = all && none ? both(request_.constraint, feature) : std::nullopt;
      if (!combined) continue;
      constraint_ = *combined;
      return;
    }
    if (names_all_nodes()) return;
    for (const Node* node : others) exclude_.push_back(node->name);
  }

  bool names_all_nodes() const {
    return !request_.nodelist.empty() && static_cast<int>(request_.nodelist.size()) >= request_.nodes.value_or(0);
  }

  bool tells_model(const std::string& feature) const {
    const auto& telling = model_in_partition_.model.features;
    return std::any_of(telling.begin(), telling.end(),
                       [&](const std::string& one) { return lower(one) == lower(feature); });
  }

  /// Nodes with the GPUs, and with the CPUs and memory the user named. Null: too few, and noted so.
  std::optional<std::vector<const NodeGpus*>> suitable(int nodes, int gpus) {
    std::vector<const NodeGpus*> found;
    int most_gpus = 0;
    int most_cpus = 0;
    Mebibytes most_memory;
    const std::int64_t of_gpus = memory_for_gpus(cluster_.controller, partition_, gpus);
    const auto cpus_wanted = [&](Mebibytes node_memory) {
      return std::max<std::int64_t>(request_.cpus.value_or(0), cpus_for_memory(limits_, request_, node_memory));
    };
    for (const NodeGpus* place : places_) {
      most_gpus = std::max(most_gpus, place->total);
      most_cpus = std::max(most_cpus, place->node->cpus);
      most_memory = std::max(most_memory, place->node->memory);
      const bool cpus = place->node->cpus >= cpus_wanted(place->node->memory);
      const bool memory =
          place->node->memory >= request_.memory.value_or(Mebibytes{}) && place->node->memory.count >= of_gpus;
      if (place->total >= gpus && cpus && memory) found.push_back(place);
    }
    if (static_cast<int>(found.size()) >= nodes) {
      if (whole_nodes() && !keep_whole_nodes(found, nodes, gpus)) return std::nullopt;
      std::vector<const Node*> fitting;
      fitting.reserve(found.size());
      for (const NodeGpus* place : found) fitting.push_back(place->node);
      if (!filter_.has_required(fitting)) {
        note_split_trouble(
            "not all nodes of --nodelist are among the nodes of " + partition_.name + " that can " + serve(gpus), true);
        return std::nullopt;
      }
      if (filter_.together(fitting, nodes)) return found;
      const std::string what = request_.constraint.empty() ? "are under one switch"
                                                           : "have the features " + request_.constraint + " together";
      note_split_trouble("no " + counted(nodes, "node") + " of " + partition_.name + with_this_gpu() + " " + what,
                         true);
      return std::nullopt;
    }

    const std::string of = "nodes of " + partition_.name + " have ";
    if (most_gpus < gpus) {
      const std::string asked =
          std::to_string(gpus) + (nodes == 1 ? " on one node" : " on each of " + counted(nodes, "node"));
      note_split_trouble(of + counted(most_gpus, "GPU") + " at most; the request needs " + asked, false);
    } else if (most_cpus < request_.cpus.value_or(0)) {
      refuse(of + counted(most_cpus, "CPU") + " at most; you asked for " + std::to_string(*request_.cpus));
    } else if (most_cpus < cpus_wanted(most_memory)) {
      refuse(partition_.name + ": " + cpus_needed(limits_, request_, most_memory) + "; a node has " +
             std::to_string(most_cpus));
    } else if (most_memory < request_.memory.value_or(Mebibytes{})) {
      refuse(of + format_memory(most_memory) + " memory at most; you asked for " + format_memory(*request_.memory));
    } else if (most_memory.count < of_gpus) {
      refuse(of + format_memory(most_memory) + " memory at most; " + counted(gpus, "GPU") + " need " +
             format_memory({of_gpus}) + " in any case (DefMemPerGPU)");
    } else {
      note_split_trouble(partition_.name + " has " + counted(static_cast<long long>(found.size()), "node") +
                             " that can " + serve(gpus) + (gpus > 0 && found.size() > 1 ? " each" : "") + "; " +
                             counted(nodes, "node") + (nodes == 1 ? " is" : " are") + " needed",
                         true);
    }
    return std::nullopt;
  }

  void refuse(std::string reason) {
    refused_otherwise_ = true;
    reject(std::move(reason));
  }

  /// Slurm counts the whole nodes against the limits, and refuses a node that has more CPUs than MaxCPUsPerNode. Leaves
  /// the places that keep the limits, and notes the others, which Slurm may choose all the same. False: too few are
  /// left, and the reason is noted.
  bool keep_whole_nodes(std::vector<const NodeGpus*>& found, int nodes, int gpus) {
    over_limits_.clear();
    std::optional<std::string> reason;
    const auto breaks = [&](const NodeGpus* place) {
      Strategy whole = sized(nodes, gpus, {});
      whole.charged = in_whole_nodes({}, *place->node, nodes);
      const auto broken = broken_limit(limits_, tres_of(whole, partition_, cluster_.controller), nodes, {});
      if (!broken) return false;
      if (!reason) reason = broken;
      over_limits_.push_back(place->node->name);
      return true;
    };
    std::erase_if(found, breaks);
    if (static_cast<int>(found.size()) >= nodes) return true;
    note_split_trouble((request_.exclusive ? "--exclusive takes" : partition_.name + " allocates") + " whole nodes; " +
                           reason.value_or("too few are left"),
                       true);
    return false;
  }

  /// Strategy::charged: of whole nodes, those with the most.
  Tres charged(const std::vector<const NodeGpus*>& places, const Strategy& strategy) const {
    if (!whole_nodes()) return {};
    Tres most{{"mem", strategy.nodes * strategy.memory_per_node.count}};
    for (const NodeGpus* place : places) {
      for (const auto& [name, amount] : whole_node_tres(*place->node)) {
        std::int64_t& so_far = most[name];
        so_far = std::max(so_far, amount * strategy.nodes);
      }
    }
    return most;
  }

  bool whole_nodes() const { return partition_.exclusive || request_.exclusive; }

  /// A strategy of this size, as far as limits go.
  Strategy sized(int nodes, int gpus, const Resources& resources) const {
    Strategy strategy;
    strategy.nodes = nodes;
    strategy.gpus_per_node = gpus;
    strategy.on_gpu_nodes = gpus == 0 && has_gpu_nodes();
    strategy.gres_type = model_in_partition_.gres_type;
    strategy.cpus_per_node = resources.cpus;
    strategy.memory_per_node = resources.memory;
    strategy.all_memory = resources.all_memory;
    strategy.exclusive = request_.exclusive;
    return strategy;
  }

  bool has_gpu_nodes() const {
    return std::any_of(places_.begin(), places_.end(), [](const NodeGpus* place) { return place->node_gpus > 0; });
  }

  /// What a node can do for this job, in words.
  static std::string serve(int gpus) { return gpus == 0 ? "run it" : "provide " + counted(gpus, "GPU"); }

  /// " with this GPU"; empty for a CPU job.
  std::string with_this_gpu() const { return request_.gpus == 0 ? "" : " with this GPU"; }

  /// True when a limit forbids it; GPUs and CPUs are everyone's news, a number of nodes concerns this split alone.
  bool beyond_limits(const Strategy& strategy) {
    const int nodes = strategy.nodes;
    Tres job = tres_of(strategy, partition_, cluster_.controller);
    std::vector<DatabaseName> asked{"gres/gpu"};
    if (request_.cpus) asked.push_back("cpu");
    if (request_.memory) asked.push_back("mem");
    if (request_.nodes) asked.push_back("node");
    const Tres only_nodes{{"node", nodes}};
    job.erase("node");
    if (auto reason = broken_limit(limits_, job, nodes, asked)) {
      refuse(std::move(*reason));
      return true;
    }
    Limits node_limits = limits_;
    const auto other = [](const TresLimit& limit) { return limit.tres != DatabaseName("node"); };
    std::erase_if(node_limits.most, other);
    std::erase_if(node_limits.least, other);
    if (auto reason = broken_limit(node_limits, only_nodes, nodes, asked)) {
      const bool fits_on_node = std::any_of(places_.begin(), places_.end(), [&](const NodeGpus* place) {
        return place->total >= strategy.gpus_per_node;
      });
      note_split_trouble(std::move(*reason), fits_on_node);
      return true;
    }
    return false;
  }

  void add_split(int nodes, std::optional<seconds> window) {
    const int gpus = request_.gpus / nodes;
    if (!whole_nodes() && beyond_limits(sized(nodes, gpus, {}))) return;
    const auto nodes_found = suitable(nodes, gpus);
    if (!nodes_found) return;
    Resources resources =
        gpus == 0 ? choose_cpu_resources(*nodes_found, cluster_.controller, partition_, nodes, limits_, request_)
                  : choose_resources(*nodes_found, model_in_partition_.model.mig, nodes, gpus, limits_, request_);
    if (whole_nodes()) take_whole_nodes(resources, *nodes_found, nodes, limits_, request_);
    if (!resources.refusal.empty()) return refuse(resources.refusal);
    Strategy strategy = sized(nodes, gpus, resources);
    strategy.charged = charged(*nodes_found, strategy);
    if (beyond_limits(strategy)) return;

    strategy.gpu = model_in_partition_.model;
    strategy.partitions = {partition_.name};
    strategy.kind = kind();
    strategy.time_limit = strategy.work_time = request_.time;
    strategy.constraint = constraint_;
    strategy.sbatch = request_.sbatch;
    // A job of a federation stays here, as its nodes and its records do.
    if (!cluster_.controller.federation.empty()) strategy.sbatch["clusters"] = cluster_.controller.cluster_name.text();
    strategy.account = admission_.account;
    strategy.qos = admission_.qos;
    strategy.exclude = exclude_;
    strategy.nodelist = request_.nodelist;
    if (!names_all_nodes()) {
      strategy.exclude.insert(strategy.exclude.end(), over_limits_.begin(), over_limits_.end());
    }
    if (std::string reason = budget_refusal(cluster_, partition_, strategy); !reason.empty()) {
      return refuse(std::move(reason));
    }
    add_uncut(strategy);
    add_in_segments(strategy, window);
  }

  Kind kind() const {
    if (model_in_partition_.model.mig) return Kind::mig;
    return lower(partition_.name).find("interactive") != std::string::npos ? Kind::interactive : Kind::plain;
  }

  void add_uncut(const Strategy& strategy) {
    if (request_.checkpoint_only) return;
    const WallLimit* wall = limits_.shortest_wall();
    if (wall != nullptr && request_.time > wall->most) {
      return refuse("you asked for " + format_duration(request_.time) + "; " + partition_.name + " allows " +
                    format_duration(wall->most) + " (" + wall->source + ")");
    }
    plan_.strategies.push_back(strategy);
  }

  void add_in_segments(Strategy strategy, std::optional<seconds> window) {
    if (strategy.kind == Kind::mig) {
      if (request_.checkpoint_only) refuse("--checkpoint can't use MIG slices");
      return;
    }
    if (!window || *window <= seconds(0)) {
      if (request_.checkpoint_only) refuse("no backfill window is known for it, so rv can't choose a segment length");
      return;
    }
    // One segment is not a chain, except where a chain is what was asked for: a crash or a lost node continues it.
    if (*window >= request_.time && !request_.checkpoint_only) return;
    const WallLimit* wall = limits_.shortest_wall();
    strategy.kind = Kind::checkpoint;
    strategy.time_limit = std::min(*window, request_.time);
    if (wall != nullptr) strategy.time_limit = std::min(strategy.time_limit, wall->most);
    if (strategy.time_limit <= seconds(0)) return;
    strategy.segments = static_cast<int>((request_.time + strategy.time_limit - seconds(1)) / strategy.time_limit);
    plan_.strategies.push_back(std::move(strategy));
  }

  Plan& plan_;
  const Cluster& cluster_;
  const ModelInPartition& model_in_partition_;
  const Partition& partition_;
  const Request& request_;
  NodeFilter filter_;
  Admission admission_;
  Limits limits_;
  std::vector<const NodeGpus*> places_;  // that pass the filter and may take jobs some day
  std::string constraint_;
  std::vector<std::string> exclude_;
  std::vector<std::string> over_limits_;  // nodes that are beyond a limit as a whole
  std::string split_trouble_;
  bool split_fits_on_node_ = false;
  bool refused_otherwise_ = false;
};

}  // namespace

void add_partition_strategies(Plan& plan, const ClusterIndex& index, const ModelInPartition& model_in_partition,
                              const Request& request, const std::vector<int>& node_counts,
                              std::optional<seconds> window) {
  PartitionStrategies(plan, index, model_in_partition, request).add(node_counts, window);
}

}  // namespace rv::planner
