// The options of rv accept.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_size.h"
#include "cli/options/container_options.h"
#include "cli/options/invocation.h"
#include "cli/options/kubernetes_options.h"
#include "cli/options/request_options.h"
#include "reports/accept/baseline.h"
#include "reports/accept/order.h"
#include "reports/accept/tier.h"

namespace rv::cli {

struct AcceptOptions {
  std::shared_ptr<RequestOptions> request;
  std::shared_ptr<KubernetesOptions> kubernetes;
  std::optional<int> gpus_per_node, slots;
  bool quick = false, full = false, local = false, dry_run = false, detach = false, allow_skip = false, strict = false;
  std::vector<std::string> suites;
  const accept::Tier* tier = nullptr;   // --tier: chooses suites and length; null: not given
  std::vector<std::string> io_folders;  // in place of the settings' scratch and home
  std::optional<Mebibytes> io_size;
  std::string device = "auto";
  std::optional<std::string> hosts;   // a file or names; nothing: use Slurm, or --local
  std::optional<std::string> fabric;  // the fabric for NCCL; nothing: NCCL chooses
  std::string baseline, save_baseline, report_dir, worker_folder;
  std::vector<accept::Baseline> baselines;  // what those of `baseline`, or the settings', are with rv's own
  ContainerOptions container;               // of the workers
  std::string judge;                        // a run or folder to judge again
  std::optional<std::string> history;       // a GPU's UUID or a node; "all": all
};

/// Adds the options to the command; the values live as long as the returned pointer.
std::shared_ptr<AcceptOptions> add_accept_options(CLI::App& command);

/// Whether --full or the tier asks for the longer measurements.
bool takes_full_length(const AcceptOptions& options);

/// Whether no requested suite measures GPUs.
bool without_gpus(const AcceptOptions& options);

/// What to run on `nodes` nodes of `gpus_per_node`. Health needs a driver, so it is not part of an order for the CPU
/// unless it was named; what runs only where it is named is part of none else, and io's folders are left out here.
/// Throws Error(usage) for an unknown suite.
accept::Order order_of(const AcceptOptions& options, int nodes, int gpus_per_node);

}  // namespace rv::cli
