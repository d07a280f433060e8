#include "base/failures/xid.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/failures/message.h"

namespace rv::failures {
namespace {

struct XidRow {
  int code;
  std::string_view words;
  XidAction action;
  std::string_view meaning;
};

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

constexpr std::string_view mark = "Xid (";

// A letter before the mark makes it another word.
std::size_t mark_in(std::string_view line, bool& nvswitch) {
  const auto at = line.find(mark);
  nvswitch = at != std::string_view::npos && at > 0 && line[at - 1] == 'S';
  return at;
}

}  // namespace

bool names_device_fault(std::string_view line) {
  bool nvswitch = false;
  return mark_in(line, nvswitch) != std::string_view::npos;
}

bool needs_repair(XidAction action) {
  return action == XidAction::reset_gpu || action == XidAction::reboot || action == XidAction::service;
}

std::vector<FaultToRepair> faults_to_repair(bool nvswitch) {
  std::vector<FaultToRepair> faults;
  const auto collect = [&](const auto& rows) {
    for (const auto& row : rows) {
      const auto excuses = [&](const XidRow& other) { return other.code == row.code && !needs_repair(other.action); };
      const bool excused = row.words.empty() && std::any_of(std::begin(rows), std::end(rows), excuses);
      if (needs_repair(row.action) && !excused) faults.push_back({row.code, row.words});
    }
  };
  nvswitch ? collect(sxids) : collect(xids);
  return faults;
}

std::optional<DeviceFault> device_fault_in(std::string_view line) {
  DeviceFault fault;
  const auto begin = mark_in(line, fault.nvswitch);
  if (begin == std::string_view::npos) return std::nullopt;
  const auto end = line.find("): ", begin);
  if (end == std::string_view::npos) return std::nullopt;
  const auto text = line.substr(end + 3);
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), fault.code);
  if (error != std::errc() || rest == text.data()) return std::nullopt;
  const auto nvrm = line.substr(0, begin).rfind("NVRM: ");
  fault.at = nvrm != std::string_view::npos ? nvrm : begin - (fault.nvswitch ? 1 : 0);
  const auto applies = [&](const XidRow& row) {
    return row.code == fault.code && find_pattern(row.words, text).has_value();
  };
  const auto look_up = [&](const auto& rows) {
    const auto* const row = std::find_if(std::begin(rows), std::end(rows), applies);
    if (row == std::end(rows)) return;
    fault.action = row->action;
    fault.meaning = row->meaning;
  };
  fault.nvswitch ? look_up(sxids) : look_up(xids);
  return fault;
}

}  // namespace rv::failures
