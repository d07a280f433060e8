#include "workers/health/xid_action.h"

#include <algorithm>
#include <iterator>

namespace rv::workers {
namespace {

struct Row {
  int code;
  std::string_view words;
  XidAction action;
  std::string_view meaning;
};

#define RV_XID(code, words, action, meaning) Row{code, words, XidAction::action, meaning},
#define RV_SXID(code, action, meaning)
constexpr Row xids[] = {
#include "shared/xids.inc"
};
#undef RV_XID
#undef RV_SXID

#define RV_XID(code, words, action, meaning)
#define RV_SXID(code, action, meaning) Row{code, "", XidAction::action, meaning},
constexpr Row sxids[] = {
#include "shared/xids.inc"
};
#undef RV_XID
#undef RV_SXID

/// True where the text has the parts of `words`, which "*" separates, in this order.
bool has(std::string_view text, std::string_view words) {
  while (true) {
    const auto star = words.find('*');
    const auto at = text.find(words.substr(0, star));
    if (at == std::string_view::npos) return false;
    if (star == std::string_view::npos) return true;
    text.remove_prefix(at + star);
    words.remove_prefix(star + 1);
  }
}

template <class Rows>
XidMeaning look_up(const Rows& rows, const Xid& xid) {
  const auto* const row = std::find_if(std::begin(rows), std::end(rows),
                                       [&](const Row& r) { return r.code == xid.code && has(xid.text, r.words); });
  return row == std::end(rows) ? XidMeaning{} : XidMeaning{row->action, row->meaning};
}

}  // namespace

XidMeaning meaning_of(const Xid& xid) {
  return xid.nvswitch ? look_up(sxids, xid) : look_up(xids, xid);
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
