#include "monitor/jobs/preflight_view.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "shared/documents/json_integer.h"

namespace rv::monitor {
namespace {

constexpr std::array verdicts = {std::pair{PreflightVerdict::pass, std::string_view("pass")},
                                 std::pair{PreflightVerdict::fail, std::string_view("fail")},
                                 std::pair{PreflightVerdict::unknown, std::string_view("unknown")}};

PreflightVerdict verdict_named(std::string_view name) {
  const auto* const found =
      std::find_if(verdicts.begin(), verdicts.end(), [&](const auto& one) { return one.second == name; });
  return found == verdicts.end() ? PreflightVerdict::unknown : found->first;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < list.size();) {
    const auto end = std::min(list.find(',', at), list.size());
    words.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// "4.2 s".
std::string seconds_text(std::chrono::milliseconds span) {
  const auto tenths = (span.count() + 50) / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

}  // namespace

std::optional<PreflightView> last_preflight(const std::vector<Event>& events) {
  const auto last = std::find_if(events.rbegin(), events.rend(),
                                 [](const Event& event) { return event.name == EventKind::preflight; });
  if (last == events.rend()) return std::nullopt;
  return PreflightView{.verdict = verdict_named(last->more.value("verdict", std::string())),
                       .took = std::chrono::milliseconds(integer_or(last->more, "ms", std::int64_t{0})),
                       .failed = split(last->more.value("failed", std::string())),
                       .why = one_line(last->more.value("why", std::string())),
                       .attempt = last->attempt,
                       .job = last->job};
}

std::string_view to_string(PreflightVerdict verdict) {
  return std::find_if(verdicts.begin(), verdicts.end(), [&](const auto& one) { return one.first == verdict; })->second;
}

std::string in_words(const PreflightView& preflight) {
  const auto time = seconds_text(preflight.took);
  switch (preflight.verdict) {
    case PreflightVerdict::pass:
      return "passed in " + time;
    case PreflightVerdict::fail:
      return "failed after " + time + " on " + listed(preflight.failed) + ": " + preflight.why;
    case PreflightVerdict::unknown:
      break;
  }
  return "incomplete after " + time + (preflight.why.empty() ? "" : ": " + preflight.why);
}

}  // namespace rv::monitor
