#include "workers/ranks/ranks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <stdexcept>

#include "shared/number.h"

namespace rv::workers {
namespace {

constexpr int most_ranks = 65536;
constexpr int usual_port = 29401;

int number(std::string_view what, std::string_view text, int least, int most) {
  if (const auto value = number_in<int>(text, least, most)) return *value;
  throw std::invalid_argument(fmt::format("{} is \"{}\", not a number from {} to {}", what, text, least, most));
}

class Finder {
 public:
  explicit Finder(const RankSources& sources) : sources_(sources) {}

  Ranks find() const {
    if (!sources_.hosts.empty()) return by_list();
    const auto world = world_size();
    if (world && number("WORLD_SIZE", *world, 1, most_ranks) > 1) return by_environment(*world);
    const auto tasks = sources_.environment("SLURM_STEP_NUM_TASKS");
    if (!world && tasks && number("SLURM_STEP_NUM_TASKS", *tasks, 1, most_ranks) > 1) return by_slurm(*tasks);
    Ranks ranks;
    ranks.here = ranks.world = local();
    ranks.coordinator = "127.0.0.1";
    ranks.port = sources_.port.value_or(0);
    ranks.source = "local";
    ranks.hosts.assign(static_cast<std::size_t>(ranks.world), own_name());
    return ranks;
  }

 private:
  int local() const { return sources_.local_ranks ? *sources_.local_ranks : std::max(sources_.gpus(), 1); }
  std::string own_name() const { return sources_.own_names.empty() ? "" : sources_.own_names.front(); }

  std::string needed(const char* name, std::string_view beside) const {
    auto value = sources_.environment(name);
    if (!value || value->empty()) {
      throw std::invalid_argument(fmt::format("{} is set, but {} is not; the launcher must set both", beside, name));
    }
    return *value;
  }

  std::optional<int> own_port() const {
    if (sources_.port) return sources_.port;
    const auto port = sources_.environment("RV_RENDEZVOUS_PORT");
    return port ? std::optional(number("RV_RENDEZVOUS_PORT", *port, 1, 65535)) : std::nullopt;
  }

  /// The ranks of process `process` of `processes` that a launcher started. Each forks the number of ranks in
  /// --local-ranks, else one.
  Ranks launched(int processes, int process, int local_process) const {
    Ranks ranks;
    ranks.one_process = false;
    ranks.here = sources_.local_ranks.value_or(1);
    ranks.world = processes * ranks.here;
    ranks.first = process * ranks.here;
    ranks.first_local = local_process * ranks.here;
    ranks.coordinates = process == 0;
    return ranks;
  }

  /// The first of these variables that is set. Operators of Kubernetes have other names for torchrun's variables.
  std::optional<std::string> first_of(std::initializer_list<const char*> names) const {
    for (const auto* name : names) {
      if (auto value = sources_.environment(name); value && !value->empty()) return value;
    }
    return std::nullopt;
  }

  /// WORLD_SIZE, else the number of pods from PyTorchJob. Elastic jobs set a range, which is not used.
  std::optional<std::string> world_size() const {
    if (auto world = sources_.environment("WORLD_SIZE")) return world;
    auto pods = first_of({"PET_NNODES"});
    return pods && pods->find(':') == std::string::npos && first_of({"PET_NODE_RANK"}) ? pods : std::nullopt;
  }

  std::string coordinator_of(int rank) const {
    if (auto address = first_of({"MASTER_ADDR", "PET_MASTER_ADDR"})) return *address;
    if (first_of({"JOB_COMPLETION_INDEX"})) {
      if (auto pod = first_pod(sources_.full_name ? sources_.full_name() : own_name(), rank)) return *pod;
    }
    return needed("MASTER_ADDR", "WORLD_SIZE");
  }

  Ranks by_environment(const std::string& world_text) const {
    const auto world = number("WORLD_SIZE", world_text, 1, most_ranks);
    const auto place = first_of({"RANK", "PET_NODE_RANK", "JOB_COMPLETION_INDEX"});
    const auto rank = number("RANK", place ? *place : needed("RANK", "WORLD_SIZE"), 0, world - 1);
    const auto local = sources_.environment("LOCAL_RANK");
    auto ranks = launched(world, rank, local ? number("LOCAL_RANK", *local, 0, most_ranks) : 0);
    ranks.coordinator = coordinator_of(rank);
    const bool in_pod = first_of({"PET_NODE_RANK", "JOB_COMPLETION_INDEX"}).has_value();
    ranks.source = in_pod ? "kubernetes" : "environment";
    if (const auto port = own_port()) {
      ranks.port = *port;
    } else if (const auto given = first_of({"MASTER_PORT", "PET_MASTER_PORT"})) {
      ranks.port = number("MASTER_PORT", *given, 1, 65534);
      // torchrun's agent listens on MASTER_PORT itself.
      if (sources_.environment("TORCHELASTIC_RUN_ID")) ++ranks.port;
    } else if (in_pod) {
      ranks.port = usual_port;  // a pod has its own ports
    } else {
      needed("MASTER_PORT", "WORLD_SIZE");
    }
    ranks.hosts.assign(static_cast<std::size_t>(ranks.world), "");
    return ranks;
  }

