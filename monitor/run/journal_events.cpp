#include "monitor/run/journal_events.h"

#include <algorithm>

namespace rv::monitor {

std::string_view to_string(EventKind kind) {
  const auto found =
      std::find_if(event_words.begin(), event_words.end(), [&](const auto& one) { return one.kind == kind; });
  return found == event_words.end() ? std::string_view() : found->word;
}

template <>
EventKind from_word<EventKind>(std::string_view word) {
  if (word == "untraced") return EventKind::unknown_to_slurm;  // what earlier releases wrote
  const auto found =
      std::find_if(event_words.begin(), event_words.end(), [&](const auto& one) { return one.word == word; });
  return found == event_words.end() ? EventKind::unknown : found->kind;
}

}  // namespace rv::monitor
