// The catalogue of GPU models: their names, memory, interconnect and price.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_size.h"
#include "planner/cluster/cluster.h"

namespace rv::planner {

/// One GPU model. Two models may share a gres type ("a100" with 40 or 80 GB); a feature of the node then distinguishes
/// them.
struct GpuModel {
  std::string name;                       // rv's own name: "a100_80"
  std::string title;                      // "A100 80 GB"
  std::vector<std::string> gres_types;    // gres types under which sites list it: {"a100"}
  std::vector<std::string> features;      // a node with any of these features has this model; may be empty
  std::string product_pattern;            // ERE on nvidia-smi's product name; empty: unknown
  std::optional<Mebibytes> vram;          // per GPU (per slice for MIG)
  std::string interconnect;               // "nvlink", "pcie", "" if unknown
  std::optional<double> capability;       // CUDA's compute capability: 9.0
  std::optional<double> su_per_gpu_hour;  // site price
  bool mig = false;                       // a slice of a GPU: one process, no peer traffic
};

struct GpuAlias {
  std::string name;                 // "a100"
  std::vector<std::string> models;  // the alias means all of these that the cluster has: {"a100_80", "a100_40"}
};

struct GpuCatalogue {
  std::vector<GpuModel> models;
  std::vector<GpuAlias> aliases;
  double su_factor = 1.0;  // multiplies every price, for sites that use another unit
};

/// Returns the model of a pool of GPUs on a node. The candidates are the models with a gres type that the pool's type
/// contains as whole words ("h100" in "NVIDIA_H100_80GB_S", never "a10" in "a100"); those with the longest such type
/// remain ("rtx6000ada" before "rtx6000"). Letter case is ignored. Of several candidates the first rule that selects
/// one decides:
/// 1. The node has a feature of the model.
/// 2. The pool's type names the memory of the model.
/// 3. It is the only candidate without features, or the only candidate.
///
/// Without a candidate, the result is a model with the name of the gres type, and the memory in that name. A MIG
/// profile ("1g.10gb", "a100_3g.20gb") is a slice with the memory in its name; its only candidate is a model with the
/// same gres type. An untyped pool has the model of which the node has a feature, else a model named "gpu".
GpuModel identify(const GpuCatalogue& catalogue, const Node& node, const GpuPool& pool);

/// Returns the number of letters in the longest gres type of the model that `name` contains as whole words; 0 if it
/// contains none. Separators are not counted. A maker's name at the beginning is a word even without a separator
/// ("GEFORCEGTX1080TI").
std::size_t words_in_common(const GpuModel& model, std::string_view name);

/// Whether `name` contains `part` as whole words: "rtx_6000" in "quadro_rtx_6000", not "a10" in "a100".
bool has_words(std::string_view name, std::string_view part);

/// True for gres types that name a MIG profile ("1g.10gb", "a100_3g.20gb", "mig-2g.20gb").
bool is_mig_profile(std::string_view gres_type);

/// The memory of one slice, from the name of the profile: 10 GiB for "1g.10gb". Nothing if the name is not a profile.
std::optional<Mebibytes> mig_profile_memory(std::string_view gres_type);

}  // namespace rv::planner
