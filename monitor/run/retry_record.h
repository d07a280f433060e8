// What the entry of a retry says about the attempt that it begins.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "monitor/ledger/ledger.h"

namespace rv::monitor {

struct RetryRecord {
  std::string why;  // the failure that it follows
  int asked = 0;    // attempts up to this one that --retries allowed; retries after broken hardware are extra
  std::chrono::seconds pause{0};  // before this attempt; 0: none, --retries did not cause it
  TimePoint begins;               // the end of the pause
  std::string last_line;          // of the output of the attempt before; empty: none
};

/// Of the entry that began the present attempt; nothing for the first attempt.
std::optional<RetryRecord> retry_record(const Standing& standing);

/// Adds it to the JSON of an entry.
void put_retry(nlohmann::json& more, const RetryRecord& retry);

}  // namespace rv::monitor
