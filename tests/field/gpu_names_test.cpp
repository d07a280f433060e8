// gpu_names.yaml: names that sites give to their GPUs, and the model, memory and --type of each.
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/settings/settings.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/strategies/type_match.h"
#include "tests/source_tree.h"

namespace rv::planner {
namespace {

bool finds(const std::string& word, const GpuModel& model, const GpuCatalogue& catalogue) {
  try {
    return contains(match_types({word}, catalogue, {model}).models, model.name);
  } catch (const Error&) {
    return false;
  }
}

std::vector<std::string> texts(const YAML::Node& list) {
  return list ? list.as<std::vector<std::string>>() : std::vector<std::string>();
}

}  // namespace

TEST_CASE("GPU names of the field: model, memory, and what --type finds") {
  const GpuCatalogue catalogue = built_in_catalogue();
  for (const auto& row : YAML::LoadFile(in_tree("tests/field/gpu_names.yaml"))["rows"]) {
    const auto gres = row["gres"].as<std::string>();
    CAPTURE(gres);
    Node node;
    node.features = texts(row["features"]);
    const GpuModel model = identify(catalogue, node, {gres, 4});
    CHECK(model.name == row["model"].as<std::string>());
    CHECK((model.vram ? std::to_string(model.vram->count / 1024) : "unknown") == row["vram"].as<std::string>());
    CHECK(model.mig == row["slice"].as<bool>(false));
    for (const std::string& word : texts(row["find"])) CHECK_MESSAGE(finds(word, model, catalogue), word);
    for (const std::string& word : texts(row["not"])) CHECK_MESSAGE(!finds(word, model, catalogue), word);
  }
}

TEST_CASE("-t a100 means both sizes, -t h100 every H100") {
  const GpuCatalogue catalogue = built_in_catalogue();
  const auto models = [&](const std::vector<std::string>& types, const std::string& word) {
    std::vector<GpuModel> on_cluster;
    for (const std::string& type : types) on_cluster.push_back(identify(catalogue, {}, {type, 4}));
    return match_types({word}, catalogue, on_cluster).models;
  };
  using Names = std::vector<std::string>;
  CHECK(models({"nvidia_a100-sxm4-40gb", "nvidia_a100_80gb_pcie", "a100_3g.20gb"}, "a100") ==
        Names{"a100_80", "a100_40"});
  CHECK(models({"nvidia_h100_nvl", "NVIDIA_H100_80GB_S", "gh200"}, "h100") == Names{"h100", "h100_nvl"});
  CHECK(models({"tesla_v100-sxm2-16gb", "v100l", "v100"}, "V100") == Names{"v100", "v100_32", "v100_16"});
}

}  // namespace rv::planner
