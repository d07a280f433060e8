// The GPU catalogue's YAML: the built-in file and a site's additions read alike.
#pragma once

#include <yaml-cpp/yaml.h>

#include "base/documents/yaml_reader.h"
#include "planner/cluster/gpu_catalogue.h"

namespace rv {

/// A list of models. One whose name is known changes the keys it has, another is added.
void apply_models(planner::GpuCatalogue& catalogue, const YAML::Node& node, const YamlPosition& place);

/// name: [models]; an alias that is known is replaced.
void apply_aliases(planner::GpuCatalogue& catalogue, const YAML::Node& node, const YamlPosition& place);

}  // namespace rv
