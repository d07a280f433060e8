#include "slurm/parse/parse_priority.h"

#include <cmath>

#include "base/trimmed.h"
#include "shared/number.h"
#include "slurm/parse/field.h"
#include "slurm/parse/job_records.h"

namespace rv::slurm {
namespace {

enum Factor : std::size_t {
  job,
  partition,
  priority,
  age,
  fair_share,
  job_size,
  by_partition,
  qos,
  tres,
  user,
  factors
};
enum Share : std::size_t { account, person, raw_shares, norm_shares, raw_usage, effective_usage, standing, shares };

// "cpu=3,gres/gpu=1000": parts of the priority, not amounts.
std::int64_t sum_of(std::string_view text) {
  std::int64_t sum = 0;
  for (const auto part : split(text, ',')) sum += parse_number(part.substr(part.rfind('=') + 1)).value_or(0);
  return sum;
}

std::string_view base_id(std::string_view id) {
  return id.substr(0, id.find_first_of("_+"));
}

std::optional<std::int64_t> fair_share_part(const PriorityFacts& facts, const planner::DatabaseName& account,
                                            const std::map<std::string, std::int64_t>& weights) {
  const auto weight = weights.find("FairShare");
  if (weight == weights.end() || weight->second == 0) return std::nullopt;
  for (const auto& share : facts.shares) {
    if (share.account == account) return std::llround(share.fair_share * static_cast<double>(weight->second));
  }
  return std::nullopt;
}

}  // namespace

std::vector<PriorityFactors> parse_priority_factors(std::string_view text) {
  std::vector<PriorityFactors> list;
  while (!text.empty()) {
    auto row = split(next_line(text), '|');
    if (row.size() != factors) continue;
    for (auto& field : row) field = trimmed(field);
    const auto total = parse_number(row[priority]);
    if (!total || !parse_job_id(base_id(row[job]))) continue;
    list.push_back({.job = std::string(row[job]),
                    .partition = std::string(row[partition]),
                    .user = row[user],
                    .priority = *total,
                    .age = parse_number(row[age]).value_or(0),
                    .fair_share = parse_number(row[fair_share]).value_or(0),
                    .job_size = parse_number(row[job_size]).value_or(0),
                    .partition_factor = parse_number(row[by_partition]).value_or(0),
                    .qos = parse_number(row[qos]).value_or(0),
                    .tres = sum_of(row[tres])});
  }
  return list;
}

std::vector<AccountShare> parse_shares(std::string_view text) {
  std::vector<AccountShare> list;
  while (!text.empty()) {
    auto row = split(next_line(text), '|');
    if (row.size() != shares) continue;
    for (auto& field : row) field = trimmed(field);
    const auto factor = number_in<double>(row[standing]);
    // Rows of accounts have no user, and with some algorithms no factor.
    if (!factor || row[person].empty()) continue;
    list.push_back({.account = row[account],
                    .user = row[person],
                    .norm_shares = number_in<double>(row[norm_shares]).value_or(0),
                    .raw_usage = parse_number(row[raw_usage]).value_or(0),
                    .effective_usage = number_in<double>(row[effective_usage]).value_or(0),
                    .fair_share = *factor});
  }
  return list;
}

PriorityFacts parse_priority(std::string_view text) {
  return {.pending = parse_priority_factors(text), .shares = parse_shares(text)};
}

std::optional<std::int64_t> priority_when_submitted(const PriorityFacts& facts, const planner::DatabaseName& account,
                                                    std::string_view partition,
                                                    const std::map<std::string, std::int64_t>& weights) {
  const PriorityFactors* newest = nullptr;
  const auto is_better = [&](const PriorityFactors& one) {
    if (newest == nullptr) return true;
    const bool here = one.partition == partition;
    if (here != (newest->partition == partition)) return here;
    return one.age < newest->age;
  };
  for (const auto& one : facts.pending) {
    if (is_better(one)) newest = &one;
  }
  const auto by_share = fair_share_part(facts, account, weights);
  if (newest == nullptr) return by_share;
  // It may be charged to another account than the new job.
  return newest->priority - newest->age + (by_share ? *by_share - newest->fair_share : 0);
}

}  // namespace rv::slurm
