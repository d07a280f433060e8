// What NCCL's own log (NCCL_DEBUG=INFO) says of the ways between ranks.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "reports/accept/fabric.h"

namespace rv::accept {

/// Channels by what they go over, as "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM" says it.
struct NcclChannels {
  std::map<std::string, int> ways;  // "P2P", "SHM", "NET/IB", "NET/Socket", …
  bool nvlink_alone = false;        // P2P is allowed over NVLink only (NCCL_P2P_LEVEL=NVL)
  int roce = 0;                     // channels over NET/IB whose device speaks Ethernet

  bool operator==(const NcclChannels&) const = default;
};

/// One process's log. Lines of another form, also a killed writer's last, are left out.
NcclChannels read_nccl_log(std::string_view text);

/// Of several processes together. NVLink alone only where each says so whose channels are P2P.
void add(NcclChannels& sum, const NcclChannels& more);

enum class Used { yes, no, unknown };
std::string_view to_string(Used used);

/// Whether every channel went over the fabric; unknown where the log tells of no channel, or not which P2P it is.
Used used(Fabric fabric, const NcclChannels& channels);

/// "24 channels over P2P (only NVLink)"; "NCCL's log shows no channel".
std::string ways_text(const NcclChannels& channels);

}  // namespace rv::accept
