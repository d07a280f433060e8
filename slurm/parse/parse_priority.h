// Parses sprio and sshare: the parts of the priority of the user's jobs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/records/database_name.h"

namespace rv::slurm {

/// The format for `sprio -h -o`, with letters that have the same meaning since 20.11: job, partition, priority, then
/// weighted age, fair share, job size, partition, QOS, TRES, and the user.
inline constexpr std::string_view factors_format = "%i|%r|%Y|%A|%F|%J|%P|%Q|%T|%u";
/// The format for `sshare -U -P -n -o`.
inline constexpr std::string_view shares_format = "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare";

/// The priority of one pending job in one partition. Each part is the amount that it adds, with its weight.
struct PriorityFactors {
  std::string job;
  std::string partition;
  planner::DatabaseName user;
  std::int64_t priority = 0;
  std::int64_t age = 0;
  std::int64_t fair_share = 0;
  std::int64_t job_size = 0;
  std::int64_t partition_factor = 0;
  std::int64_t qos = 0;
  std::int64_t tres = 0;  // sum of all TRES
};

/// The user's fair share in one account.
struct AccountShare {
  planner::DatabaseName account;
  planner::DatabaseName user;
  double norm_shares = 0;
  std::int64_t raw_usage = 0;  // TRES-seconds, decayed
  double effective_usage = 0;
  double fair_share = 0;  // 0 to 1; the priority has this factor times the weight
};

struct PriorityFacts {
  std::vector<PriorityFactors> pending;
  std::vector<AccountShare> shares;
};

/// Reads the rows of both commands, in any order: they differ in their columns. Other lines are skipped.
PriorityFacts parse_priority(std::string_view text);
std::vector<PriorityFactors> parse_priority_factors(std::string_view text);
std::vector<AccountShare> parse_shares(std::string_view text);

/// Estimates the priority of a job that this user submits now:
/// - If the user has a pending job, its priority without the part for age, and with the fair share of `account`. Of
///   several pending jobs the newest in `partition` is used, else the newest in any partition.
/// - Otherwise only the fair-share part. The parts that the site adds for sizes, partitions and QOS are then missing.
/// - Nothing if both are unknown.
///
/// `weights`: ControllerSettings::priority_weights.
std::optional<std::int64_t> priority_when_submitted(const PriorityFacts& facts, const planner::DatabaseName& account,
                                                    std::string_view partition,
                                                    const std::map<std::string, std::int64_t>& weights);

}  // namespace rv::slurm
