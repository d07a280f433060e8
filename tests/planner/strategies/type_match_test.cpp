#include "planner/strategies/type_match.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "planner/cluster/cluster_index.h"
#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;

namespace {

std::vector<std::string> match(const std::vector<std::string>& words, const Cluster& cluster = test::afton()) {
  const GpuCatalogue catalogue = test::afton_catalogue();
  return match_types(words, catalogue, index_cluster(cluster, catalogue).models).models;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a model by its name, title or gres type") {
  CHECK(match({"a40"}) == Names{"a40"});
  CHECK(match({"A40"}) == Names{"a40"});
  CHECK(match({"RTX 3090"}) == Names{"rtx3090"});
  CHECK(match({"A100-80"}) == Names{"a100_80"});
  CHECK(match({"a100 80 gb"}) == Names{"a100_80"});
  CHECK(match({"a100_40gb"}) == Names{"a100_40"});
  CHECK(match({"mig"}) == Names{"1g.10gb"});
}

TEST_CASE("an alias is every model of its list that the cluster has") {
  CHECK(match({"a100"}) == Names{"a100_80", "a100_40"});
  Cluster cluster = test::afton();
  std::erase_if(cluster.nodes, [](const Node& node) { return node.partitions.front() == "gpu-a100-80"; });
  CHECK(match({"a100"}, cluster) == Names{"a100_40"});
}

TEST_CASE("a model made up from the gres name does not hide the alias") {
  Cluster cluster = test::afton();
  test::add_nodes(cluster, "x", 1, "gpu-a40", {"a100", 4}, 64, 500, {});
  CHECK(match({"a100"}, cluster) == Names{"a100", "a100_80", "a100_40"});
}

TEST_CASE("a gres type is every model under it") {
  GpuCatalogue catalogue = test::afton_catalogue();
  catalogue.aliases.clear();
  const Cluster cluster = test::afton();
  CHECK(match_types({"a100"}, catalogue, index_cluster(cluster, catalogue).models).models ==
        Names{"a100_40", "a100_80"});
}

TEST_CASE("several words are counted once") {
  CHECK(match({"v100", "a100", "a100_80", "3090"}) == Names{"v100", "a100_80", "a100_40", "rtx3090"});
}

TEST_CASE("a known type that the cluster lacks is a rejection") {
  GpuCatalogue catalogue = test::afton_catalogue();
  catalogue.models.push_back(test::model("h100", "h100", 80, 1));
  const Cluster cluster = test::afton();
  const TypeMatch found = match_types({"H100"}, catalogue, index_cluster(cluster, catalogue).models);
  CHECK(found.models.empty());
  REQUIRE(found.absent.size() == 1);
  CHECK(found.absent[0].gpu_type == "H100");
  CHECK(found.absent[0].reason.find("a6000, a40") != std::string::npos);
}

TEST_CASE("the error for an unknown type lists similar and existing types") {
  try {
    match({"rtx3900"});
    FAIL("no error");
  } catch (const rv::Error& error) {
    CHECK(error.code() == rv::ExitCode::usage);
    CHECK(std::string(error.what()).find("\"rtx3900\"") != std::string::npos);
    CHECK(error.advice().find("did you mean rtx3090?") != std::string::npos);
    CHECK(error.advice().find("this cluster has a6000, a40, a100_40") != std::string::npos);
  }
}

TEST_CASE("the error for an unknown type suggests only types of this cluster") {
  GpuCatalogue catalogue = test::afton_catalogue();
  catalogue.models.push_back(test::model("a4000", "a4000", 16, 1));
  try {
    match_types({"a4000000"}, catalogue, index_cluster(test::afton(), catalogue).models);
    FAIL("no error");
  } catch (const rv::Error& error) {
    CHECK(error.advice().find("a4000,") == std::string::npos);
    CHECK(error.advice().find("a4000?") == std::string::npos);
  }
}

TEST_CASE("a MIG profile matches on any GPU in the site's name") {
  Cluster cluster = test::afton();
  test::add_nodes(cluster, "x", 1, "gpu-a40", {"a100_2g.20gb", 4}, 64, 500, {});
  test::add_nodes(cluster, "y", 1, "gpu-a40", {"nvidia_h100_80gb_hbm3_2g.20gb", 4}, 64, 500, {});
  test::add_nodes(cluster, "z", 1, "gpu-a40", {"b_12g.20gb", 4}, 64, 500, {});
  CHECK(match({"2g.20gb"}, cluster) == Names{"a100_2g.20gb", "nvidia_h100_80gb_hbm3_2g.20gb"});
  CHECK(match({"1g.10gb"}, cluster) == Names{"1g.10gb"});
}
