// The GPU hours that agents may use, and the tokens that confirm their calls: values, without files.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/mcp/message.h"

namespace rv::mcp {

using Time = std::chrono::sys_seconds;

/// A token is valid for this long after the call that returned it.
inline constexpr std::chrono::minutes token_lifetime{5};

/// A call that waits for its confirmation. The file has only the SHA-256 of the token.
struct Confirmation {
  std::string token_hash;
  std::string call_hash;  // of the tool and its arguments
  std::int64_t gpu_seconds = 0;
  Time expires;
};

struct Budget {
  std::int64_t granted = 0;   // GPU seconds
  std::int64_t reserved = 0;  // of these, for runs that were started
  std::vector<Confirmation> confirmations;
  std::vector<std::string> runs;  // IDs of those that agents started, the oldest first

  std::int64_t left() const { return granted - reserved; }
};

/// "8 GPU hours", "0.25 GPU hours".
std::string in_hours(std::int64_t gpu_seconds);

/// Sets a new budget: nothing is reserved, and tokens from before are invalid. The list of runs stays.
void grant(Budget& budget, std::int64_t gpu_seconds);

/// Throws Error(usage) if no budget is set, or if fewer GPU seconds than these are left.
void require_hours(const Budget& budget, std::int64_t gpu_seconds);

/// Throws Error(usage) for a run that no agent started. `id`: the full ID.
void require_own_run(const Budget& budget, const std::string& id);

/// Adds a confirmation, and removes expired ones, and the oldest if there are more than 100.
void add_confirmation(Budget& budget, const Confirmation& confirmation, Time now);

/// Takes the confirmation out of the budget and reserves its GPU seconds, which are returned. Throws Error(usage), with
/// `budget` unchanged, for a token that is unknown, used, expired or for another call, and as require_hours() does.
std::int64_t use_token(Budget& budget, const std::string& token_hash, const std::string& call_hash, Time now);

/// Records the ID of a run that an agent started.
void record_run(Budget& budget, const std::string& id);
/// Releases reserved GPU seconds: nothing was submitted.
void release_hours(Budget& budget, std::int64_t gpu_seconds);

Json to_json(const Budget& budget);
/// Throws nlohmann's exceptions for another document, and for negative amounts.
Budget budget_from(const Json& document);

}  // namespace rv::mcp
