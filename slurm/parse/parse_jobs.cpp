#include "slurm/parse/parse_jobs.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "slurm/parse/field.h"
#include "slurm/parse/key_value.h"
#include "slurm/parse/refusal.h"

namespace rv::slurm {
namespace {

constexpr std::size_t poll_columns = 10;
constexpr std::size_t accounting_columns = 9;

// The first `count - 1` columns and the rest as the last one, or nothing for a line with fewer.
std::vector<std::string_view> columns_of(std::string_view line, std::size_t count) {
  std::vector<std::string_view> columns;
  while (columns.size() + 1 < count) {
    const auto end = line.find('|');
    if (end == std::string_view::npos) return {};
    columns.push_back(line.substr(0, end));
    line.remove_prefix(end + 1);
  }
  columns.push_back(line);
  return columns;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Any word, so that a state of a later release stays what it is.
bool is_state_word(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t=") == std::string_view::npos;
}

// A row of a poll begins with an ID ("12", "12_3", "12+1"), the array's base ID (a het component's own), the element
// or N/A, and a state; a name's second line would have to imitate all of that.
bool is_tick_row(const std::vector<std::string_view>& columns) {
  if (columns.size() != poll_columns || !parse_job_id(columns[1])) return false;
  const auto base = columns[0].substr(0, columns[0].find_first_of("_+"));
  const bool het = columns[0].find('+') != std::string_view::npos;
  const bool element =
      columns[2] == "N/A" || (!columns[2].empty() && (is_digit(columns[2][0]) || columns[2][0] == '['));
  return parse_job_id(base) && (het || base == columns[1]) && element && is_state_word(columns[3]);
}

std::string_view first_word(std::string_view state) {
  return state.substr(0, state.find_first_of(" +"));
}

// "CANCELLED by 1001". UID 0 (root) is valid, and the parser of job IDs rejects 0.
std::optional<std::uint32_t> cancelled_by(std::string_view state) {
  constexpr std::string_view before = "CANCELLED by ";
  if (!state.starts_with(before)) return std::nullopt;
  state.remove_prefix(before.size());
  std::uint32_t user = 0;
  const auto [end, error] = std::from_chars(state.data(), state.data() + state.size(), user);
  if (error != std::errc() || end == state.data()) return std::nullopt;
  return user;
}

// "123_4" and "123_[5-9]" belong to the array 123; others are known by their own number.
JobId id_in_accounting(std::string_view raw, std::string_view shown) {
  const auto underscore = shown.find('_');
  const auto base = underscore == std::string_view::npos ? std::nullopt : parse_job_id(shown.substr(0, underscore));
  return base ? *base : parse_job_id(raw).value_or(JobId{});
}

bool is_accounting_row(const std::vector<std::string_view>& columns) {
  return columns.size() == accounting_columns && parse_job_id(columns[0]) && !columns[1].empty() &&
         is_digit(columns[1][0]) && is_state_word(first_word(columns[5])) &&
         columns[6].find(':') != std::string_view::npos;
}

struct ExitCode {
  int status = 0;
  int signal = 0;
};

ExitCode parse_exit_code(std::string_view text) {
  const auto colon = text.find(':');
  ExitCode code;
  code.status = static_cast<int>(parse_number(text.substr(0, colon)).value_or(0));
  if (colon != std::string_view::npos) code.signal = static_cast<int>(parse_number(text.substr(colon + 1)).value_or(0));
  return code;
}

std::string node_list_of(std::string_view text) {
  return is_nothing(text) || text == "None assigned" ? "" : std::string(text);
}

}  // namespace

std::vector<QueueRow> parse_poll(std::string_view text) {
  std::vector<QueueRow> rows;
  while (!text.empty()) {
    const auto line = next_line(text);
    const auto columns = columns_of(line, poll_columns);
    if (!is_tick_row(columns)) {
      if (!rows.empty()) rows.back().name += "\n" + std::string(line);
      continue;
    }
    rows.push_back({.id = *parse_job_id(columns[1]),
                    .raw_id = std::string(columns[0]),
                    .state = std::string(columns[3]),
                    .reason = std::string(columns[4]),
                    .start = parse_time(columns[5]),
                    .end = parse_time(columns[6]),
                    .time_limit = parse_span(columns[7]),
                    .node_list = node_list_of(columns[8]),
                    .name = std::string(columns[9])});
  }
  return rows;
}

std::vector<JobRecord> parse_records(std::string_view text) {
  std::vector<JobRecord> records;
  while (!text.empty()) {
    const KeyValues facts(next_record(text, "JobId="));
    const auto id = parse_job_id(facts["JobId"]);
    if (!id) continue;
    const auto exit = parse_exit_code(facts["ExitCode"]);
    const auto base = parse_job_id(facts["ArrayJobId"]);
    const auto start = parse_time(facts["StartTime"]);
    const auto preempted = parse_time(facts["PreemptTime"]);
    records.push_back({.id = base.value_or(*id),
                       .state = std::string(facts["JobState"]),
                       .reason = std::string(facts["Reason"]),
                       .name = std::string(facts["JobName"]),
                       .exit_status = exit.status,
                       .exit_signal = exit.signal,
                       .restarts = static_cast<int>(parse_number(facts["Restarts"]).value_or(0)),
                       .cpus = static_cast<int>(parse_number(facts["NumCPUs"]).value_or(0)),
                       .requeue = facts["Requeue"] == "1",
                       .preempted = preempted && (!start || *preempted >= *start),
                       .node_list = node_list_of(facts["NodeList"]),
                       .standard_output = std::string(facts["StdOut"]),
                       .submitted = parse_time(facts["SubmitTime"]),
                       .start = start,
                       .end = parse_time(facts["EndTime"])});
  }
  return records;
}

std::vector<AccountingRow> parse_accounting(std::string_view text) {
  std::vector<AccountingRow> rows;
  while (!text.empty()) {
    const auto line = next_line(text);
    const auto columns = columns_of(line, accounting_columns);
    if (!is_accounting_row(columns)) {
      if (!rows.empty()) rows.back().name += "\n" + std::string(line);
      continue;
    }
    const auto exit = parse_exit_code(columns[6]);
    rows.push_back({.id = id_in_accounting(columns[0], columns[1]),
                    .shown = std::string(columns[1]),
                    .state = std::string(first_word(columns[5])),
                    .exit_status = exit.status,
                    .exit_signal = exit.signal,
                    .submitted = parse_time(columns[2]),
                    .start = parse_time(columns[3]),
                    .end = parse_time(columns[4]),
                    .node_list = node_list_of(columns[7]),
                    .name = std::string(columns[8]),
                    .cancelled_by = cancelled_by(columns[5])});
  }
  return rows;
}

std::vector<AccountingRow> rows_of(const std::vector<AccountingRow>& rows, const JobKey& key) {
  std::vector<AccountingRow> last;
  for (const auto& row : rows) {
    if (row.id != key.id || row.name != key.name) continue;
    const auto same = std::find_if(last.begin(), last.end(), [&](const auto& one) { return one.shown == row.shown; });
    if (same == last.end()) {
      last.push_back(row);
    } else if (same->state == "REVOKED" || row.state == "REVOKED") {
      if (same->state == "REVOKED") *same = row;
    } else if (row.submitted >= same->submitted) {
      // Rows of one submission come in the order of their starts.
      const int earlier = same->restarts + 1;
      *same = row;
      same->restarts = earlier;
    }
  }
  return last;
}

namespace {

bool is_complaint(std::string_view line) {
  return line.find("error: ") != std::string_view::npos || line.find("fatal: ") != std::string_view::npos;
}

std::string_view without_prefixes(std::string_view line) {
  for (const std::string_view before :
       {"sbatch: ", "squeue: ", "scontrol: ", "sacct: ", "sacctmgr: ", "scancel: ", "slurm_load_jobs ",
        "error: ", "fatal: ", "Batch job submission failed: ", "allocation failure: "}) {
    if (line.starts_with(before)) line.remove_prefix(before.size());
  }
  return line;
}

// The last line that is "ID" or "ID;cluster": a site's wrapper may have greeted first.
void find_id(std::string_view out, Submission& submission) {
  while (!out.empty()) {
    const auto line = next_line(out);
    const auto semicolon = line.find(';');
    const auto id = parse_job_id(line.substr(0, semicolon));
    if (!id) continue;
    submission.id = *id;
    submission.cluster = semicolon == std::string_view::npos ? "" : line.substr(semicolon + 1);
  }
}

}  // namespace

bool of_nodes_that_may_return(std::string_view refusal) {
  return refusal.find("node configuration is not available") != std::string_view::npos;
}

std::vector<StepRow> parse_steps(std::string_view out) {
  std::vector<StepRow> steps;
  while (!out.empty()) {
    const auto line = next_line(out);
    const auto blank = line.find(' ');
    const auto id = line.substr(0, blank);
    const auto dot = id.find('.');
    if (blank == std::string_view::npos || dot == std::string_view::npos || !parse_number(id.substr(dot + 1))) continue;
    if (const auto job = parse_job_id(id.substr(0, dot))) {
      steps.push_back({.id = std::string(id), .job = *job, .name = std::string(line.substr(blank + 1))});
    }
  }
  return steps;
}

std::string trouble_of_cancel(const os::Result& result) {
  // ESLURM_INVALID_JOB_ID and ESLURM_ALREADY_DONE have these texts from 20.11 to 26.05. slurmctld reports a filter that
  // does not match from 23.11 on.
  constexpr std::array<std::string_view, 3> no_such_job{"Invalid job id specified",
                                                        "Job/step already completing or completed", "!= filter "};
  std::string_view text = result.err;
  while (!text.empty()) {
    const auto line = next_line(text);
    const bool harmless = std::any_of(no_such_job.begin(), no_such_job.end(),
                                      [&](auto words) { return line.find(words) != std::string_view::npos; });
    if (is_complaint(line) && !harmless) return first_complaint(line);
  }
  if (result.ok() || !result.err.empty()) return "";
  return "scancel ended with exit code " + std::to_string(result.exit_code);
}

Submission parse_submission(const os::Result& result) {
  Submission submission;
  find_id(result.out, submission);
  const bool printed_id = submission.id.number != 0;
  if (printed_id && result.ok()) {
    submission.outcome = Submission::Outcome::accepted;
    return submission;
  }
  submission.id = {};
  submission.cluster.clear();
  auto [summary, lines] = parse_refusal(result.out, result.err);
  submission.message = result.timed_out          ? "sbatch did not answer in time"
                       : result.exit_code == 127 ? result.err
                                                 : summary;
  submission.lines = std::move(lines);
  // After these the controller may have accepted the job without sbatch hearing of it.
  constexpr std::array<std::string_view, 13> unsure{"timed out",
                                                    "Unable to contact",
                                                    "Connection refused",
                                                    "Connection reset",
                                                    "Broken pipe",
                                                    "Zero Bytes were transmitted",
                                                    "Transport endpoint",
                                                    "Communication connection failure",
                                                    "Communication shutdown failure",
                                                    "Message receive failure",
                                                    "Message send failure",
                                                    "Header lengths are longer",
                                                    "Slurm temporarily unable to accept job"};
  const bool no_clear_no = std::any_of(unsure.begin(), unsure.end(), [&](std::string_view words) {
    return result.err.find(words) != std::string::npos;
  });
  // Neither is an exit 0 without an ID, an ID without exit 0, or a death by signal; 255 is sbatch's code for a bad
  // option.
  const bool killed = result.exit_code > 128 && result.exit_code != 255;
  const bool unknown = result.timed_out || no_clear_no || killed || result.exit_code == 0 || printed_id;
  submission.outcome = unknown ? Submission::Outcome::unknown : Submission::Outcome::refused;
  return submission;
}

std::string first_complaint(std::string_view text) {
  std::string_view first;
  while (!text.empty()) {
    const auto line = next_line(text);
    if (is_complaint(line)) return std::string(without_prefixes(line));
    if (first.empty()) first = line;
  }
  return first.empty() ? "no answer and no error message" : std::string(without_prefixes(first));
}

}  // namespace rv::slurm
