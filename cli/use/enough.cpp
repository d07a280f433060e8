#include "cli/use/enough.h"

#include <algorithm>

#include "base/walltime.h"

namespace rv::cli {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::int64_t gibibyte = 1024;
constexpr seconds least_sampled = minutes(5);
constexpr seconds least_saved = minutes(10);

/// A fifth above the peak, rounded up.
std::int64_t with_margin(std::int64_t peak, std::int64_t step) {
  return (peak * 6 + 5 * step - 1) / (5 * step) * step;
}

/// A smaller request is suggested only below three quarters of the original one.
bool is_less(std::int64_t enough, std::int64_t asked) {
  return enough * 4 <= asked * 3;
}

std::optional<Mebibytes> enough_memory(const std::vector<const AttemptUse*>& attempts) {
  std::int64_t peak = 0, given = 0;
  seconds longest{0};
  for (const auto* attempt : attempts) {
    if (!attempt->peak_memory || !attempt->memory) return std::nullopt;
    peak = std::max(peak, attempt->peak_memory->count);
    given = std::max(given, attempt->memory->count);
    longest = std::max(longest, seconds(attempt->job.end - attempt->job.start));
  }
  if (longest < least_sampled) return std::nullopt;
  const Mebibytes enough{with_margin(peak, gibibyte)};
  return is_less(enough.count, given) ? std::optional(enough) : std::nullopt;
}

std::optional<seconds> enough_time(const std::vector<const AttemptUse*>& attempts) {
  seconds longest{0}, limit{0};
  for (const auto* attempt : attempts) {
    if (!attempt->job.limit) return std::nullopt;
    longest = std::max(longest, seconds(attempt->job.end - attempt->job.start));
    limit = std::max(limit, *attempt->job.limit);
  }
  const seconds enough{with_margin(longest.count(), seconds(minutes(5)).count())};
  return is_less(enough.count(), limit.count()) && limit - enough >= least_saved ? std::optional(enough) : std::nullopt;
}

}  // namespace

std::vector<std::string> Enough::options() const {
  std::vector<std::string> options;
  if (memory) options.insert(options.end(), {"--mem", format_memory(*memory)});
  if (time) options.insert(options.end(), {"--time", typed_duration(*time)});
  return options;
}

std::optional<Enough> enough_for(const std::vector<AttemptUse>& attempts, const templates::JobSpec& job) {
  if (job.hold) return std::nullopt;
  std::vector<const AttemptUse*> succeeded;
  for (const auto& attempt : attempts) {
    if (attempt.job.state == "COMPLETED") succeeded.push_back(&attempt);
  }
  if (succeeded.empty()) return std::nullopt;
  const Enough enough{enough_memory(succeeded), job.chain ? std::nullopt : enough_time(succeeded)};
  return enough.memory || enough.time ? std::optional(enough) : std::nullopt;
}

}  // namespace rv::cli
