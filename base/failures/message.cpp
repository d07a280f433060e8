#include "base/failures/message.h"

#include <algorithm>
#include <iterator>

#include "base/failures/xid.h"

namespace rv::failures {
namespace {

struct Message {
  Cause cause;
  std::string_view pattern;  // empty: found in another way, and only its rank counts
  Certainty certainty = Certainty::certain;
  int exit_code = 0;  // with another one than this the message is a warning; 0: with any it is what `certainty` says
};

constexpr auto warning = Certainty::warning;
constexpr auto echo = Certainty::echo;

// No std::array: clang 14 refuses the deduction guide of more than 256 elements.
constexpr Message messages[] = {
#include "base/failures/messages.inc"
};

std::optional<Match> by_xid(std::string_view line) {
  const auto fault = device_fault_in(line);
  if (!fault) return std::nullopt;
  const auto match = [&](Cause cause) { return Match{cause, rank_of(cause), Certainty::certain, fault->at}; };
  if (needs_repair(fault->action)) return match(Cause::gpu_hardware);
  if (fault->action != XidAction::restart_app) return std::nullopt;
  constexpr int contained_memory_error = 94;
  return match(!fault->nvswitch && fault->code == contained_memory_error ? Cause::gpu_contained : Cause::cuda_error);
}

}  // namespace

std::vector<std::string_view> messages_of(Cause cause) {
  std::vector<std::string_view> patterns;
  for (const auto& message : messages) {
    const bool certain = message.certainty == Certainty::certain && message.exit_code == 0;
    if (message.cause == cause && certain && !message.pattern.empty()) patterns.push_back(message.pattern);
  }
  return patterns;
}

int rank_of(Cause cause) {
  const auto found =
      std::find_if(std::begin(messages), std::end(messages), [&](const Message& row) { return row.cause == cause; });
  return static_cast<int>(found - std::begin(messages));
}

std::optional<Match> cause_in(std::string_view line, std::optional<int> exit_code) {
  if (names_device_fault(line)) return by_xid(line);
  for (std::size_t i = 0; i < std::size(messages); ++i) {
    const auto& row = messages[i];
    if (row.pattern.empty()) continue;
    const auto at = find_pattern(row.pattern, line);
    if (!at) continue;
    const bool supported = row.exit_code == 0 || exit_code == row.exit_code;
    return Match{row.cause, static_cast<int>(i), supported ? row.certainty : warning, *at};
  }
  return std::nullopt;
}

}  // namespace rv::failures
