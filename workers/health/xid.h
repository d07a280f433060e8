#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::workers {

/// An error that the driver wrote into the kernel log: of a GPU (Xid) or of an NVSwitch (SXid).
struct Xid {
  std::string pci_bus_id;  ///< 0000:4e:00
  int code = 0;
  bool nvswitch = false;
  std::string text;  ///< the rest of the line
};

struct XidLog {
  bool readable = false;
  std::string reason;  ///< why the log could not be read
  std::vector<Xid> xids;
};

/// Finds "NVRM: Xid (PCI:0000:4e:00): 79, pid=…" or "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20034, …" anywhere in a
/// line. Other lines are ignored.
std::vector<Xid> parse_xids(std::string_view log);

/// Reads /dev/kmsg from its beginning. Not every system permits this to ordinary users.
XidLog read_xids();

}  // namespace rv::workers
