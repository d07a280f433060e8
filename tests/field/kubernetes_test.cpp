// kubernetes.yaml: nodes and pods of the field.
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/kubernetes/pods/node_check.h"
#include "tests/source_tree.h"

namespace rv::kubernetes {
namespace {

using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

YAML::Node rows(const char* kind) {
  return YAML::LoadFile(in_tree("tests/field/kubernetes.yaml"))[kind];
}

/// The node of a row as kubectl prints it.
std::string document(const Json& facts) {
  Json node = {{"kind", "Node"}, {"spec", Json::object()}};
  node["metadata"] = {{"name", "n1"}};
  for (const char* key : {"labels", "annotations"}) node["metadata"][key] = facts.value(key, Json::object());
  node["status"]["conditions"] = Json::array({{{"type", "Ready"}, {"status", "True"}}});
  node["status"]["capacity"] = facts["capacity"];
  node["status"]["allocatable"] = facts.contains("allocatable") ? facts["allocatable"] : facts["capacity"];
  return Json{{"items", Json::array({node})}}.dump();
}

}  // namespace

TEST_CASE("nodes of the field: shares and slices are named, and why a node takes no pod") {
  for (const auto& row : rows("nodes")) {
    const auto facts = Json::parse(row["node"].as<std::string>());
    CAPTURE(facts.dump());
    JobOrder order;
    order.gpus_per_node = row["wanted"] ? row["wanted"].as<int>() : 1;
    if (row["resource"]) order.gpu_resource = row["resource"].as<std::string>();
    const auto check = check_cluster(cluster_facts(document(facts), "test"), order).nodes.at(0);
    CHECK((check.shares ? shown(*check.shares, check.capacity) : std::to_string(check.capacity)) ==
          row["gpus"].as<std::string>());
    CHECK(check.reasons == (row["reasons"] ? row["reasons"].as<Texts>() : Texts()));
  }
}

TEST_CASE("pods of the field: what the scheduler reserves for them") {
  for (const auto& row : rows("pods")) {
    CAPTURE(row["spec"].as<std::string>());
    const auto requests = requests_of_pod(Json::parse(row["spec"].as<std::string>()));
    for (const auto& wanted : row["requests"]) {
      const auto name = wanted.first.as<std::string>();
      CAPTURE(name);
      REQUIRE(requests.contains(name));
      CHECK(requests.at(name) == doctest::Approx(wanted.second.as<double>()));
    }
    CHECK(requests.size() == row["requests"].size());
  }
}

}  // namespace rv::kubernetes
