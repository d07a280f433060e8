// What connects GPUs, and how NCCL is made to use one of them alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::accept {

enum class Fabric {
  nvlink,    // GPU to GPU over NVLink (P2P)
  shm,       // through the host's memory, over PCIe
  ib,        // InfiniBand, or RoCE: what NCCL calls NET/IB
  ethernet,  // TCP sockets
};

/// "nvlink", "shm", "ib", "ethernet": the words of --fabric, and the keys of baselines.
std::string_view to_string(Fabric fabric);
std::optional<Fabric> fabric_named(std::string_view word);
const std::vector<Fabric>& all_fabrics();

/// Whether it connects nodes; the others end at a node's edge.
bool crosses_nodes(Fabric fabric);

/// What makes NCCL use it and nothing else, and say so in its log ("NAME=value"). Which interface or card is taken
/// (NCCL_SOCKET_IFNAME, NCCL_IB_HCA) stays the user's.
std::vector<std::string> fabric_environment(Fabric fabric);

}  // namespace rv::accept
