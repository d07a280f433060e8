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
  std::optional<double> su_per_gpu_hour;  // site price
  bool mig = false;                       // a slice of a GPU: one process, no peer traffic
};

struct GpuAlias {
  std::string name;                 // "a100"
  std::vector<std::string> models;  // first one the cluster has is meant: {"a100_80", "a100_40"}
};

struct GpuCatalogue {
  std::vector<GpuModel> models;
  std::vector<GpuAlias> aliases;
  double su_factor = 1.0;  // multiplies every price (some sites quote another unit)
};

/// The model of a pool on a node: same gres type, and the node has one of the model's features; else a model of that
/// gres type without features, else the only model of that gres type. When nothing fits, a model made from the gres
/// name alone, its figures unknown (gres names with a MIG profile such as "1g.10gb", "a100_3g.20gb" are recognised
/// as slices and their memory is read from the name). Letter case does not count. An untyped pool has the model one of
/// whose features the node has, else it is called "gpu".
GpuModel identify(const GpuCatalogue& catalogue, const Node& node, const GpuPool& pool);

/// True for gres types that name a MIG profile ("1g.10gb", "a100_3g.20gb", "mig-2g.20gb").
bool is_mig_profile(std::string_view gres_type);

/// Memory of one slice as the profile's name states it: 10 GiB for "1g.10gb". Empty when it is no profile.
std::optional<Mebibytes> mig_profile_memory(std::string_view gres_type);

}  // namespace rv::planner
