#include "planner/cluster/gpu_catalogue.h"

#include <doctest/doctest.h>

#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;

namespace {

Node node_with(std::vector<std::string> features) {
  Node node;
  node.features = std::move(features);
  return node;
}

}  // namespace

TEST_CASE("a feature distinguishes two models of one gres type") {
  const GpuCatalogue catalogue = test::afton_catalogue();
  CHECK(identify(catalogue, node_with({"x", "a100_80gb"}), {"a100", 8}).name == "a100_80");
  CHECK(identify(catalogue, node_with({"A100_40GB"}), {"A100", 8}).name == "a100_40");
}

TEST_CASE("without a feature of either the model is unknown and keeps the gres name") {
  const GpuModel model = identify(test::afton_catalogue(), node_with({}), {"a100", 8});
  CHECK(model.name == "a100");
  CHECK_FALSE(model.vram.has_value());
  CHECK_FALSE(model.su_per_gpu_hour.has_value());
}

TEST_CASE("a model without features is the remaining one, and a single model needs no feature") {
  GpuCatalogue catalogue = test::afton_catalogue();
  catalogue.models.push_back(test::model("a100_any", "a100", 0, 1));
  CHECK(identify(catalogue, node_with({}), {"a100", 8}).name == "a100_any");
  CHECK(identify(catalogue, node_with({"a100_40gb"}), {"a100", 8}).name == "a100_40");
  CHECK(identify(catalogue, node_with({}), {"a40", 8}).name == "a40");
  catalogue.models = {test::model("h100_nvl", "h100", 94, 1, {"nvl"})};
  CHECK(identify(catalogue, node_with({}), {"h100", 8}).name == "h100_nvl");
}

TEST_CASE("an untyped pool is identified by its features") {
  const GpuCatalogue catalogue = test::afton_catalogue();
  CHECK(identify(catalogue, node_with({"a100_80gb"}), {"", 4}).name == "a100_80");
  CHECK(identify(catalogue, node_with({}), {"", 4}).name == "gpu");
}

TEST_CASE("MIG profiles are recognised by name") {
  for (const char* type : {"1g.10gb", "a100_3g.20gb", "mig-2g.20gb", "nvidia_a100_1g.5gb", "1g.10gb+me", "1G.10GB"}) {
    CAPTURE(type);
    CHECK(is_mig_profile(type));
  }
  for (const char* type :
       {"", "a100", "1g", "g.10gb", "1g.gb", "1g.10g", "1g.10gbx", "x1g.10gbit", "a1g.10gb", "10gb"}) {
    CAPTURE(type);
    CHECK_FALSE(is_mig_profile(type));
  }
  CHECK(mig_profile_memory("a100_3g.20gb") == Mebibytes{20 * 1024});
}

TEST_CASE("a MIG slice is recognised without a catalogue entry") {
  const GpuModel unknown = identify({}, node_with({}), {"a100_3g.20gb", 2});
  CHECK(unknown.mig);
  CHECK(unknown.vram == Mebibytes{20 * 1024});
  GpuCatalogue catalogue;
  catalogue.models.resize(1);
  catalogue.models[0].name = "1g.10gb";
  catalogue.models[0].gres_types = {"1g.10gb"};
  catalogue.models[0].su_per_gpu_hour = 0;
  const GpuModel priced = identify(catalogue, node_with({}), {"1g.10gb", 56});
  CHECK(priced.mig);
  CHECK(priced.vram == Mebibytes{10 * 1024});
  CHECK(priced.su_per_gpu_hour == 0.0);
}

TEST_CASE("memory is read from a gres name, with or without the maker's name") {
  GpuCatalogue catalogue;
  catalogue.models = {test::model("a100_80", "nvidia_a100_80gb_pcie", 80, 1)};
  CHECK(identify(catalogue, node_with({}), {"a100_80gb_pcie", 8}).name == "a100_80");
  CHECK(identify(catalogue, node_with({}), {"A100-80GB-PCIe", 8}).name == "a100_80");
  const auto vram = [&](const char* type) {
    const auto memory = identify(catalogue, node_with({}), {type, 8}).vram;
    return memory ? memory->count / 1024 : 0;
  };
  CHECK(vram("a100-pcie-40gb") == 40);
  CHECK(vram("some_96gb_hbm3") == 96);
  CHECK(vram("somegb") == 0);
  CHECK(vram("gpu40gb") == 0);  // no word of its own
  CHECK(vram("a_3g.20gb") == 20);
}
