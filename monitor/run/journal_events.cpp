#include "monitor/run/journal_events.h"

#include <algorithm>

namespace rv::monitor {

std::string_view to_string(EventKind kind) {
  const auto found =
      std::find_if(event_rows.begin(), event_rows.end(), [&](const auto& one) { return one.kind == kind; });
  return found == event_rows.end() ? std::string_view() : found->name;
}

template <>
EventKind from_name<EventKind>(std::string_view word) {
  if (word == "untraced") return EventKind::unknown_to_slurm;  // what earlier releases wrote
  const auto found =
      std::find_if(event_rows.begin(), event_rows.end(), [&](const auto& one) { return one.name == word; });
  return found == event_rows.end() ? EventKind::unknown : found->kind;
}

}  // namespace rv::monitor
