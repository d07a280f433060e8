// The additional keys of a ledger entry `retry`. They describe the attempt that the entry begins.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "monitor/ledger/ledger.h"

namespace rv::monitor {

struct RetryRecord {
  std::string why;  // the failure of the attempt before
  int asked = 0;    // retries so far that --retries allowed; retries after broken hardware are not counted
  std::chrono::seconds pause{0};  // before this attempt; 0: no pause, --retries did not cause it
  TimePoint begins;               // the end of the pause
  std::string last_line;          // last line of output of the attempt before; empty: none
};

/// Reads the entry that began the present attempt; nothing for the first attempt.
std::optional<RetryRecord> retry_record(const Standing& standing);

/// Adds the keys to the JSON of an entry.
void put_retry(nlohmann::json& more, const RetryRecord& retry);

}  // namespace rv::monitor
