#include "planner/cluster/limits.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"

namespace rv::planner {

namespace {

struct TresField {
  Tres Qos::*of_qos;
  Tres Association::*of_association;  // null: associations have no such limit in the snapshot
  const char* qos_name;
  const char* association_name;
  const char* per;
  bool per_node;
};

constexpr TresField upper_bounds[] = {
    {&Qos::max_tres_per_job, &Association::max_tres_per_job, "MaxTRESPerJob", "MaxTRESPerJob", "a job", false},
    {&Qos::max_tres_per_node, &Association::max_tres_per_node, "MaxTRESPerNode", "MaxTRESPerNode", "a node", true},
    {&Qos::max_tres_per_user, nullptr, "MaxTRESPerUser", "", "a user", false},
    {&Qos::max_tres_per_account, nullptr, "MaxTRESPerAccount", "", "an account", false},
    {&Qos::group_tres, &Association::group_tres, "GrpTRES", "GrpTRES", "in total", false},
};

constexpr TresField lower_bound = {&Qos::min_tres_per_job, nullptr, "MinTRESPerJob", "", "a job", false};

std::string figure(const DatabaseName& tres, std::int64_t amount) {
  return tres.text() + "=" + (tres == DatabaseName("mem") ? format_memory({amount}) : std::to_string(amount));
}

/// Collects one kind of limit; a TRES already bounded by a source before this one is left.
class Collector {
 public:
  Collector(const TresField& field, std::vector<TresLimit>& into) : field_(field), into_(into) {}

  void add(const Qos* qos) {
    if (qos != nullptr) add(qos->*field_.of_qos, "QOS " + qos->name.text() + " " + field_.qos_name);
  }
  void add(const Association* association) {
    if (association == nullptr || field_.of_association == nullptr) return;
    add(association->*field_.of_association, "account " + association->account.text() + " " + field_.association_name);
  }
  /// The limits of all of these accounts hold, where no QOS has set them.
  void add(const std::vector<const Account*>& accounts) {
    for (const Account* account : accounts) {
      const std::set<DatabaseName> seen = seen_;
      add(account->group_tres, "account " + account->name.text() + " GrpTRES");
      seen_ = seen;
    }
  }

 private:
  void add(const Tres& tres, const std::string& source) {
    for (const auto& [name, amount] : tres) {
      if (!seen_.insert(name).second) continue;
      into_.push_back({name, amount, field_.per_node, field_.per, source + " " + figure(name, amount)});
    }
  }

