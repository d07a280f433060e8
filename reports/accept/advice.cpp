#include "reports/accept/advice.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/documents/json_members.h"

namespace rv::accept {
namespace {

using Rule = std::pair<std::string_view, std::string_view>;

// The beginning of "suite/name", the first that fits. From causes to what they bring about: a GPU that throttles is
// slow at products, and then so is whatever waits for it.
constexpr std::array rules{
    Rule{"device/", "check that the driver is loaded and that the job has its GPUs: run nvidia-smi -L inside the job"},
    Rule{"health/gpu", "the GPU has fallen off the bus: drain the node and power-cycle it"},
    Rule{"health/xid",
         "drain the node and take the action that NVIDIA's XID catalogue recommends (named in the finding)"},
    Rule{"health/ecc", "drain the node and reset the GPU; replace the GPU if errors return"},
    Rule{"health/remapped_rows", "drain the node and reset the GPU; replace the GPU after a failed remap"},
    Rule{"health/recovery_action",
         "drain the node and do what the driver asks for; nvidia-smi -q shows it as \"GPU Recovery Action\""},
    Rule{"health/fabric",
         "check that the fabric manager has set up the NVSwitches: systemctl status nvidia-fabricmanager; the section "
         "Fabric of nvidia-smi -q shows the GPU's part"},
    Rule{"health/infiniband",
         "check the cable and the switch port: ibstat DEVICE PORT, mlxlink -d DEVICE, ibqueryerrors"},
    Rule{"exact/", "silent data corruption: drain the node and replace the GPU"},
    Rule{"memory/", "drain the node, reset the GPU and test again; replace the GPU if it fails again"},
    Rule{"health/leftovers",
         "end the processes that an earlier job left (nvidia-smi shows them), and check the node's epilog"},
    Rule{"health/modes", "reset the GPU to apply the pending mode"},
    Rule{"health/throttling", "check the cooling and the power supply"},
    Rule{"health/temperature", "check the fans and the air flow"},
    Rule{"health/pcie", "check nvidia-smi -q -d PCIE; reseat the card, and check the riser"},
    Rule{"health/nvlink", "nvidia-smi nvlink -s and -e show the link; reseat or replace it"},
    Rule{"gemm/",
         "check for throttling, a power limit or other work: nvidia-smi -q -d PERFORMANCE,POWER,CLOCK; compare "
         "with the node's other GPUs"},
    Rule{"alone/",
         "the GPU is slow at training even without other ranks: run the suites health and compute on its "
         "node, and compare with the node's other GPUs"},
    Rule{"bandwidth/", "check the memory clock and the ECC counters: nvidia-smi -q -d CLOCK,ECC"},
    Rule{"link/",
         "check the PCIe link: nvidia-smi -q -d PCIE; reseat the card if the link is narrower or slower than it should "
         "be"},
    Rule{"p2p/",
         "check the links between the two GPUs: nvidia-smi nvlink -s, nvidia-smi topo -m; between nodes also ibstat"},
    Rule{"ranks/", "check the node of this rank; rv logs shows what its worker printed"},
    Rule{"straggler/", "this rank delays all others: check its clocks, and other work on its node"},
    Rule{"collective/", "check the links, and which ones NCCL uses: NCCL_DEBUG=INFO; nvidia-smi topo -m"},
    Rule{"visibility/",
         "set visibility_lag: SECONDS in the settings to more than this; RV_HOME must be on a file system that all "
         "nodes "
         "share"},
    Rule{"storage/", "check the mount and its servers: df -h, df -i, quota, dmesg; compare with the other nodes"},
    Rule{"network/", "check the network link of this node: ethtool, ip -s link, firewalls between the nodes"},
    Rule{"model/weights", "wrong sums or bits: run the suites compute and collective on each node separately"},
    Rule{"model/",
         "if a rank is also slow by itself, check its GPU (suite compute); if each rank is fast by itself, check the "
         "links (suite collective)"},
    Rule{"train/", "a GPU computes wrong results or a library is broken: run the compute suite on this node only"},
    Rule{"ddp/", "run the suites collective and compute on each node separately to find the faulty GPU or link"},
};

constexpr std::string_view library_advice =
    "add the library's folder to LD_LIBRARY_PATH on the node, or copy the library into lib/ beside the workers; an "
    "image "
    "must contain it (docs/containers.md)";

constexpr std::string_view memory_advice =
    "another process uses the memory: nvidia-smi shows the GPU's processes; for host memory, check the job's --mem";

constexpr std::array slowing{"health/gpu",        "health/fabric", "health/leftovers",
                             "health/throttling", "health/pcie",   "health/nvlink"};
constexpr std::array joint{"p2p/", "straggler/", "collective/", "model/"};

/// Whether the advice is that of one of these rules.
bool among(std::string_view advice, const auto& beginnings) {
  return std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) {
    return rule.second == advice && std::find(beginnings.begin(), beginnings.end(), rule.first) != beginnings.end();
  });
}

}  // namespace

bool slows_a_gpu(std::string_view advice) {
  return advice == memory_advice || among(advice, slowing);
}

bool is_joint_work(std::string_view advice) {
  return among(advice, joint);
}

std::size_t cause_order(std::string_view advice) {
  if (advice == memory_advice || advice == library_advice) return 0;
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& one) { return one.second == advice; });
  return 1 + static_cast<std::size_t>(rule - rules.begin());
}

std::string advice_for(const Figure& figure) {
  if (auto own = member_text(figure.params, "advice"); !own.empty()) return own;  // the worker has seen what is wrong
  const auto cause = member_text(figure.params, "cause");
  if (cause == "out_of_memory") return std::string(memory_advice);
  if (cause == missing_library) return std::string(library_advice);
  if (figure.reason == "no_cuda_build")
    return "build the workers on a machine with nvcc, and name their folder: --worker-folder DIR";
  const std::string about = figure.suite + "/" + figure.name;
  for (const auto& [beginning, advice] : rules) {
    if (about.starts_with(beginning)) return std::string(advice);
  }
  return "run this suite again on this node only";
}

}  // namespace rv::accept
