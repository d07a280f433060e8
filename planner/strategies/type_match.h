// Finds the GPU models that the values of --type name.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

struct TypeMatch {
  std::vector<std::string> models;  // names of models that the cluster has, in the order of `words`
  std::vector<Rejection> absent;    // words that name a GPU which this cluster does not have
};

/// Returns the models that `words` name. The first of these rules that matches a word decides:
/// 1. the name of a model in the catalogue, and an alias with that name: all models in its list that the cluster has
/// 2. the title of a model
/// 3. a gres type: every model that the cluster has under it
/// 4. a feature that distinguishes a model
/// 5. a MIG profile, or "mig": every MIG slice
/// 6. a longer name that contains a model's gres type ("NVIDIA H100 80GB HBM3")
/// 7. a whole word of a gres type that the catalogue does not have
///
/// If the word is a gres type from which identify() made a model, that model is included too. Letter case, blanks, '-'
/// and '_' are ignored. `on_cluster`: the models that identify() found on the nodes. Throws Error(usage) for a word
/// that neither the catalogue nor the cluster has, with the nearest known names and the types of the cluster. `option`:
/// the name of the option for the message.
TypeMatch match_types(const std::vector<std::string>& words, const GpuCatalogue& catalogue,
                      const std::vector<GpuModel>& on_cluster, const std::string& option = "--type");

}  // namespace rv::planner
