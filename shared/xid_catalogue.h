// NVIDIA's catalogue of Xids (GPUs) and SXids (NVSwitches): what each means, and what is to be done. xids.inc has the
// rows.
#pragma once

#include <span>
#include <string_view>

namespace rv {

/// What the catalogue asks for at once.
enum class XidAction { ignore, restart_app, reset_gpu, reboot, service, unknown };

struct XidRow {
  int code;
  std::string_view words;  // that the message must have; "*" is any text
  XidAction action;
  std::string_view meaning;
};

/// The rows of the SXids, or of the Xids.
std::span<const XidRow> xid_rows(bool nvswitch);

/// The row that a message with this code belongs to, `text` being what follows the code; null for one that the
/// catalogue does not have.
const XidRow* find_xid(int code, bool nvswitch, std::string_view text);

}  // namespace rv
