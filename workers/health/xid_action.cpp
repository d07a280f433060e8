#include "workers/health/xid_action.h"

namespace rv::workers {

XidMeaning meaning_of(const Xid& xid) {
  const auto* const row = find_xid(xid.code, xid.nvswitch, xid.text);
  return row == nullptr ? XidMeaning{} : XidMeaning{row->action, row->meaning};
}

std::string_view words_of(XidAction action) {
  switch (action) {
    case XidAction::ignore:
      return "ignore";
    case XidAction::restart_app:
      return "restart the application";
    case XidAction::reset_gpu:
      return "reset the GPU";
    case XidAction::reboot:
      return "restart the node";
    case XidAction::service:
      return "check the hardware, or contact support";
    case XidAction::unknown:
      break;
  }
  return "not in NVIDIA's catalogue";
}

bool is_finding(XidAction action) {
  return action != XidAction::ignore && action != XidAction::restart_app;
}

}  // namespace rv::workers
