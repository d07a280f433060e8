#include "monitor/run/retry_record.h"

#include "shared/documents/json_integer.h"

namespace rv::monitor {

std::optional<RetryRecord> retry_record(const Standing& standing) {
  if (!standing.retry) return std::nullopt;
  RetryRecord retry;
  const auto& more = standing.retry->more;
  if (!more.is_object()) return retry;
  retry.why = more.value("why", std::string());
  retry.asked = integer_or(more, "asked", 0);
  retry.pause = std::chrono::seconds(integer_or(more, "pause_s", std::int64_t{0}));
  retry.begins = TimePoint(std::chrono::seconds(integer_or(more, "begins", std::int64_t{0})));
  retry.last_line = more.value("last_line", std::string());
  return retry;
}

void put_retry(nlohmann::json& more, const RetryRecord& retry) {
  more["why"] = retry.why;
  more["asked"] = retry.asked;
  if (retry.pause.count() == 0) return;
  more["pause_s"] = retry.pause.count();
  more["begins"] = retry.begins.time_since_epoch().count();
  more["last_line"] = retry.last_line;
}

}  // namespace rv::monitor
