// --type: from the user's words to GPU models.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

struct TypeMatch {
  std::vector<std::string> models;  // names of models that the cluster has, in the order of the words
  std::vector<Rejection> absent;    // words that name a GPU this cluster does not have
};

/// A word is, in this order: the name of a model in the catalogue, together with an alias of that name, which stands
/// for all models of its list that the cluster has; a model's title; a gres type, which stands for every model the
/// cluster has under it; a feature that tells a model; a MIG profile; "mig", every MIG slice; a longer name that holds
/// a model's gres type ("NVIDIA H100 80GB HBM3"); a whole word of a gres type that the catalogue does not know. A model
/// that identify() made up from a gres type is meant too wherever the word is that type. Letter case, blanks, '-' and
/// '_' do not count. `on_cluster`: what identify() found on the nodes. Throws Error(usage) for a word that neither the
/// catalogue nor the cluster knows, with the nearest known names and what the cluster has. `option` is named in the
/// message.
TypeMatch match_types(const std::vector<std::string>& words, const GpuCatalogue& catalogue,
                      const std::vector<GpuModel>& on_cluster, const std::string& option = "--type");

}  // namespace rv::planner
