#include "cli/account/account_use.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/launch/planning.h"
#include "cli/views/delayed_note.h"
#include "planner/cluster/budget.h"
#include "shared/time_text.h"
#include "slurm/gateway.h"

namespace rv::cli {
namespace {

constexpr auto week = std::chrono::hours(7 * 24);

/// Where the tree of accounts is known, the account is in it.
void check_account(const planner::Cluster& cluster, const std::string& account) {
  const auto has_job = [&](const planner::QueuedJob& job) { return job.account == planner::DatabaseName(account); };
  const auto is_it = [&](const planner::Account& one) { return one.name == planner::DatabaseName(account); };
  if (cluster.accounts.empty() || std::any_of(cluster.accounts.begin(), cluster.accounts.end(), is_it) ||
      std::any_of(cluster.jobs.begin(), cluster.jobs.end(), has_job)) {
    return;
  }
  std::vector<std::string> names;
  for (const auto& one : cluster.accounts) names.push_back(one.name.text());
  throw Error(fmt::format("--account: Slurm has no account \"{}\"{}", one_line(account), suggestion(account, names)),
              "the accounts are " + one_line(listed(names)), ExitCode::usage);
}

planner::Cluster with_jobs_of(planner::Cluster cluster, const std::vector<std::string>& accounts) {
  std::erase_if(cluster.jobs, [&](const planner::QueuedJob& job) {
    return std::none_of(accounts.begin(), accounts.end(),
                        [&](const std::string& one) { return job.account == planner::DatabaseName(one); });
  });
  return cluster;
}

std::vector<std::string> budgets_left(const planner::Cluster& cluster, const planner::DatabaseName& account) {
  std::vector<std::string> words;
  for (const auto& budget : cluster.budgets) {
    if (budget.qos.empty() && !budget.of_user && budget.owner == account && budget.kind == planner::BudgetKind::used) {
      words.push_back(planner::left_in_words(budget));
    }
  }
  return words;
}

}  // namespace

std::vector<std::string> accounts_below(const planner::Cluster& cluster, const std::string& account) {
  std::vector<std::string> found{account};
  // Each pass visits the accounts below those found so far. It also ends for an account that is its own parent.
  for (std::size_t i = 0; i < found.size(); ++i) {
    const planner::DatabaseName parent(found[i]);
    for (const auto& one : cluster.accounts) {
      const bool known = std::any_of(found.begin(), found.end(),
                                     [&](const std::string& name) { return planner::DatabaseName(name) == one.name; });
      if (one.parent == parent && !known) found.push_back(one.name.text());
    }
  }
  return found;
}

std::vector<AccountUser> account_users(const std::vector<UserGpus>& now,
                                       const std::optional<std::map<planner::DatabaseName, slurm::UsedTime>>& used) {
  std::vector<AccountUser> users;
  for (const auto& user : now) {
    users.push_back({user, used ? std::optional(slurm::UsedTime()) : std::nullopt});
    if (used && used->contains(user.user)) users.back().used = used->at(user.user);
  }
  if (!used) return users;
  for (const auto& [name, time] : *used) {
    const auto is_it = [&, &wanted = name](const AccountUser& one) { return one.now.user == wanted; };
    if (std::any_of(users.begin(), users.end(), is_it) || time.gpu_seconds <= 0) continue;
    AccountUser gone;
    gone.now.user = name;
    gone.used = time;
    users.push_back(std::move(gone));
  }
  std::stable_sort(users.begin(), users.end(), [](const AccountUser& a, const AccountUser& b) {
    if (a.now.held != b.now.held) return a.now.held > b.now.held;
    return a.used && b.used && a.used->gpu_seconds > b.used->gpu_seconds;
  });
  return users;
}

AccountUse account_use(const std::string& account, const Invocation& invocation) {
  const auto cluster = cluster_with_note(RequestOptions(), invocation).cluster;
  check_account(cluster, account);
  AccountUse use;
  use.account = account;
  use.accounts = accounts_below(cluster, account);
  use.queue_known = cluster.queue_known();
  const auto now = user_gpus(with_jobs_of(cluster, use.accounts), invocation.settings.catalogue, {});
  slurm::Gateway gateway;
  const DelayedNote note("rv: asking accounting about the last seven days …",
                         invocation.terminal.err && !invocation.json);
  const auto until = current_time();
  const auto used = gateway.account_use(use.accounts, until - week, until);
  use.trouble = used.trouble;
  if (used) {
    use.used_by_others =
        std::any_of(used.value->begin(), used.value->end(), [&](const auto& one) { return one.first != cluster.user; });
  }
  use.users = account_users(now, used.value);
  use.fair_share = gateway.fair_share(account).value.value_or(std::nullopt);
  use.budgets = budgets_left(cluster, planner::DatabaseName(account));
  if (invocation.settings.balance) use.balance = ask_balance(*invocation.settings.balance, account);
  return use;
}

}  // namespace rv::cli
