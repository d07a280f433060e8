// Gathers from Slurm what the jobs of an account hold, wait for and used.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/launch/balance.h"
#include "cli/options/invocation.h"
#include "cli/views/cluster_details.h"
#include "slurm/accounting/account_use.h"

namespace rv::cli {

/// One user of the account.
struct AccountUser {
  UserGpus now;
  std::optional<slurm::UsedTime> used;  // in the last seven days; nothing: accounting did not answer
};

struct AccountUse {
  std::string account;
  std::vector<std::string> accounts;  // it and the accounts below it, as far as the tree is known
  std::vector<AccountUser> users;     // those who hold most first
  bool queue_known = true;            // false: the site hides other users' jobs
  bool used_by_others = false;        // accounting has jobs of other users; false says nothing about them
  std::string trouble;                // why accounting did not answer; empty: it did
  std::optional<slurm::FairShare> fair_share;
  std::vector<std::string> budgets;  // what is left of limits in minutes, in words
  std::optional<Balance> balance;    // where the site has a command for it
};

/// The account and those below it.
std::vector<std::string> accounts_below(const planner::Cluster& cluster, const std::string& account);

/// The users of the queue and of accounting in one list. `used`: nothing where accounting did not answer.
std::vector<AccountUser> account_users(const std::vector<UserGpus>& now,
                                       const std::optional<std::map<planner::DatabaseName, slurm::UsedTime>>& used);

/// Queries Slurm. Throws Error(usage) for a name that is not a valid account name or that Slurm does not have.
AccountUse account_use(const std::string& account, const Invocation& invocation);

}  // namespace rv::cli
