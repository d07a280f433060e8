// What is known about GPU models, as data: names people use, memory, interconnect, price.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_size.h"
#include "planner/cluster/cluster.h"

namespace rv::planner {

/// One GPU model. Two models may share a gres type ("a100" with 40 or 80 GB): a node feature tells them apart.
struct GpuModel {
  std::string name;                       // rv's own name: "a100_80"
  std::string title;                      // "A100 80 GB"
  std::vector<std::string> gres_types;    // gres type names that may stand for it: {"a100"}
  std::vector<std::string> features;      // a node with any of these features has this model; may be empty
  std::string product_pattern;            // ERE on nvidia-smi's product name; empty: unknown
  std::optional<Mebibytes> vram;          // per GPU (per slice for MIG)
  std::string interconnect;               // "nvlink", "pcie", "" when unknown
  std::optional<double> capability;       // CUDA's compute capability: 9.0
  std::optional<double> su_per_gpu_hour;  // site price
  bool mig = false;                       // a slice of a GPU: one process, no peer traffic
};

struct GpuAlias {
  std::string name;                 // "a100"
  std::vector<std::string> models;  // all that the cluster has are meant: {"a100_80", "a100_40"}
};

struct GpuCatalogue {
  std::vector<GpuModel> models;
  std::vector<GpuAlias> aliases;
  double su_factor = 1.0;  // multiplies every price (some sites quote another unit)
};

/// The model of a pool on a node. Candidates are the models one of whose gres types is in the pool's type by whole
/// words
/// ("h100" in "NVIDIA_H100_80GB_S", never "a10" in "a100"), of these the ones with the longest such type ("rtx6000ada"
/// before "rtx6000"). Of several, the one that has a feature of the node; else the one whose memory the pool's type
/// states; else the only one without features, or the only one at all. When nothing fits, a model made from the gres
/// name alone, with the memory that the name states. A MIG profile ("1g.10gb", "a100_3g.20gb") is a slice, whose memory
/// is in its name, and has no model but one of the same gres type. Letter case does not count. An untyped pool has the
/// model one of whose features the node has, else it is called "gpu".
GpuModel identify(const GpuCatalogue& catalogue, const Node& node, const GpuPool& pool);

/// Letters of the longest gres type of the model that is in the name by whole words; 0: none is. Separators do not
/// count as letters, and a name that begins with its maker's names has a word behind each of them ("GEFORCEGTX1080TI").
std::size_t words_in_common(const GpuModel& model, std::string_view name);

/// True when `part` is in `name` by whole words: "rtx_6000" in "quadro_rtx_6000", not "a10" in "a100".
bool has_words(std::string_view name, std::string_view part);

/// True for gres types that name a MIG profile ("1g.10gb", "a100_3g.20gb", "mig-2g.20gb").
bool is_mig_profile(std::string_view gres_type);

/// Memory of one slice as the profile's name states it: 10 GiB for "1g.10gb". Empty if the name is not a profile.
std::optional<Mebibytes> mig_profile_memory(std::string_view gres_type);

}  // namespace rv::planner
