#include "accept/advice.h"

#include <array>
#include <string_view>
#include <utility>

namespace rv::accept {
namespace {

using Rule = std::pair<std::string_view, std::string_view>;

// The beginning of "suite/name", the first that fits.
constexpr std::array rules{
    Rule{"exact/", "wrong bits without an error: drain the node and have the GPU replaced"},
    Rule{"memory/", "drain the node, reset the GPU, test again; have it replaced if it fails again"},
    Rule{"gemm/",
         "look for throttling, a power limit or other work: nvidia-smi -q -d PERFORMANCE,POWER,CLOCK; compare "
         "with the neighbours"},
    Rule{"link/", "look at the PCIe link: nvidia-smi -q -d PCIE; reseat the card if it is narrower or slower"},
    Rule{"bandwidth/", "look at the memory clock and ECC counters: nvidia-smi -q -d CLOCK,ECC"},
    Rule{"p2p/", "look at the links between the two: nvidia-smi nvlink -s, nvidia-smi topo -m; ibstat between nodes"},
    Rule{"collective/", "look at the links, and at what NCCL chose: NCCL_DEBUG=INFO; nvidia-smi topo -m"},
    Rule{"straggler/", "the rank that is named holds up all others: look at its clocks and at other work on its node"},
    Rule{"ranks/", "look at the node of the rank that is named; rv logs has what its worker said"},
    Rule{"health/ecc", "drain the node and reset the GPU; have it replaced if errors come back"},
    Rule{"health/remapped_rows", "drain the node and reset the GPU; after a failed remap have it replaced"},
    Rule{"health/nvlink", "nvidia-smi nvlink -s and -e name the link; reseat or replace"},
    Rule{"health/pcie", "nvidia-smi -q -d PCIE; reseat the card, look at the riser"},
    Rule{"health/throttling", "look at cooling and power supply"},
    Rule{"health/temperature", "look at fans and air flow"},
    Rule{"health/leftovers", "end what an earlier job left: nvidia-smi shows the processes; look at the epilog"},
    Rule{"health/modes", "reset the GPU, so that the pending mode is taken"},
    Rule{"health/xid", "look the code up in NVIDIA's XID list; drain the node for 48, 63, 64, 74, 79, 94 and 95"},
    Rule{"health/gpu", "the GPU has fallen off the bus: drain the node and power-cycle it"},
    Rule{"train/", "a GPU that computes wrongly or a broken library: run the compute suite on this node alone"},
    Rule{"ddp/", "run the collective and the compute suite on the nodes alone to see which GPU or link is wrong"},
    Rule{"device/", "look whether the driver is loaded and the job was given its GPUs: nvidia-smi -L inside the job"},
};

}  // namespace

std::string advice_for(const Figure& figure) {
  if (figure.reason.find("out of memory") != std::string::npos) {
    return "something else holds the memory: nvidia-smi shows the GPU's processes; look at the job's --mem for the "
           "host's";
  }
  if (figure.reason.find("no_cuda_build") != std::string::npos)
    return "build the workers on a machine with nvcc, and give --workers";
  const std::string about = figure.suite + "/" + figure.name;
  for (const auto& [beginning, advice] : rules) {
    if (about.starts_with(beginning)) return std::string(advice);
  }
  return "run this suite again on this node alone";
}

}  // namespace rv::accept
