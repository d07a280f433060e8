#include "slurm/parse/parse_assoc_mgr.h"

#include <algorithm>
#include <map>

#include "slurm/parse/field.h"

namespace rv::slurm {
namespace {

using Values = std::map<std::string_view, std::string_view>;

// "Key=Value Key=Value", values without blanks.
Values values_of(std::string_view line) {
  Values values;
  for (const auto word : split(line, ' ')) {
    const auto equals = word.find('=');
    if (equals != std::string_view::npos) values.emplace(word.substr(0, equals), word.substr(equals + 1));
  }
  return values;
}

std::string_view value(const Values& values, std::string_view key) {
  const auto found = values.find(key);
  return found == values.end() ? std::string_view() : found->second;
}

// The database writes clusters' names in small letters, slurm.conf need not.
bool same_name(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
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
  const auto number = figure(text);
  return number ? std::optional<std::chrono::seconds>(std::chrono::minutes(*number)) : std::nullopt;
}

void take(planner::Association& one, const Values& line) {
  const auto has = [&](std::string_view key) { return line.contains(key); };
  if (has("DefAssoc")) one.is_default_account = value(line, "DefAssoc") == "Yes";
  if (has("GrpTRES")) one.group_tres = tres(value(line, "GrpTRES"));
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
  if (has("MaxWallPJ")) qos.max_wall = minutes(value(line, "MaxWallPJ"));
  if (has("MaxTRESPJ")) qos.max_tres_per_job = tres(value(line, "MaxTRESPJ"));
  if (has("MaxTRESPN")) qos.max_tres_per_node = tres(value(line, "MaxTRESPN"));
  if (has("MinTRESPJ")) qos.min_tres_per_job = tres(value(line, "MinTRESPJ"));
  if (has("MaxTRESPA")) qos.max_tres_per_account = tres(value(line, "MaxTRESPA"));
  if (has("MaxTRESPU")) qos.max_tres_per_user = tres(value(line, "MaxTRESPU"));
  if (has("MaxJobsPU")) qos.max_jobs_per_user = count(value(line, "MaxJobsPU"));
  if (has("MaxSubmitJobsPU")) qos.max_submit_per_user = count(value(line, "MaxSubmitJobsPU"));
}

}  // namespace

AccountLimits parse_assoc_mgr(std::string_view text, std::string_view user, std::string_view cluster) {
  std::vector<planner::Association> associations;
  std::vector<planner::Qos> every_qos;
  planner::Association* association = nullptr;  // at hand
  bool in_qos = false;
  while (!text.empty()) {
    auto line = next_line(text);
    const auto indent = line.find_first_not_of(' ');
    line.remove_prefix(std::min(indent, line.size()));
    const auto values = values_of(line);
    if (indent == 0 && line.starts_with("QOS=")) {
      in_qos = true;
      every_qos.emplace_back().name = before_bracket(value(values, "QOS"));
    } else if (indent == 0 && line.starts_with("ClusterName=")) {
      in_qos = false;
      association = nullptr;
      // Of the accounts above the user's, too; and one controller may know the users of other clusters (a federation).
      if (before_bracket(value(values, "UserName")) != user) continue;
      if (!cluster.empty() && !same_name(value(values, "ClusterName"), cluster)) continue;
      association = &associations.emplace_back();
      association->account = value(values, "Account");
      association->partition = value(values, "Partition");
    } else if (in_qos) {
      take(every_qos.back(), values);
    } else if (association != nullptr) {
      take(*association, values);
    }
  }
  AccountLimits limits;
  if (!every_qos.empty()) limits.qos = std::move(every_qos);
  if (!associations.empty()) limits.associations = std::move(associations);
  return limits;
}

}  // namespace rv::slurm
