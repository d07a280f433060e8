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
    Rule{"device/", "look whether the driver is loaded and the job was given its GPUs: nvidia-smi -L inside the job"},
    Rule{"health/gpu", "the GPU has fallen off the bus: drain the node and power-cycle it"},
    Rule{"health/xid", "drain the node and do what the finding names: the action in NVIDIA's XID catalogue"},
    Rule{"health/ecc", "drain the node and reset the GPU; have it replaced if errors come back"},
    Rule{"health/remapped_rows", "drain the node and reset the GPU; after a failed remap have it replaced"},
    Rule{"exact/", "wrong bits without an error: drain the node and have the GPU replaced"},
    Rule{"memory/", "drain the node, reset the GPU, test again; have it replaced if it fails again"},
    Rule{"health/leftovers", "end what an earlier job left: nvidia-smi shows the processes; look at the epilog"},
    Rule{"health/modes", "reset the GPU, so that the pending mode is taken"},
    Rule{"health/throttling", "look at cooling and power supply"},
    Rule{"health/temperature", "look at fans and air flow"},
    Rule{"health/pcie", "nvidia-smi -q -d PCIE; reseat the card, look at the riser"},
    Rule{"health/nvlink", "nvidia-smi nvlink -s and -e name the link; reseat or replace"},
    Rule{"gemm/",
         "look for throttling, a power limit or other work: nvidia-smi -q -d PERFORMANCE,POWER,CLOCK; compare "
         "with the neighbours"},
    Rule{"alone/",
         "the GPU is slow at a whole network, without waiting for anybody: run the suites health and compute on its "
         "node; compare with the neighbours"},
    Rule{"bandwidth/", "look at the memory clock and ECC counters: nvidia-smi -q -d CLOCK,ECC"},
    Rule{"link/", "look at the PCIe link: nvidia-smi -q -d PCIE; reseat the card if it is narrower or slower"},
    Rule{"p2p/", "look at the links between the two: nvidia-smi nvlink -s, nvidia-smi topo -m; ibstat between nodes"},
    Rule{"ranks/", "look at the node of the rank that is named; rv logs has what its worker said"},
    Rule{"straggler/", "the rank that is named holds up all others: look at its clocks and at other work on its node"},
    Rule{"collective/", "look at the links, and at what NCCL chose: NCCL_DEBUG=INFO; nvidia-smi topo -m"},
    Rule{"visibility/",
         "put visibility_lag: SECONDS, longer than that, into the settings; RV_HOME must be on a file system that all "
         "nodes "
         "share"},
    Rule{"storage/", "look at the mount and at its servers: df -h, df -i, quota, dmesg; compare with the other nodes"},
    Rule{"network/", "look at the link of the node that is named: ethtool, ip -s link, firewalls between the nodes"},
    Rule{"model/weights", "wrong sums or wrong bits: run the suites compute and collective on the nodes alone"},
    Rule{"model/",
         "where a rank alone is slow too, look at its GPU (suite compute); where each alone is as it should be, at the "
         "links (suite collective)"},
    Rule{"train/", "a GPU that computes wrongly or a broken library: run the compute suite on this node alone"},
    Rule{"ddp/", "run the collective and the compute suite on the nodes alone to see which GPU or link is wrong"},
};

constexpr std::string_view library_advice =
    "put the library's folder into LD_LIBRARY_PATH on the node, or the library into lib/ beside the workers; an image "
    "needs it inside (docs/containers.md)";

constexpr std::string_view memory_advice =
    "something else holds the memory: nvidia-smi shows the GPU's processes; look at the job's --mem for the host's";

}  // namespace

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
  if (figure.reason == "no_cuda_build") return "build the workers on a machine with nvcc, and give --workers";
  const std::string about = figure.suite + "/" + figure.name;
  for (const auto& [beginning, advice] : rules) {
    if (about.starts_with(beginning)) return std::string(advice);
  }
  return "run this suite again on this node alone";
}

}  // namespace rv::accept
