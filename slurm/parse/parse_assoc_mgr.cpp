#include "slurm/parse/parse_assoc_mgr.h"

#include <algorithm>
#include <map>
#include <set>

#include "slurm/parse/field.h"

namespace rv::slurm {
namespace {

using Values = std::map<std::string_view, std::string_view>;

// "Key=Value Key=Value", values without the separator.
Values values_of(std::string_view line, char separator = ' ') {
  Values values;
  for (const auto word : split(line, separator)) {
    const auto equals = word.find('=');
    if (equals != std::string_view::npos) values.emplace(word.substr(0, equals), word.substr(equals + 1));
  }
  return values;
}

std::string_view value(const Values& values, std::string_view key) {
  const auto found = values.find(key);
  return found == values.end() ? std::string_view() : found->second;
}

// "root(0)" → "root": an ID, or what is used.
std::string_view before_bracket(std::string_view text) {
  return text.substr(0, text.find('('));
}

// "8(3)", "8"; nothing for "N(3)" and "".
std::optional<std::int64_t> figure(std::string_view text) {
  return parse_number(before_bracket(text));
}

std::optional<int> count(std::string_view text) {
  const auto number = figure(text);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

// "cpu=N(0),gres/gpu=8(3)": memory is in MiB.
planner::Tres tres(std::string_view text) {
  planner::Tres all;
  for (const auto part : split(text, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    if (const auto amount = figure(part.substr(equals + 1))) all.emplace(part.substr(0, equals), *amount);
  }
  return all;
}

std::optional<std::chrono::seconds> minutes(std::string_view text) {
  constexpr std::int64_t most = 0xffffffff;  // Slurm keeps them in 32 bits (slurmdb_assoc_rec_t)
  const auto number = figure(text);
  return number && *number <= most ? std::optional<std::chrono::seconds>(std::chrono::minutes(*number)) : std::nullopt;
}

void take(planner::Association& one, const Values& line) {
  const auto has = [&](std::string_view key) { return line.contains(key); };
  if (has("DefAssoc")) one.is_default_account = value(line, "DefAssoc") == "Yes";
  if (has("GrpTRES")) one.group_tres = tres(value(line, "GrpTRES"));
  if (has("GrpJobs")) one.group_jobs = count(value(line, "GrpJobs"));
  if (has("GrpSubmitJobs")) one.group_submit = count(value(line, "GrpSubmitJobs"));
  if (has("MaxJobs")) one.max_jobs = count(value(line, "MaxJobs"));
  if (has("MaxSubmitJobs")) one.max_submit = count(value(line, "MaxSubmitJobs"));
  if (has("MaxWallPJ")) one.max_wall = minutes(value(line, "MaxWallPJ"));
  if (has("MaxTRESPJ")) one.max_tres_per_job = tres(value(line, "MaxTRESPJ"));
  if (has("MaxTRESPN")) one.max_tres_per_node = tres(value(line, "MaxTRESPN"));
}

// Limits per user and per account stand behind the name of each; they are the same for all.
void take(planner::Qos& qos, const Values& line) {
  const auto has = [&](std::string_view key) { return line.contains(key); };
  if (has("Priority")) qos.priority = figure(value(line, "Priority")).value_or(0);
  if (has("GrpTRES")) qos.group_tres = tres(value(line, "GrpTRES"));
  if (has("GrpJobs")) qos.group_jobs = count(value(line, "GrpJobs"));
  if (has("GrpSubmitJobs")) qos.group_submit = count(value(line, "GrpSubmitJobs"));
  if (has("MaxJobsPA")) qos.max_jobs_per_account = count(value(line, "MaxJobsPA"));
  if (has("MaxSubmitJobsPA")) qos.max_submit_per_account = count(value(line, "MaxSubmitJobsPA"));
  if (has("MaxWallPJ")) qos.max_wall = minutes(value(line, "MaxWallPJ"));
  if (has("MaxTRESPJ")) qos.max_tres_per_job = tres(value(line, "MaxTRESPJ"));
  if (has("MaxTRESPN")) qos.max_tres_per_node = tres(value(line, "MaxTRESPN"));
  if (has("MinTRESPJ")) qos.min_tres_per_job = tres(value(line, "MinTRESPJ"));
  if (has("MaxTRESPA")) qos.max_tres_per_account = tres(value(line, "MaxTRESPA"));
  if (has("MaxTRESPU")) qos.max_tres_per_user = tres(value(line, "MaxTRESPU"));
  if (has("MaxJobsPU")) qos.max_jobs_per_user = count(value(line, "MaxJobsPU"));
  if (has("MaxSubmitJobsPU")) qos.max_submit_per_user = count(value(line, "MaxSubmitJobsPU"));
}

// "4000(12)", "N(12)", "20000(0.50)": what is used, rounded down.
std::int64_t used_in(std::string_view text) {
  const auto open = text.find('(');
  if (open == std::string_view::npos) return 0;
  const auto inside = text.substr(open + 1, text.find(')', open) - open - 1);
  return parse_number(inside.substr(0, inside.find('.'))).value_or(0);
}

// The amounts in brackets of "cpu=N(2),gres/gpu=8(3)"; those of 0 are left out.
planner::Tres used_tres(std::string_view text) {
  planner::Tres all;
  for (const auto part : split(text, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    if (const auto amount = used_in(part.substr(equals + 1)); amount > 0) all.emplace(part.substr(0, equals), amount);
  }
  return all;
}

// The limits that the jobs of an account and of those below it share.
void take(planner::Account& account, const Values& line) {
  const auto has = [&](std::string_view key) { return line.contains(key); };
  if (has("ParentAccount")) account.parent = before_bracket(value(line, "ParentAccount"));
  if (has("GrpTRES")) {
    account.group_tres = tres(value(line, "GrpTRES"));
    account.used_tres = used_tres(value(line, "GrpTRES"));
  }
  if (has("GrpJobs")) {
    account.group_jobs = count(value(line, "GrpJobs"));
    account.used_jobs = static_cast<int>(used_in(value(line, "GrpJobs")));
  }
  if (has("GrpSubmitJobs")) {
    account.group_submit = count(value(line, "GrpSubmitJobs"));
    account.used_submit = static_cast<int>(used_in(value(line, "GrpSubmitJobs")));
  }
}

// What the lines of one record say of limits in minutes.
struct Record {
  planner::DatabaseName user;  // empty: of an account
  planner::DatabaseName account;
  planner::Account group;  // the limits of the account's jobs together
  std::string partition;
  planner::DatabaseName qos;
  std::vector<planner::Budget> budgets;
  Values minutes;          // GrpTRESMins
  Values running_minutes;  // GrpTRESRunMins

  void take(const Values& line) {
    rv::slurm::take(group, line);
    if (line.contains("GrpTRESMins")) minutes = values_of(value(line, "GrpTRESMins"), ',');
    if (line.contains("GrpTRESRunMins")) running_minutes = values_of(value(line, "GrpTRESRunMins"), ',');
    if (line.contains("GrpWall")) add("GrpWall", "", value(line, "GrpWall"), planner::BudgetKind::used);
    for (const auto& [tres, most] : values_of(value(line, "MaxTRESMinsPJ"), ',')) {
      add("MaxTRESMinsPerJob", tres, most, planner::BudgetKind::per_job);
    }
  }

  void finish() {
    for (const auto& [tres, text] : minutes) {
      if (!add("GrpTRESMins", tres, text, planner::BudgetKind::used)) continue;
      budgets.back().running = used_in(value(running_minutes, tres));
    }
    for (const auto& [tres, text] : running_minutes) add("GrpTRESRunMins", tres, text, planner::BudgetKind::running);
  }

  bool add(const char* limit, std::string_view tres, std::string_view text, planner::BudgetKind kind) {
    const auto most = figure(text);
    if (!most) return false;
    planner::Budget budget;
    budget.limit = limit;
    budget.qos = qos;
    budget.account = budget.owner = account;
    budget.of_user = !user.empty();
    budget.partition = partition;
    budget.tres = tres;
    budget.most = *most;
    budget.used = used_in(text);
    budget.kind = kind;
    budgets.push_back(std::move(budget));
    return true;
  }
};

// Those of the QOS, of the user's associations and of the accounts above each of these.
std::vector<planner::Budget> budgets_of(const std::vector<Record>& records, const planner::DatabaseName& user) {
  std::vector<planner::Budget> all;
  std::set<planner::DatabaseName> accounts;
  for (const Record& record : records) {
    if (!record.qos.empty()) {
      for (planner::Budget budget : record.budgets) {
        budget.account = budget.owner = "";
        all.push_back(std::move(budget));
      }
    } else if (record.user == user) {
      all.insert(all.end(), record.budgets.begin(), record.budgets.end());
      accounts.insert(record.account);
    }
  }
  for (const auto& account : accounts) {
    planner::DatabaseName at = account;
    // Never deeper than there are records: a tree has no circle, but a damaged text may have one.
    for (std::size_t level = 0; !at.empty() && level < records.size(); ++level) {
      const auto found = std::find_if(records.begin(), records.end(), [&](const Record& one) {
        return one.qos.empty() && one.user.empty() && one.account == at;
      });
      if (found == records.end()) break;
      for (planner::Budget budget : found->budgets) {
        // A limit on a job is passed down to the users' associations.
        if (budget.kind == planner::BudgetKind::per_job) continue;
        budget.account = account;
        all.push_back(std::move(budget));
      }
      at = found->group.parent;
    }
  }
  return all;
}

}  // namespace

AccountLimits parse_assoc_mgr(std::string_view text, const planner::DatabaseName& user,
                              const planner::DatabaseName& cluster) {
  std::vector<planner::Association> associations;
  std::vector<planner::Qos> every_qos;
  std::vector<Record> records;
  planner::Association* association = nullptr;  // at hand
  bool in_qos = false;
  bool here = false;  // in a record of this cluster
  while (!text.empty()) {
    auto line = next_line(text);
    const auto indent = line.find_first_not_of(' ');
    line.remove_prefix(std::min(indent, line.size()));
    const auto values = values_of(line);
    if (indent == 0 && line.starts_with("QOS=")) {
      in_qos = here = true;
      every_qos.emplace_back().name = before_bracket(value(values, "QOS"));
      records.emplace_back().qos = every_qos.back().name;
    } else if (indent == 0 && line.starts_with("ClusterName=")) {
      in_qos = false;
      association = nullptr;
      // One controller may know the users of other clusters (a federation).
      here = cluster.empty() || planner::DatabaseName(value(values, "ClusterName")) == cluster;
      if (!here) continue;
      Record& record = records.emplace_back();
      record.user = before_bracket(value(values, "UserName"));
      record.account = value(values, "Account");
      record.partition = value(values, "Partition");
      // Of the accounts above the user's, too.
      if (record.user != user) continue;
      association = &associations.emplace_back();
      association->account = record.account;
      association->partition = record.partition;
    } else if (in_qos) {
      take(every_qos.back(), values);
      records.back().take(values);
    } else if (here && !records.empty()) {
      records.back().take(values);
      if (association != nullptr) take(*association, values);
    }
  }
  for (Record& record : records) record.finish();
  AccountLimits limits;
  limits.budgets = budgets_of(records, user);
  for (Record& record : records) {
    if (!record.qos.empty() || !record.user.empty()) continue;
    record.group.name = record.account;
    limits.accounts.push_back(std::move(record.group));
  }
  if (!every_qos.empty()) limits.qos = std::move(every_qos);
  if (!associations.empty()) limits.associations = std::move(associations);
  return limits;
}

}  // namespace rv::slurm
