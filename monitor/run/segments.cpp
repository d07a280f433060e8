#include "monitor/run/segments.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "monitor/run/run_end.h"
#include "shared/number.h"

namespace rv::monitor {
namespace {

constexpr std::array<ReasonRow, 8> table{{
    {SegmentReason::finished, "finished"},
    {SegmentReason::time_limit, "time_limit"},
    {SegmentReason::crashed, "crashed"},
    {SegmentReason::preempted, "preempted"},
    {SegmentReason::lost, "lost"},
    {SegmentReason::requeued, "requeued"},
    {SegmentReason::cancelled, "cancelled"},
    {SegmentReason::terminated, "terminated"},
}};

TimePoint epoch(std::int64_t seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

std::optional<SegmentEnd> read_end(const std::string& path) {
  const auto text = os::read_file(path);
  if (!text) return std::nullopt;
  std::istringstream words(*text);
  std::string code;
  std::string reason;
  std::int64_t time = 0;
  int progress = 0;
  SegmentEnd end;
  if (!(words >> code >> time >> reason >> progress)) return std::nullopt;
  end.code = number_in<int>(code);
  end.time = epoch(time);
  end.reason = StoredName<SegmentReason>::read(reason);
  end.progress = progress != 0;
  return end;
}

std::optional<TimePoint> read_sign_of_life(const std::string& path) {
  const auto text = os::read_file(path);
  if (!text) return std::nullopt;
  std::istringstream words(*text);
  std::int64_t time = 0;
  if (!(words >> time)) return std::nullopt;
  return epoch(time);
}

}  // namespace

std::span<const ReasonRow> reason_rows() {
  return table;
}

std::string_view to_string(SegmentReason reason) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& one) { return one.reason == reason; });
  return found == table.end() ? std::string_view() : found->name;
}

template <>
SegmentReason from_name<SegmentReason>(std::string_view word) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& one) { return one.name == word; });
  return found == table.end() ? SegmentReason::unknown : found->reason;
}

std::string in_words(const SegmentEnd& end) {
  auto text = end.reason.text();
  if (end.code && end.reason == SegmentReason::crashed) text += " (" + exit_code_words(*end.code) + ")";
  if (!end.progress && end.reason != SegmentReason::finished) text += ", nothing saved";
  return text;
}

std::vector<Segment> read_segments(const RunFolder& folder, const std::vector<Entry>& starts) {
  const auto names = os::names_in(folder.file("chain"));
  const auto listed = [&](const std::string& name) { return std::binary_search(names.begin(), names.end(), name); };
  std::vector<Segment> segments;
  for (const auto& start : starts) {
    Segment segment;
    const auto& word = start.word;
    const auto number = number_in<int>(word, 1);
    if (!number) continue;
    segment.number = *number;
    segment.restart = start.restart;
    segment.job = start.job;
    segment.began = start.time;
    segment.nodes = start.nodes;
    const std::string stem = folder.file("chain/" + word);
    if (listed(word + ".alive")) segment.seen = read_sign_of_life(stem + ".alive");
    if (listed(word + ".end")) segment.end = read_end(stem + ".end");
    segments.push_back(std::move(segment));
  }
  return segments;
}

std::chrono::seconds time_used(const std::vector<Segment>& segments, TimePoint now, bool alive) {
  std::chrono::seconds used(0);
  for (const auto& segment : segments) {
    const TimePoint last = alive ? now : segment.seen.value_or(segment.began);
    const TimePoint until = segment.end ? segment.end->time : last;
    used += std::max(std::chrono::seconds(0), std::chrono::seconds(until - segment.began));
  }
  return used;
}

std::vector<std::string> failed_nodes(const RunFolder& folder) {
  std::vector<std::string> nodes;
  const auto names = os::names_in(folder.file("chain"));
  if (!std::binary_search(names.begin(), names.end(), "exclude")) return nodes;
  std::istringstream lines(os::read_file(folder.file("chain/exclude")).value_or(""));
  for (std::string node; std::getline(lines, node);) {
    if (!node.empty()) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace rv::monitor
