#include "monitor/run/used_time.h"

#include <algorithm>

#include "monitor/run/run_end.h"

namespace rv::monitor {
namespace {

/// The spans of one ledger: the run's, or an element's.
class SpanReader {
 public:
  void add(const Entry& entry) {
    switch (entry.kind) {
      case EntryKind::claim:
        if (!open_) open(entry);
        return;
      case EntryKind::start:
        // The first start after a claim continues its span.
        if (!claimed_) {
          close(std::nullopt);
          open(entry);
        }
        claimed_ = false;
        return;
      case EntryKind::exit:
        close(entry.time);
        return;
      case EntryKind::retry:
        close(end_before(entry));
        return;
      case EntryKind::postpone:
      case EntryKind::stop:
      case EntryKind::outcome:
        return;
    }
  }

  std::vector<UsedSpan> spans() const { return spans_; }

 private:
  void open(const Entry& entry) {
    spans_.push_back({.candidate = entry.candidate, .began = entry.time, .ended = std::nullopt});
    open_ = true;
    claimed_ = entry.kind == EntryKind::claim;
  }

  /// `ended`: nothing if it is not known.
  void close(std::optional<TimePoint> ended) {
    if (!open_) return;
    auto& span = spans_.back();
    span.ended = std::max(ended.value_or(span.began), span.began);
    open_ = claimed_ = false;
  }

  /// The end of the attempt before the retry.
  static std::optional<TimePoint> end_before(const Entry& retry) {
    if (!retry.more.is_object() || !retry.more.contains("end")) return std::nullopt;
    const auto end = outcome_from(retry.more["end"]);
    return end ? std::optional(end->time) : std::nullopt;
  }

  std::vector<UsedSpan> spans_;
  bool open_ = false;
  bool claimed_ = false;  // the open span began with a claim, and the command has not started
};

}  // namespace

std::vector<UsedSpan> used_spans(const std::vector<Entry>& ledger, const ElementLedgers& elements) {
  SpanReader run;
  for (const auto& entry : ledger) run.add(entry);
  if (elements.empty()) return run.spans();
  std::vector<UsedSpan> spans;
  for (const auto& [index, entries] : elements) {
    SpanReader element;
    for (const auto& entry : entries) element.add(entry);
    for (const auto& span : element.spans()) spans.push_back(span);
  }
  return spans;
}

}  // namespace rv::monitor
