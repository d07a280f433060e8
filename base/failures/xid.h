// Faults that NVIDIA's driver writes to the kernel log: Xids of GPUs, SXids of NVSwitches.
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

/// True for a line that reports an Xid or SXid, even if its number can't be read.
bool names_device_fault(std::string_view line);

/// True if the node must not be used until it is repaired, reset or restarted.
bool needs_repair(XidAction action);

/// A row of the catalogue after which the node needs repair. `pattern` must match the text after the code; "*" is any
/// text.
struct FaultToRepair {
  int code;
  std::string_view pattern;
};

/// Returns those rows for Xids, or for SXids. A row without a pattern is left out if another row of its
/// code does not need repair.
std::vector<FaultToRepair> faults_to_repair(bool nvswitch);

}  // namespace rv::failures
