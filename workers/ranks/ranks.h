#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::workers {

/// How the processes of one run are placed. Every process that a launcher starts forks `here` ranks of its own.
struct Ranks {
  int world = 1;                   ///< ranks altogether
  int first = 0;                   ///< the first rank of this process
  int here = 1;                    ///< ranks that this process forks
  int first_local = 0;             ///< the first one's place among the ranks of this host
  bool coordinates = true;         ///< rank 0 is among them, so the ranks meet in this process
  bool one_process = true;         ///< no launcher: the token and the port may be made up here
  std::string coordinator;         ///< the host on which they meet, name or address
  int port = 0;                    ///< 0: any free one
  std::string source;              ///< what said so, for the report: local, ranks, environment, kubernetes, slurm
  std::vector<std::string> hosts;  ///< by rank; empty where nobody has said
};

/// What names a process's place. The environment is a function, so that a test can be one.
struct RankSources {
  std::optional<int> local_ranks;          ///< --local-ranks: how many this process forks; none: `gpus`, at least one
  std::vector<std::string> hosts;          ///< --ranks host:slots, in rank order; the same list on every host
  std::optional<std::string> here;         ///< --host: which of them this is; none: found by `own_names`
  std::vector<std::string> own_names;      ///< host name, its first label, addresses
  std::optional<int> port;                 ///< --port
  std::function<std::string()> full_name;  ///< of this host, with its domain; asked only if needed
  std::function<int()> gpus;               ///< counts this process's GPUs; asked only if needed
  std::function<std::optional<std::string>(const char*)> environment;
};

/// In this order: `--ranks`; RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT (torchrun's, and rv's own
/// scripts'), each else as Kubernetes sets it: PET_NODE_RANK or JOB_COMPLETION_INDEX, PET_NNODES, PET_MASTER_ADDR (or
/// the indexed Job's pod 0, by its headless service) and PET_MASTER_PORT; srun's SLURM_PROCID and its like; else one
/// process on this host. WORLD_SIZE 1 counts as the last. RV_RENDEZVOUS_PORT overrules a port of the environment.
/// Throws std::invalid_argument with what is wrong and the way out.
Ranks find_ranks(const RankSources& sources);

/// "n[1-2,07],gpu5" → n1, n2, n07, gpu5: the names that Slurm packs. Throws std::invalid_argument.
std::vector<std::string> expand_nodelist(std::string_view text);
/// "2(x3),1" → 2, 2, 2, 1: tasks by node. Throws std::invalid_argument.
std::vector<int> expand_tasks(std::string_view text);

/// This host's name, its first label and its addresses.
std::vector<std::string> own_names();
/// This host's name with its domain, as /etc/hosts or the name service has it; without one, the name alone.
std::string own_full_name();

/// The pod that coordinates an indexed Job: "job-3.service.space.svc.cluster.local" and 3 → "job-0.service…". Nothing
/// where the name does not end with the pod's index.
std::optional<std::string> first_pod(const std::string& full_name, int index);

}  // namespace rv::workers
