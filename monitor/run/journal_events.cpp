#include "monitor/run/journal_events.h"

#include <algorithm>
#include <array>

namespace rv::monitor {
namespace {

constexpr auto client = EventWriter::client;
constexpr auto job = EventWriter::job;

constexpr std::array<EventWord, 28> table{{
    {EventKind::created, "created", client},
    {EventKind::intent, "intent", client},
    {EventKind::submitted, "submitted", client},
    {EventKind::found, "found", client},
    {EventKind::refused, "refused", client},
    {EventKind::no_answer, "no_answer", client},
    {EventKind::cancelled, "cancelled", client},
    {EventKind::stop_requested, "stop_requested", client},
    {EventKind::unrecorded_end, "unrecorded_end", client},
    {EventKind::untraced, "untraced", client},
    {EventKind::submit_failed, "submit_failed", client},
    {EventKind::wait_noted, "wait_noted", client},
    {EventKind::retry, "retry", client},
    {EventKind::claimed, "claimed", job},
    {EventKind::yielded, "yielded", job},
    {EventKind::ready, "ready", job},
    {EventKind::started, "started", job},
    {EventKind::wrong_gpu, "wrong_gpu", job},
    {EventKind::missing_gpu, "missing_gpu", job},
    {EventKind::refused_restart, "refused_restart", job},
    {EventKind::ended, "ended", job},
    {EventKind::notified, "notified", job},
    {EventKind::notify_failed, "notify_failed", job},
    {EventKind::predecessor, "predecessor", job},
    {EventKind::stood_back, "stood_back", job},
    {EventKind::segment_ended, "segment_ended", job},
    {EventKind::next, "next", job},
    {EventKind::next_refused, "next_refused", job},
}};

}  // namespace

std::span<const EventWord> event_words() {
  return table;
}

std::string_view to_string(EventKind kind) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& one) { return one.kind == kind; });
  return found == table.end() ? std::string_view() : found->word;
}

template <>
EventKind from_word<EventKind>(std::string_view word) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& one) { return one.word == word; });
  return found == table.end() ? EventKind::unknown : found->kind;
}

}  // namespace rv::monitor
