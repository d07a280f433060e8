// The balance of an account, if the site has a command that prints it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "cli/settings/settings.h"
#include "planner/cluster/strategy.h"

namespace rv::cli {

struct Balance {
  std::string account;       // empty: not known
  std::optional<double> su;  // empty: unknown, which is not zero
  std::string trouble;       // then: why, one line
};

/// The number in a command's output: digits with commas between thousands and a point before decimals, a minus before.
/// `^` and `$` in the pattern match the ends of a line. Empty where the pattern does not match, or not on a number.
std::optional<double> parse_balance(std::string_view output, const std::string& pattern);

/// Runs the command, ten seconds at most. Whatever it does: a failure, silence and no number are an unknown balance.
Balance ask_balance(const BalanceQuestion& question, const std::string& account);

/// "Balance of lab: 1234 SU", and a warning about strategies that cost more. Ends with a newline.
std::string balance_text(const Balance& balance, const planner::Plan& plan, int width);

/// {"account", "su", "trouble"}
nlohmann::ordered_json balance_to_json(const Balance& balance);

/// Puts "balance" into a plan's document and "above_balance" into each of its strategies; null: unknown.
void add_balance(nlohmann::ordered_json& document, const Balance& balance);

}  // namespace rv::cli
