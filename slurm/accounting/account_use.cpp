#include "slurm/accounting/account_use.h"

#include <algorithm>
#include <cmath>

#include "shared/number.h"
#include "slurm/parse/field.h"
#include "slurm/parse/gres_text.h"

namespace rv::slurm {
namespace {

enum Column : std::size_t { user, start, end, allocated, columns };
// slurm/parse/parse_priority.h, shares_format.
enum Share : std::size_t { account, person, raw_shares, norm_shares, raw_usage, effective_usage, shares = 7 };

/// Of what a job has: a larger amount is a damaged row.
constexpr std::int64_t most_amount = std::int64_t{1} << 32;

std::optional<double> fraction(std::string_view text) {
  return number_in<double>(text, 0, 1);
}

double bounded(std::int64_t amount) {
  return static_cast<double>(std::clamp<std::int64_t>(amount, 0, most_amount));
}

}  // namespace

std::map<planner::DatabaseName, UsedTime> parse_account_use(std::string_view text, TimePoint from, TimePoint to) {
  std::map<planner::DatabaseName, UsedTime> use;
  while (!text.empty()) {
    const auto row = split(next_line(text), '|');
    if (row.size() != columns || row[user].empty()) continue;
    const auto begun = parse_time(row[start]);
    if (!begun) continue;
    const auto first = std::max(*begun, from);
    const auto last = std::min(parse_time(row[end]).value_or(to), to);
    if (last <= first) continue;
    const auto seconds = static_cast<double>((last - first).count());
    const auto tres = parse_tres(row[allocated]);
    auto& sum = use[row[user]];
    sum.gpu_seconds += seconds * bounded(planner::gpu_count(tres));
    sum.cpu_seconds += seconds * bounded(planner::amount(tres, "cpu").value_or(0));
  }
  return use;
}

std::optional<FairShare> parse_fair_share(std::string_view text, const planner::DatabaseName& wanted) {
  while (!text.empty()) {
    const auto row = split(next_line(text), '|');
    if (row.size() != shares || !row[person].empty()) continue;
    // The tree is drawn with blanks before the name.
    const auto name = row[account].substr(std::min(row[account].find_first_not_of(' '), row[account].size()));
    if (planner::DatabaseName(name) != wanted) continue;
    const auto share = fraction(row[norm_shares]);
    const auto used = fraction(row[effective_usage]);
    return share && used ? std::optional(FairShare{*share, *used}) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace rv::slurm
