#include "slurm/parse_limits.h"

#include <array>

#include "slurm/field.h"
#include "slurm/gres_text.h"

namespace rv::slurm {
namespace {

// Columns in the order that we ask for; the header's words differ ("Def QOS"), the order does not.
enum QosColumn : std::size_t {
  qos_name,
  qos_priority,
  qos_flags,
  qos_max_tres,
  qos_max_tres_per_node,
  qos_max_tres_per_user,
  qos_max_tres_per_account,
  qos_group_tres,
  qos_min_tres,
  qos_max_wall,
  qos_max_jobs,
  qos_max_submit,
  qos_columns,
};
constexpr std::string_view qos_format =
    "Name,Priority,Flags,MaxTRES,MaxTRESPerNode,MaxTRESPU,MaxTRESPA,GrpTRES,MinTRES,MaxWall,MaxJobsPU,MaxSubmitPU";

enum AssociationColumn : std::size_t {
  assoc_account,
  assoc_user,
  assoc_partition,
  assoc_default_qos,
  assoc_qos,
  assoc_max_tres,
  assoc_max_tres_per_node,
  assoc_group_tres,
  assoc_max_wall,
  assoc_max_jobs,
  assoc_max_submit,
  assoc_columns,
};
constexpr std::string_view assoc_format =
    "Account,User,Partition,DefaultQOS,QOS,MaxTRES,MaxTRESPerNode,GrpTRES,MaxWall,MaxJobs,MaxSubmit";

std::optional<int> limit(std::string_view text) {
  const auto number = parse_number(text);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<int>(*number);
}

planner::Qos parse_qos(const std::vector<std::string_view>& row) {
  return {.name = std::string(row[qos_name]),
          .priority = parse_number(row[qos_priority]).value_or(0),
          .flags = list_of(row[qos_flags]),
          .max_tres_per_job = parse_tres(row[qos_max_tres]),
          .max_tres_per_node = parse_tres(row[qos_max_tres_per_node]),
          .max_tres_per_user = parse_tres(row[qos_max_tres_per_user]),
          .max_tres_per_account = parse_tres(row[qos_max_tres_per_account]),
          .group_tres = parse_tres(row[qos_group_tres]),
          .min_tres_per_job = parse_tres(row[qos_min_tres]),
          .max_wall = parse_span(row[qos_max_wall]),
          .max_jobs_per_user = limit(row[qos_max_jobs]),
          .max_submit_per_user = limit(row[qos_max_submit])};
}

planner::Association parse_association(const std::vector<std::string_view>& row) {
  return {.account = std::string(row[assoc_account]),
          .partition = std::string(row[assoc_partition]),
          .is_default_account = false,
          .default_qos = std::string(row[assoc_default_qos]),
          .qos = list_of(row[assoc_qos]),
          .max_tres_per_job = parse_tres(row[assoc_max_tres]),
          .max_tres_per_node = parse_tres(row[assoc_max_tres_per_node]),
          .group_tres = parse_tres(row[assoc_group_tres]),
          .max_wall = parse_span(row[assoc_max_wall]),
          .max_jobs = limit(row[assoc_max_jobs]),
          .max_submit = limit(row[assoc_max_submit])};
}

}  // namespace

std::string limits_questions(std::string_view user) {
  const std::string name(user);
  return "show qos format=" + std::string(qos_format) + "\nshow assoc user=" + name +
         " format=" + std::string(assoc_format) + "\nshow user name=" + name + " format=User,DefaultAccount\n";
}

AccountLimits parse_limits(std::string_view text, std::string_view user) {
  enum class Section { none, qos, associations, users };
  AccountLimits limits;
  std::string default_account;
  Section section = Section::none;
  while (!text.empty()) {
    auto line = next_line(text);
    // Built without readline, sacctmgr prints its prompt and no line end in front of the answer.
    constexpr std::string_view prompt = "sacctmgr: ";
    while (line.starts_with(prompt)) line.remove_prefix(prompt.size());
    if (line.starts_with("Name|Priority|"))
      section = Section::qos;
    else if (line.starts_with("Account|User|"))
      section = Section::associations;
    else if (line.starts_with("User|Def"))
      section = Section::users;
    else {
      const auto row = split(line, '|');
      if (section == Section::qos && row.size() == qos_columns) {
        limits.qos.push_back(parse_qos(row));
      } else if (section == Section::associations && row.size() == assoc_columns && row[assoc_user] == user) {
        limits.associations.push_back(parse_association(row));
      } else if (section == Section::users && row.size() == 2 && row[0] == user) {
        default_account = row[1];
      }
    }
  }
  for (auto& association : limits.associations) association.is_default_account = association.account == default_account;
  return limits;
}

}  // namespace rv::slurm
