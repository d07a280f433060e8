#include "shared/xid_catalogue.h"

#include <algorithm>

namespace rv {
namespace {

#define RV_XID(code, words, action, meaning) XidRow{code, words, XidAction::action, meaning},
#define RV_SXID(code, action, meaning)
constexpr XidRow xids[] = {
#include "shared/xids.inc"
};
#undef RV_XID
#undef RV_SXID

#define RV_XID(code, words, action, meaning)
#define RV_SXID(code, action, meaning) XidRow{code, "", XidAction::action, meaning},
constexpr XidRow sxids[] = {
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

}  // namespace

std::span<const XidRow> xid_rows(bool nvswitch) {
  return nvswitch ? std::span<const XidRow>(sxids) : std::span<const XidRow>(xids);
}

const XidRow* find_xid(int code, bool nvswitch, std::string_view text) {
  const auto rows = xid_rows(nvswitch);
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const XidRow& one) { return one.code == code && has(text, one.words); });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace rv
