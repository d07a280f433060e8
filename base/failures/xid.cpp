#include "base/failures/xid.h"

#include <algorithm>
#include <charconv>

namespace rv::failures {
namespace {

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
  const auto rows = xid_rows(nvswitch);
  for (const auto& row : rows) {
    const auto excuses = [&](const XidRow& other) { return other.code == row.code && !needs_repair(other.action); };
    const bool excused = row.words.empty() && std::any_of(rows.begin(), rows.end(), excuses);
    if (needs_repair(row.action) && !excused) faults.push_back({row.code, row.words});
  }
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
  if (const auto* const row = find_xid(fault.code, fault.nvswitch, text); row != nullptr) {
    fault.action = row->action;
    fault.meaning = row->meaning;
  }
  return fault;
}

}  // namespace rv::failures
