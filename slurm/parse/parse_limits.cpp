#include "slurm/parse/parse_limits.h"

#include <algorithm>
#include <array>
#include <set>

#include "slurm/parse/field.h"
#include "slurm/parse/gres_text.h"

namespace rv::slurm {
namespace {

// sacctmgr stops at a field that it does not know, so only those that every release from 20.11 on has.
constexpr std::string_view qos_format =
    "Name,Priority,Flags,MaxTRES,MaxTRESPerNode,MaxTRESPU,MaxTRESPA,GrpTRES,MinTRES,MaxWall,MaxJobsPU,MaxSubmitPU,"
    "Preempt,PreemptMode,GraceTime,PreemptExemptTime,MaxTRESRunMinsPU,MaxTRESRunMinsPA,GrpJobs,GrpSubmit,MaxJobsPA,"
    "MaxSubmitPA";
constexpr std::string_view association_format =
    "Cluster,Account,User,Partition,DefaultQOS,QOS,MaxTRES,MaxTRESPerNode,GrpTRES,MaxWall,MaxJobs,MaxSubmit,GrpJobs,"
    "GrpSubmit";
constexpr std::string_view account_format = "Cluster,Account,ParentName";
constexpr std::string_view user_format = "User,DefaultAccount";

// The headers that identify a section. These are only the fields that the first version of rv queried: an answer that
// an earlier version stored lacks preemption, minutes and limits on the jobs of a group.
constexpr std::array<std::string_view, 12> qos_headers{"Name",           "Priority",  "Flags",     "MaxTRES",
                                                       "MaxTRESPerNode", "MaxTRESPU", "MaxTRESPA", "GrpTRES",
                                                       "MinTRES",        "MaxWall",   "MaxJobsPU", "MaxSubmitPU"};
constexpr std::array<std::string_view, 12> association_headers{"Cluster", "Account", "User",    "Partition",
                                                               "Def QOS", "QOS",     "MaxTRES", "MaxTRESPerNode",
                                                               "GrpTRES", "MaxWall", "MaxJobs", "MaxSubmit"};
constexpr std::array<std::string_view, 3> account_headers{"Cluster", "Account", "ParentName"};
constexpr std::array<std::string_view, 3> account_headers_of_20_11{"Cluster", "Account", "Par Name"};
constexpr std::array<std::string_view, 2> user_headers{"User", "Def Acct"};

using Columns = std::vector<std::string_view>;

// One row, its columns by the header's names.
class Row {
 public:
  Row(const Columns& header, const Columns& row) : header_(header), row_(row) {}
  std::string_view operator[](std::string_view name) const {
    const auto at = std::find(header_.begin(), header_.end(), name);
    return at == header_.end() ? std::string_view() : row_[static_cast<std::size_t>(at - header_.begin())];
  }

