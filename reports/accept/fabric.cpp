#include "reports/accept/fabric.h"

namespace rv::accept {

std::string_view to_string(Fabric fabric) {
  switch (fabric) {
    case Fabric::nvlink:
      return "nvlink";
    case Fabric::shm:
      return "shm";
    case Fabric::ib:
      return "ib";
    case Fabric::ethernet:
      return "ethernet";
  }
  return "";
}

std::optional<Fabric> fabric_named(std::string_view word) {
  for (const auto fabric : all_fabrics()) {
    if (to_string(fabric) == word) return fabric;
  }
  return std::nullopt;
}

const std::vector<Fabric>& all_fabrics() {
  static const std::vector<Fabric> all = {Fabric::nvlink, Fabric::shm, Fabric::ib, Fabric::ethernet};
  return all;
}

bool crosses_nodes(Fabric fabric) {
  return fabric == Fabric::ib || fabric == Fabric::ethernet;
}

std::vector<std::string> fabric_environment(Fabric fabric) {
  // RV_NCCL_LOG: see templates/accept_node.bash. ENV tells what was set, INIT over what each channel goes.
  std::vector<std::string> variables = {"RV_NCCL_LOG=1", "NCCL_DEBUG=INFO", "NCCL_DEBUG_SUBSYS=INIT,ENV"};
  const auto add = [&](std::initializer_list<const char*> more) {
    variables.insert(variables.end(), more.begin(), more.end());
  };
  switch (fabric) {
    case Fabric::nvlink:
      // P2P over PCIe and the host's memory are ruled out: without NVLink what is left is the network, which shows.
      add({"NCCL_P2P_DISABLE=0", "NCCL_P2P_LEVEL=NVL", "NCCL_SHM_DISABLE=1"});
      break;
    case Fabric::shm:
      add({"NCCL_P2P_DISABLE=1", "NCCL_SHM_DISABLE=0", "NCCL_NVLS_ENABLE=0"});
      break;
    case Fabric::ib:
      add({"NCCL_P2P_DISABLE=1", "NCCL_SHM_DISABLE=1", "NCCL_NVLS_ENABLE=0", "NCCL_IB_DISABLE=0", "NCCL_NET=IB"});
      break;
    case Fabric::ethernet:
      add({"NCCL_P2P_DISABLE=1", "NCCL_SHM_DISABLE=1", "NCCL_NVLS_ENABLE=0", "NCCL_IB_DISABLE=1", "NCCL_NET=Socket"});
      break;
  }
  return variables;
}

}  // namespace rv::accept
