#include "slurm/logs/read_log.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "slurm/logs/log_rows.h"
#include "slurm/parse/field.h"
#include "slurm/parse/parse_finished_jobs.h"

namespace rv::slurm {

namespace {

constexpr const char* advice =
    "give a log as text: SWF, sacct --parsable2, or CSV whose first line names the columns "
    "(submit,start,end,limit,nodes,"
    "gpus,user,account,partition)";

void refuse(const std::string& name, const std::string& fault, const std::string& way_out = advice) {
  throw Error("--from \"" + name + "\": " + fault, way_out, ExitCode::usage);
}

void refuse_binary(std::string_view text, const std::string& name) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) refuse(name, "the file is empty");
  if (text.starts_with("\x1f\x8b") ||
      text.starts_with("\xfd"
                       "7zXZ") ||
      text.starts_with("\x28\xb5\x2f\xfd")) {
    refuse(name, "the file is compressed", "unpack it first, such as with gzip -dc FILE | rv plan --accuracy --from -");
  }
  constexpr std::size_t beginning = 65'536;
  if (text.substr(0, beginning).find('\0') != std::string_view::npos) refuse(name, "the file is not text");
}

std::string_view first_row(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const auto first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != ';' && line[first] != '#') return line;
  }
  return {};
}

/// rv's own format without a header: sacct -n.
bool is_history_row(std::string_view line) {
  const auto fields = split(line, '|');
  constexpr std::size_t submitted = 6;
  return fields.size() >= 12 && parse_number(fields[0]) && parse_time(fields[submitted]);
}

}  // namespace

planner::JobLog read_log(std::string_view text, const std::string& name) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  refuse_binary(text, name);
  planner::JobLog log;
  const std::string_view row = first_row(text);
  if (row.empty()) refuse(name, "the file has only comments");
  if (is_swf_row(row)) {
    read_swf(text, log);
  } else if (is_history_row(row)) {
    std::string titles;
    for (const std::string_view title : split(finished_jobs_format, ',')) titles.append(title).append("|");
    titles.resize(titles.size() - (split(row, '|').size() == 12 ? std::string_view("|JobName|").size() : 1));
    read_columns(titles.append("\n").append(text), name, log);
  } else {
    text.remove_prefix(static_cast<std::size_t>(row.data() - text.data()));
    read_columns(text, name, log);
  }
  if (log.jobs.empty()) {
    std::string reasons;
    for (const auto& [what, count] : log.flaws) reasons += "; " + std::to_string(count) + " " + what;
    refuse(name, "no row has a job that started (" + counted(static_cast<long long>(log.rows), "row") + reasons + ")");
  }
  return log;
}

}  // namespace rv::slurm
