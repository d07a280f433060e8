#include "cli/launch/balance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/os/process.h"
#include "base/quote.h"
#include "base/regex_pattern.h"
#include "base/table.h"
#include "base/text.h"
#include "cli/views/plan_view.h"
#include "slurm/environment.h"
#include "slurm/parse/parse_jobs.h"

namespace rv::cli {

namespace {

constexpr const char* first_number = "(-?[0-9][0-9,]*(\\.[0-9]+)?)";
constexpr std::string_view account_mark = "{account}";

std::string with_account(std::string command, const std::string& account) {
  const std::string word = quote(account);
  for (auto at = command.find(account_mark); at != std::string::npos; at = command.find(account_mark, at)) {
    command.replace(at, account_mark.size(), word);
    at += word.size();
  }
  return command;
}

std::string trouble_of(const os::Result& answer) {
  if (answer.timed_out) return "no answer within ten seconds";
  if (!answer.ok()) {
    return fmt::format("exit code {}: {}", answer.exit_code,
                       slurm::first_complaint(answer.err.empty() ? answer.out : answer.err));
  }
  return "no number in its output";
}

}  // namespace

std::optional<double> parse_balance(std::string_view output, const std::string& pattern) {
  auto number = RegexPattern(pattern.empty() ? first_number : pattern).first_group(std::string(output));
  if (!number) return std::nullopt;
  std::erase(*number, ',');
  double value = 0;
  const char* const end = number->data() + number->size();
  const auto [rest, fault] = std::from_chars(number->data(), end, value, std::chars_format::fixed);
  if (fault != std::errc() || rest != end) return std::nullopt;
  return value;
}

Balance ask_balance(const BalanceQuestion& question, const std::string& account) {
  Balance balance{.account = account, .su = std::nullopt, .trouble = ""};
  if (account.empty() && question.command.find(account_mark) != std::string::npos) {
    balance.trouble = "the account is unknown; set account, or use --account";
    return balance;
  }
  const auto answer = os::run({.argv = {"bash", "-c", with_account(question.command, account)},
                               .input = "",
                               .deadline = std::chrono::seconds(10),
                               .environment = slurm::query_environment(),
                               .folder = "/"});
  if (answer.ok()) balance.su = parse_balance(answer.out, question.pattern);
  if (!balance.su) balance.trouble = one_line(trouble_of(answer));
  return balance;
}

std::string balance_text(const Balance& balance, const planner::Plan& plan, int width) {
  const std::string whose = balance.account.empty() ? "Balance" : "Balance of " + one_line(balance.account);
  if (!balance.su) return wrapped(fmt::format("{}: unknown ({})", whose, balance.trouble), width, 2) + "\n";
  std::string out = fmt::format("{}: {} SU\n", whose, cost_text(balance.su));
  std::vector<std::string> above;
  for (std::size_t i = 0; i < plan.strategies.size(); ++i) {
    if (plan.strategies[i].cost_su > balance.su) above.push_back(std::to_string(i + 1));
  }
  if (above.empty()) return out;
  const bool all = above.size() == plan.strategies.size();
  return out +
         wrapped(fmt::format("Warning: less than the cost of {}",
                             all ? "every strategy" : fmt::format("strategy {}", fmt::join(above, ", "))),
                 width, 2) +
         "\n";
}

nlohmann::ordered_json balance_to_json(const Balance& balance) {
  return {{"account", balance.account},
          {"su", balance.su ? nlohmann::ordered_json(*balance.su) : nlohmann::ordered_json()},
          {"trouble", balance.trouble}};
}

void add_balance(nlohmann::ordered_json& document, const Balance& balance) {
  document["balance"] = balance_to_json(balance);
  for (auto& strategy : document["strategies"]) {
    const auto& cost = strategy["cost_su"];
    strategy["above_balance"] = balance.su && !cost.is_null() ? nlohmann::ordered_json(cost.get<double>() > *balance.su)
                                                              : nlohmann::ordered_json();
  }
}

}  // namespace rv::cli