 private:
  const Columns& header_;
  const Columns& row_;
};

template <std::size_t N>
bool has_all(const Columns& header, const std::array<std::string_view, N>& names) {
  return std::all_of(names.begin(), names.end(),
                     [&](auto name) { return std::find(header.begin(), header.end(), name) != header.end(); });
}

std::optional<int> limit(std::string_view text) {
  const auto number = parse_number(text);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<int>(*number);
}

planner::Qos parse_qos(const Row& row) {
  return {.name = row["Name"],
          .priority = parse_number(row["Priority"]).value_or(0),
          .flags = list_of(row["Flags"]),
          .max_tres_per_job = parse_tres(row["MaxTRES"]),
          .max_tres_per_node = parse_tres(row["MaxTRESPerNode"]),
          .max_tres_per_user = parse_tres(row["MaxTRESPU"]),
          .max_tres_per_account = parse_tres(row["MaxTRESPA"]),
          .group_tres = parse_tres(row["GrpTRES"]),
          .min_tres_per_job = parse_tres(row["MinTRES"]),
          .max_wall = parse_span(row["MaxWall"]),
          .group_jobs = limit(row["GrpJobs"]),
          .max_jobs_per_user = limit(row["MaxJobsPU"]),
          .max_jobs_per_account = limit(row["MaxJobsPA"]),
          .group_submit = limit(row["GrpSubmit"]),
          .max_submit_per_user = limit(row["MaxSubmitPU"]),
          .max_submit_per_account = limit(row["MaxSubmitPA"]),
          .preempts = names_of(row["Preempt"]),
          .preempt_mode = std::string(row["PreemptMode"]),
          .grace_time = parse_span(row["GraceTime"]).value_or(std::chrono::seconds(0)),
          .preempt_exempt_time = parse_span(row["PreemptExemptTime"])};
}

// Limits on the minutes that running jobs have left; one of accounts is for each account.
void add_run_minutes(std::vector<planner::Budget>& budgets, const Row& row) {
  const auto add = [&](std::string_view column, const char* limit, bool per_user) {
    for (const auto& [tres, most] : parse_tres(row[column])) {
      planner::Budget budget;
      budget.limit = limit;
      budget.qos = row["Name"];
      budget.tres = tres;
      budget.most = most;
      budget.per_user = per_user;
      budget.kind = planner::BudgetKind::running;
      budgets.push_back(std::move(budget));
    }
  };
  add("MaxTRESRunMinsPU", "MaxTRESRunMinsPerUser", true);
  add("MaxTRESRunMinsPA", "MaxTRESRunMinsPerAccount", false);
}

// For each of the user's accounts.
std::vector<planner::Budget> by_account(const std::vector<planner::Budget>& budgets,
                                        const std::vector<planner::Association>& associations) {
  std::set<planner::DatabaseName> accounts;
  for (const auto& one : associations) accounts.insert(one.account);
  std::vector<planner::Budget> all;
  for (const planner::Budget& budget : budgets) {
    if (budget.per_user) all.push_back(budget);
    if (budget.per_user) continue;
    for (const auto& account : accounts) {
      all.push_back(budget);
      all.back().account = account;
    }
  }
  return all;
}

planner::Association parse_association(const Row& row) {
  return {.account = row["Account"],
          .partition = std::string(row["Partition"]),
          .is_default_account = false,
          .default_qos = row["Def QOS"],
          .qos = names_of(row["QOS"]),
          .max_tres_per_job = parse_tres(row["MaxTRES"]),
          .max_tres_per_node = parse_tres(row["MaxTRESPerNode"]),
          .group_tres = parse_tres(row["GrpTRES"]),
          .max_wall = parse_span(row["MaxWall"]),
          .group_jobs = limit(row["GrpJobs"]),
          .max_jobs = limit(row["MaxJobs"]),
          .group_submit = limit(row["GrpSubmit"]),
          .max_submit = limit(row["MaxSubmit"])};
}

planner::Account parse_account(const Row& row) {
  planner::Account account;
  account.name = row["Account"];
  account.parent = row["ParentName"].empty() ? row["Par Name"] : row["ParentName"];
  return account;
}

}  // namespace

bool can_ask_limits_of(std::string_view user) {
  return !user.empty() && user.find_first_of(" \t\n\r,=/\"'") == std::string_view::npos;
}

std::string limits_questions(std::string_view user) {
  const std::string name(user);
  return "show qos format=" + std::string(qos_format) + "\nshow assoc user=" + name +
         " format=" + std::string(association_format) + "\nshow user name=" + name +
         " format=" + std::string(user_format) + "\nshow assoc user= format=" + std::string(account_format) + "\n";
}

AccountLimits parse_limits(std::string_view text, const planner::DatabaseName& user,
                           const planner::DatabaseName& cluster) {
  enum class Section { none, qos, associations, accounts, users };
  AccountLimits limits;
  std::optional<planner::DatabaseName> default_account;
  Section section = Section::none;
  Columns header;
  while (!text.empty()) {
    auto line = next_line(text);
    // Built without readline, sacctmgr prints its prompt and no line end in front of the answer.
    constexpr std::string_view prompt = "sacctmgr: ";
    while (line.starts_with(prompt)) line.remove_prefix(prompt.size());
    const auto columns = split(line, '|');
    if (has_all(columns, qos_headers)) {
      section = Section::qos;
      header = columns;
      limits.qos.emplace();
    } else if (has_all(columns, association_headers)) {
      section = Section::associations;
      header = columns;
      limits.associations.emplace();
    } else if (has_all(columns, account_headers) || has_all(columns, account_headers_of_20_11)) {
      section = Section::accounts;
      header = columns;
    } else if (has_all(columns, user_headers)) {
      section = Section::users;
      header = columns;
      default_account.emplace();
    } else if (section != Section::none && columns.size() == header.size()) {
      const Row row(header, columns);
      const bool here = cluster.empty() || planner::DatabaseName(row["Cluster"]) == cluster;
      if (section == Section::qos) {
        limits.qos->push_back(parse_qos(row));
        add_run_minutes(limits.budgets, row);
      } else if (section == Section::accounts) {
        if (here) limits.accounts.push_back(parse_account(row));
      } else if (planner::DatabaseName(row["User"]) != user) {
        continue;
      } else if (section == Section::users) {
        default_account = row["Def Acct"];
      } else if (here) {
        limits.associations->push_back(parse_association(row));
      }
    }
  }
  // Slurm always has a QOS, and an association list without the default account would be half an answer.
  if (limits.qos && limits.qos->empty()) limits.qos.reset();
  if (!default_account) limits.associations.reset();
  if (!limits.qos || !limits.associations) limits.budgets.clear();
  if (limits.associations) {
    limits.budgets = by_account(limits.budgets, *limits.associations);
    for (auto& one : *limits.associations) one.is_default_account = one.account == *default_account;
  }
  return limits;
}

}  // namespace rv::slurm