  Ranks by_slurm(const std::string& tasks_text) const {
    const auto world = number("SLURM_STEP_NUM_TASKS", tasks_text, 1, most_ranks);
    const auto task = number("SLURM_PROCID", needed("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"), 0, world - 1);
    const auto local = number("SLURM_LOCALID", needed("SLURM_LOCALID", "SLURM_STEP_NUM_TASKS"), 0, world - 1);
    auto ranks = launched(world, task, local);
    const auto nodes = expand_nodelist(needed("SLURM_STEP_NODELIST", "SLURM_STEP_NUM_TASKS"));
    const auto master = sources_.environment("MASTER_ADDR");
    ranks.coordinator = master && !master->empty() ? *master : nodes.front();
    ranks.source = "slurm";
    const auto job = sources_.environment("SLURM_JOB_ID"), step = sources_.environment("SLURM_STEP_ID");
    // Two jobs on a node, and two steps of a job, get different ports.
    const auto job_number = job ? number("SLURM_JOB_ID", *job, 0, 2147483647) : 0;
    const auto step_number = step ? number("SLURM_STEP_ID", *step, 0, 2147483647) : 0;
    ranks.port = own_port().value_or(10000 + (job_number % 20000 + step_number % 20000 * 7) % 20000);
    ranks.hosts.assign(static_cast<std::size_t>(ranks.world), "");
    // The hosts of tasks are known only for the plain distribution; otherwise a host is named when its rank joins.
    const auto distribution = sources_.environment("SLURM_DISTRIBUTION");
    const auto per_node = sources_.environment("SLURM_STEP_TASKS_PER_NODE");
    if (per_node && (!distribution || distribution->rfind("block", 0) == 0)) {
      const auto counts = expand_tasks(*per_node);
      std::size_t rank = 0;
      for (std::size_t node = 0; node < nodes.size() && node < counts.size(); ++node) {
        for (int i = 0; i < counts[node] * ranks.here && rank < ranks.hosts.size(); ++i) {
          ranks.hosts[rank++] = nodes[node];
        }
      }
    }
    return ranks;
  }

  Ranks by_list() const {
    Ranks ranks;
    ranks.world = 0;
    ranks.here = 0;
    ranks.source = "ranks";
    const auto& names = sources_.own_names;
    for (const auto& item : sources_.hosts) {
      const auto colon = item.rfind(':');
      const auto host = item.substr(0, colon);
      if (host.empty()) throw std::invalid_argument(fmt::format("--ranks: \"{}\" contains no host", item));
      const auto slots = colon == std::string::npos
                             ? 1
                             : number("--ranks " + item + ": the number of slots", item.substr(colon + 1), 1, 1024);
      const bool mine = sources_.here
                            ? host == *sources_.here
                            : std::find(names.begin(), names.end(), host) != names.end() || host == "localhost";
      if (mine && ranks.here == 0) {
        ranks.first = ranks.world;
        ranks.here = slots;
      }
      if (ranks.world == 0) ranks.coordinator = host;
      ranks.world += slots;
      ranks.hosts.insert(ranks.hosts.end(), static_cast<std::size_t>(slots), host);
    }
    if (ranks.here == 0) {
      throw std::invalid_argument(fmt::format("--ranks {} does not include this host ({}); name it with --host",
                                              fmt::join(sources_.hosts, ","), fmt::join(names, ", ")));
    }
    ranks.coordinates = ranks.first == 0;
    ranks.one_process = ranks.here == ranks.world;
    ranks.port = own_port().value_or(ranks.one_process ? 0 : usual_port);
    return ranks;
  }

  const RankSources& sources_;
};

}  // namespace

Ranks find_ranks(const RankSources& sources) {
  auto ranks = Finder(sources).find();
  if (ranks.world > most_ranks) throw std::invalid_argument(fmt::format("{} ranks are too many", ranks.world));
  return ranks;
}

std::optional<std::string> first_pod(const std::string& full_name, int index) {
  const auto dot = full_name.find('.');
  const auto host = full_name.substr(0, dot);
  const auto ending = fmt::format("-{}", index);
  if (host.size() <= ending.size() || !host.ends_with(ending)) return std::nullopt;
  return host.substr(0, host.size() - ending.size()) + "-0" + (dot == std::string::npos ? "" : full_name.substr(dot));
}

std::vector<int> expand_tasks(std::string_view text) {
  std::vector<int> counts;
  while (!text.empty()) {
    const auto item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    const auto times = item.find("(x");
    int repeat = 1;
    if (times != std::string_view::npos) {
      repeat = number("tasks per node", item.substr(times + 2, item.size() - times - 3), 1, most_ranks);
    }
    counts.insert(counts.end(), static_cast<std::size_t>(repeat),
                  number("tasks per node", item.substr(0, times), 1, most_ranks));
  }
  return counts;
}

}  // namespace rv::workers