  const TresField& field_;
  std::vector<TresLimit>& into_;
  std::set<DatabaseName> seen_;
};

/// What MaxCPUsPerSocket leaves on the partition's node with the fewest sockets; 0: no limit.
int most_of_sockets(const Cluster& cluster, const Partition& partition) {
  if (!partition.max_cpus_per_socket) return 0;
  int fewest = 0;
  for (const Node& node : cluster.nodes) {
    if (node.sockets < 1 || !contains(node.partitions, partition.name)) continue;
    if (fewest == 0 || node.sockets < fewest) fewest = node.sockets;
  }
  return fewest * *partition.max_cpus_per_socket;
}

void add_partition_limits(Limits& limits, const Cluster& cluster, const Partition& partition, const Qos* job_qos) {
  const auto lifted = [&](std::string_view flag) { return job_qos != nullptr && contains(job_qos->flags, flag); };
  if (partition.max_time && !lifted("PartitionTimeLimit")) limits.wall.push_back({*partition.max_time, "MaxTime"});
  if (partition.max_nodes && !lifted("PartitionMaxNodes")) {
    limits.most.push_back({"node", *partition.max_nodes, false, "a job", "MaxNodes"});
  }
  if (partition.min_nodes && !lifted("PartitionMinNodes")) {
    limits.least.push_back({"node", *partition.min_nodes, false, "a job", "MinNodes"});
  }
  if (partition.max_cpus_per_node) {
    limits.most.push_back({"cpu", *partition.max_cpus_per_node, true, "a node", "MaxCPUsPerNode"});
  }
  if (const int most = most_of_sockets(cluster, partition); most > 0) {
    limits.most.push_back({"cpu", most, true, "a node", "MaxCPUsPerSocket"});
  }
  // A partition's own memory limit, of either form, replaces the cluster's.
  const bool own = partition.max_memory_per_node || partition.max_memory_per_cpu;
  const auto per_node = own ? partition.max_memory_per_node : cluster.controller.max_memory_per_node;
  const auto per_cpu = own ? partition.max_memory_per_cpu : cluster.controller.max_memory_per_cpu;
  const std::string whose = own ? "" : "the cluster's ";
  if (per_node) limits.most.push_back({"mem", per_node->count, true, "a node", whose + "MaxMemPerNode"});
  if (per_cpu) limits.memory_per_cpu = {*per_cpu, whose + "MaxMemPerCPU"};
}

std::int64_t amount_for(const TresLimit& limit, const Tres& job, int nodes) {
  const std::int64_t all =
      limit.tres == DatabaseName("gres/gpu") ? gpu_count(job) : amount(job, limit.tres).value_or(0);
  return limit.per_node ? (all + nodes - 1) / nodes : all;
}

std::string sentence(const Limits& limits, const TresLimit& limit, const char* verb, std::int64_t wanted,
                     const std::vector<DatabaseName>& asked) {
  const DatabaseName kind = limit.tres.starts_with("gres/gpu") ? DatabaseName("gres/gpu") : limit.tres;
  const bool own_figure = std::find(asked.begin(), asked.end(), kind) != asked.end();
  const std::string figure = kind == DatabaseName("mem") ? format_memory({wanted}) : std::to_string(wanted);
  return limits.partition + " " + verb + " " + tres_in_words(limit.tres, limit.amount) + " " + limit.per + " (" +
         limit.source + "); " + (own_figure ? "you asked for " : "this would be ") + figure;
}

}  // namespace

Limits::Bound Limits::tightest(const DatabaseName& tres, int nodes) const {
  Bound bound;
  for (const TresLimit& limit : most) {
    if (limit.tres != tres) continue;
    const std::int64_t per_node = limit.per_node ? limit.amount : limit.amount / nodes;
    if (bound.limit == nullptr || per_node < bound.per_node) bound = {per_node, &limit};
  }
  return bound;
}

const WallLimit* Limits::shortest_wall() const {
  const auto shortest =
      std::min_element(wall.begin(), wall.end(), [](const auto& a, const auto& b) { return a.most < b.most; });
  return shortest == wall.end() ? nullptr : &*shortest;
}

Limits effective_limits(const Cluster& cluster, const Partition& partition, const Qos* job_qos,
                        const Association* association) {
  Limits limits;
  limits.partition = partition.name;
  add_partition_limits(limits, cluster, partition, job_qos);
  if (!enforces(cluster.controller, "limits")) return limits;

  const Qos* first = partition.qos.empty() ? nullptr : cluster.find_qos(partition.qos);
  const Qos* second = job_qos;
  if (second != nullptr && contains(second->flags, "OverPartQOS")) std::swap(first, second);

  for (const TresField& field : upper_bounds) {
    Collector collector(field, limits.most);
    collector.add(first);
    collector.add(second);
    if (field.of_qos == &Qos::group_tres && association != nullptr) {
      collector.add(cluster.accounts_from(association->account));
    }
    collector.add(association);
  }
  Collector least(lower_bound, limits.least);
  least.add(first);
  least.add(second);

  if (first != nullptr && first->max_wall) {
    limits.wall.push_back({*first->max_wall, "QOS " + first->name.text() + " MaxWall"});
  } else if (second != nullptr && second->max_wall) {
    limits.wall.push_back({*second->max_wall, "QOS " + second->name.text() + " MaxWall"});
  } else if (association != nullptr && association->max_wall) {
    limits.wall.push_back({*association->max_wall, "account " + association->account.text() + " MaxWall"});
  }
  return limits;
}

std::optional<std::string> broken_limit(const Limits& limits, const Tres& job, int nodes,
                                        const std::vector<DatabaseName>& asked) {
  for (const TresLimit& limit : limits.most) {
    const std::int64_t wanted = amount_for(limit, job, nodes);
    if (wanted > limit.amount) return sentence(limits, limit, "allows", wanted, asked);
  }
  for (const TresLimit& limit : limits.least) {
    // Amounts that the job says nothing about (licenses, billing) can't be judged.
    const bool stated = limit.tres == DatabaseName("gres/gpu") || amount(job, limit.tres);
    const std::int64_t wanted = amount_for(limit, job, nodes);
    if (stated && wanted < limit.amount) return sentence(limits, limit, "requires at least", wanted, asked);
  }
  return std::nullopt;
}

std::string tres_in_words(const DatabaseName& tres, std::int64_t amount) {
  if (tres == DatabaseName("gres/gpu")) return counted(amount, "GPU");
  if (tres.starts_with(typed_gpu)) return counted(amount, tres.substr(typed_gpu.size()).text() + " GPU");
  if (tres == DatabaseName("cpu")) return counted(amount, "CPU");
  if (tres == DatabaseName("node")) return counted(amount, "node");
  if (tres == DatabaseName("mem")) return format_memory({amount}) + " memory";
  if (tres == DatabaseName("billing")) return counted(amount, "billing unit");
  return std::to_string(amount) + " " + tres.text();
}

bool enforces(const ControllerSettings& controller, std::string_view what) {
  if (controller.enforced.empty()) return true;
  const auto lists = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(controller.enforced.begin(), controller.enforced.end(), [&](const std::string& word) {
      return std::find(words.begin(), words.end(), lower(word)) != words.end();
    });
  };
  // slurm.conf(5): each of the stronger words includes the weaker ones; "all" is everything but nojobs and nosteps.
  if (what == "associations") return lists({"associations", "limits", "qos", "safe", "wckeys", "all"});
  if (what == "limits") return lists({"limits", "safe", "all"});
  return lists({"qos", "all"});
}

}  // namespace rv::planner
