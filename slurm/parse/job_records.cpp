#include "slurm/parse/job_records.h"

#include "slurm/parse/field.h"

namespace rv::slurm {

std::string to_string(JobId id) {
  return std::to_string(id.number);
}

std::optional<JobId> parse_job_id(std::string_view text) {
  const auto number = parse_number(text);
  if (!number || *number <= 0 || *number > 0xFFFFFFFFLL) return std::nullopt;
  return JobId{static_cast<std::uint32_t>(*number)};
}

std::string_view accounting_name(std::string_view text) {
  return text == "allocation" ? std::string_view() : text;
}

}  // namespace rv::slurm
