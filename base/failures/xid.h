// Faults that NVIDIA's driver writes into the kernel's log: Xids of GPUs, SXids of NVSwitches.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "shared/xid_catalogue.h"

namespace rv::failures {

struct DeviceFault {
  int code = 0;
  bool nvswitch = false;  // an SXid
  XidAction action = XidAction::unknown;
  std::string_view meaning;  // empty: the catalogue has no such code
  std::size_t at = 0;        // where "NVRM: " or "SXid" begins in the line
};

/// Reads "NVRM: Xid (PCI:0000:3b:00): 79, pid=…" or "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20034, …".
std::optional<DeviceFault> device_fault_in(std::string_view line);

/// True for a line with the mark of an Xid or SXid, also where its number can't be read.
bool names_device_fault(std::string_view line);

/// True where the node is to be left out until somebody repairs, resets or restarts it.
bool needs_repair(XidAction action);

/// A row of the catalogue after which the node needs repair. `words` must follow the code; "*" is any text.
struct FaultToRepair {
  int code;
  std::string_view words;
};

/// Those rows of the Xids, or of the SXids, without codes that another row's words excuse.
std::vector<FaultToRepair> faults_to_repair(bool nvswitch);

}  // namespace rv::failures
