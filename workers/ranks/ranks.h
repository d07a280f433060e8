#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::workers {

/// How the ranks of a run are distributed over processes. Every process that a launcher starts forks `here` ranks.
struct Ranks {
  int world = 1;            ///< number of ranks of the run
  int first = 0;            ///< first rank of this process
  int here = 1;             ///< number of ranks that this process forks
  int first_local = 0;      ///< index of the first rank among the ranks of this host
  bool coordinates = true;  ///< rank 0 is in this process, so the coordinator runs here
  bool one_process = true;  ///< there is no launcher, so this process may choose the token and the port
  std::string coordinator;  ///< host name or address of the coordinator
  int port = 0;             ///< 0: any free port
  std::string source;       ///< where this comes from, for the report: local, ranks, environment, kubernetes, slurm
  std::vector<std::string> hosts;  ///< by rank; empty if unknown
};

/// The inputs of find_ranks. The environment is a function, so that tests can replace it.
struct RankSources {
  /// --local-ranks: number of ranks that this process forks; nothing: `gpus`, at least one
  std::optional<int> local_ranks;
  std::vector<std::string> hosts;          ///< --ranks host:slots, in rank order; the same list on every host
  std::optional<std::string> here;         ///< --host: which of `hosts` this is; nothing: found by `own_names`
  std::vector<std::string> own_names;      ///< host name, its first label, addresses
  std::optional<int> port;                 ///< --port
  std::function<std::string()> full_name;  ///< the name of this host with its domain; called only if needed
  std::function<int()> gpus;               ///< counts this process's GPUs; called only if needed
  std::function<std::optional<std::string>(const char*)> environment;
};

/// Determines the ranks from the first of these that is set: `--ranks`; RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and
/// MASTER_PORT (of torchrun and rv's own scripts), or for each of them the variables of Kubernetes: PET_NODE_RANK or
/// JOB_COMPLETION_INDEX, PET_NNODES, PET_MASTER_ADDR (or pod 0 of the indexed Job, through its headless service) and
/// PET_MASTER_PORT; SLURM_PROCID and the other variables of srun; else one process on this host. WORLD_SIZE 1 counts as
/// one process. RV_RENDEZVOUS_PORT overrides a port of the environment. Throws std::invalid_argument with the error and
/// a hint.
Ranks find_ranks(const RankSources& sources);

/// Expands a Slurm node list: "n[1-2,07],gpu5" → n1, n2, n07, gpu5. Throws std::invalid_argument.
std::vector<std::string> expand_nodelist(std::string_view text);
/// Expands Slurm's tasks per node: "2(x3),1" → 2, 2, 2, 1. Throws std::invalid_argument.
std::vector<int> expand_tasks(std::string_view text);

/// The host name, its first label and the addresses of this host.
std::vector<std::string> own_names();
/// The host name with its domain, from /etc/hosts or the name service; without a domain only the name.
std::string own_full_name();

/// The pod that coordinates an indexed Job: "job-3.service.space.svc.cluster.local" and 3 → "job-0.service…". Nothing
/// if the name does not end with the pod's index.
std::optional<std::string> first_pod(const std::string& full_name, int index);

}  // namespace rv::workers
