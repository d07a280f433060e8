// What makes up the priority of the user's jobs: sprio and sshare → values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/records/database_name.h"

namespace rv::slurm {

/// Format of `sprio -h -o`, in letters that mean the same from 20.11 on: job, partition, priority, then weighted age,
/// fair share, job size, partition, QOS, TRES, and the user.
inline constexpr std::string_view factors_format = "%i|%r|%Y|%A|%F|%J|%P|%Q|%T|%u";
/// Format of `sshare -U -P -n -o`.
inline constexpr std::string_view shares_format = "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare";

/// One pending job in one partition. The parts are what they add to the priority, weights included.
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
  std::int64_t tres = 0;  // of all TRES together
};

/// The user's standing in one account.
struct AccountShare {
  planner::DatabaseName account;
  planner::DatabaseName user;
  double norm_shares = 0;
  std::int64_t raw_usage = 0;  // TRES-seconds, decayed
  double effective_usage = 0;
  double fair_share = 0;  // 0 to 1, what the weight is multiplied by
};

struct PriorityFacts {
  std::vector<PriorityFactors> pending;
  std::vector<AccountShare> shares;
};

/// The rows of both, in any order: they differ in their columns. Others are passed over.
PriorityFacts parse_priority(std::string_view text);
std::vector<PriorityFactors> parse_priority_factors(std::string_view text);
std::vector<AccountShare> parse_shares(std::string_view text);

/// The priority that a job of this user would have at its submission, as far as these facts tell: that of his newest
/// pending job (in that partition, else in any) without its age, with the share of `account`; without one, the
/// fair-share part alone, which leaves out what the site adds for sizes, partitions and QOS. Nothing where neither is
/// known. `weights` are ControllerSettings::priority_weights.
std::optional<std::int64_t> priority_when_submitted(const PriorityFacts& facts, const planner::DatabaseName& account,
                                                    std::string_view partition,
                                                    const std::map<std::string, std::int64_t>& weights);

}  // namespace rv::slurm
