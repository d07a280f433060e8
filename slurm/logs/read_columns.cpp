#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.h"
#include "base/text.h"
#include "slurm/logs/log_rows.h"
#include "slurm/parse/field.h"
#include "slurm/parse/gres_text.h"

namespace rv::slurm {

namespace {

enum Column : std::size_t {
  id,
  submitted,
  eligible,
  start,
  end,
  wait,
  run,
  limit,
  limit_minutes,
  limit_hours,
  nodes,
  gpus,
  gpu_type,
  tres,
  user,
  account,
  partition,
  state,
  job_name,
  column_count,
};

/// Names of each column, without case, blanks and underscores. Earlier names are preferred.
constexpr std::array<std::string_view, column_count> names_of_columns{
    "jobidraw jobid id job",
    "submit submitted submittime submissiontime timesubmit qtime",
    "eligible eligibletime timeeligible",
    "start started starttime timestart",
    "end ended endtime finish finishtime timeend",
    "wait waits waittime queuetime",
    "run runs runtime elapsedraw elapsed duration",
    "limit limits timelimit walltime reqtime requestedtime reqwalltime",
    "timelimitraw limitmin limitminutes timelimitmin",
    "limith limithours timelimithours",
    "nodes nnodes allocnodes nodecount numnodes reqnodes",
    "gpus gpu ngpus gpucount numgpus allocgpus reqgpus gpunum",
    "gputype gpumodel",
    "alloctres reqtres tres",
    "user username uid",
    "account group project",
    "partition queue queuename",
    "state status",
    "jobname name",
};

std::string plain_name(std::string_view text) {
  std::string name;
  name.reserve(text.size());
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  }
  return lower(name);
}

/// Fields at separators outside of quotes. The quotes are removed; a doubled quote inside them stays doubled.
std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  std::size_t first = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') quoted = !quoted;
    if (i < line.size() && (quoted || line[i] != separator)) continue;
    std::string_view field = line.substr(first, i - first);
    while (!field.empty() && (field.front() == ' ' || field.front() == '\t')) field.remove_prefix(1);
    while (!field.empty() && (field.back() == ' ' || field.back() == '\t')) field.remove_suffix(1);
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
    fields.push_back(field);
    first = i + 1;
  }
  return fields;
}

std::string_view without_return(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// Reads seconds since 1970, milliseconds since 1970, and "2024-08-15 10:00:00", with "T", a fraction or "Z" as well.
Seconds moment(std::string_view text) {
  if (const auto number = parse_amount(text)) {
    constexpr std::int64_t first_of_milliseconds = 100'000'000'000;
    if (*number <= 0) return std::nullopt;
    return *number >= first_of_milliseconds ? *number / 1000 : *number;
  }
  constexpr std::size_t length = 19;
  if (text.size() < length) return std::nullopt;
  std::string iso(text.substr(0, length));
  iso[10] = 'T';
  const auto point = parse_time(iso);
  return point ? Seconds(point->time_since_epoch().count()) : std::nullopt;
}

/// Reads a number of `unit` seconds, or Slurm's days-hours:minutes:seconds.
Seconds span(std::string_view text, std::int64_t unit) {
  constexpr std::int64_t most = 1'000'000'000;
  if (const auto number = parse_amount(text)) return *number > most ? std::nullopt : Seconds(*number * unit);
  const auto value = parse_span(text);
  return value ? Seconds(value->count()) : std::nullopt;
}

std::string type_in(const planner::Tres& amounts) {
  for (const auto& [name, count] : amounts) {
    if (name.starts_with(planner::typed_gpu) && count > 0) return name.substr(planner::typed_gpu.size()).text();
  }
  return {};
}

class ColumnReader {
 public:
  ColumnReader(planner::JobLog& log, const std::string& name) : log_(log), name_(name), rows_(log) {}

  void read(std::string_view text) {
    const std::string_view first = without_return(next_line(text));
    separator_ = separator_of(first);
    log_.format = separator_ == '|' ? "sacct" : "CSV";
    find_columns(fields_of(first, separator_));
    require_columns(first);
    log_.has_gpus = has(gpus) || has_gpus_in_tres(text);
    while (!text.empty()) {
      const std::string_view line = without_return(next_line(text));
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      ++log_.rows;
      read_row(fields_of(line, separator_));
    }
    rows_.finish();
  }

 private:
  static char separator_of(std::string_view line) {
    char best = ',';
    for (const char c : {'|', ',', ';', '\t'}) {
      if (std::count(line.begin(), line.end(), c) > std::count(line.begin(), line.end(), best)) best = c;
    }
    return best;
  }

  void find_columns(const std::vector<std::string_view>& titles) {
    places_.fill(titles.size());
    count_ = titles.size();
    std::vector<std::string> plain;
    plain.reserve(titles.size());
    for (const std::string_view title : titles) plain.push_back(plain_name(title));
    for (std::size_t column = 0; column < column_count; ++column) {
      for (const std::string_view name : split(names_of_columns[column], ' ')) {
        const auto found = std::find(plain.begin(), plain.end(), name);
        if (found == plain.end()) continue;
        places_[column] = static_cast<std::size_t>(found - plain.begin());
        break;
      }
    }
  }

  bool has(Column column) const { return places_[column] < count_; }

  void require_columns(std::string_view first) const {
    std::string missing;
    if (!has(submitted))
      missing = "the submission (submit)";
    else if (!has(start) && !has(wait))
      missing = "the start (start or wait)";
    else if (!has(end) && !has(run))
      missing = "the end (end or run)";
    else if (!has(nodes) && !has(gpus) && !has(tres))
      missing = "the size (nodes, gpus or AllocTRES)";
    if (missing.empty()) return;
    throw Error("--from \"" + name_ + "\": no column for " + missing + " in the first line \"" +
                    one_line(first.substr(0, 80)) + "\"",
                "name the columns in the first line, such as submit,start,end,limit,nodes,gpus,user,account,partition; "
                "or write the log with: sacct -a -X --parsable2 -o JobIDRaw,User,Account,Partition,State,Submit,"
                "Eligible,Start,End,Timelimit,NNodes,AllocTRES",
                ExitCode::usage);
  }

  bool has_gpus_in_tres(std::string_view text) const {
    return has(tres) && text.find("gres/gpu") != std::string_view::npos;
  }

  std::string_view field(const std::vector<std::string_view>& fields, Column column) const {
    if (!has(column)) return {};
    const std::string_view text = fields[places_[column]];
    return is_nothing(text) ? std::string_view() : text;
  }

  void read_row(const std::vector<std::string_view>& fields) {
    if (fields.size() < count_) return rows_.flaw("rows with too few columns");
    // A name with a separator in it moves the columns behind it.
    if (fields.size() > count_ && !(has(job_name) && places_[job_name] + 1 == count_)) {
      return rows_.flaw("rows with too many columns");
    }
    if (log_.format == "sacct" && field(fields, id).find('.') != std::string_view::npos) {
      return rows_.flaw("steps of jobs");
    }
    LogRow row;
    read_times(fields, row);
    read_limit(fields, row);
    const planner::Tres amounts = parse_tres(field(fields, tres));
    row.nodes = parse_amount(field(fields, nodes));
    if (!row.nodes) row.nodes = planner::amount(amounts, "node");
    row.gpus = parse_amount(field(fields, gpus));
    if (!row.gpus && has(tres)) row.gpus = planner::gpu_count(amounts);
    const std::string type = has(gpu_type) ? std::string(field(fields, gpu_type)) : type_in(amounts);
    row.gpu_type = type;
    row.user = field(fields, user);
    row.account = field(fields, account);
    row.partition = field(fields, partition);
    // A job that still waits may name several partitions.
    row.partition = row.partition.substr(0, row.partition.find(','));
    row.state = field(fields, state).substr(0, field(fields, state).find(' '));
    row.name = field(fields, job_name);
    rows_.add(row);
  }

  void read_times(const std::vector<std::string_view>& fields, LogRow& row) const {
    row.submitted = moment(field(fields, submitted));
    row.eligible = moment(field(fields, eligible));
    row.start = moment(field(fields, start));
    if (!has(start) && row.submitted) {
      if (const auto waited = span(field(fields, wait), 1)) row.start = *row.submitted + *waited;
    }
    row.end = moment(field(fields, end));
    if (!has(end) && row.start) {
      if (const auto ran = span(field(fields, run), 1)) row.end = *row.start + *ran;
    }
    row.runs = !row.end && row.start && field(fields, state).starts_with("RUNNING");
  }

  void read_limit(const std::vector<std::string_view>& fields, LogRow& row) const {
    constexpr std::array<std::pair<Column, std::int64_t>, 3> units{
        {{limit, 1}, {limit_minutes, 60}, {limit_hours, 3600}}};
    for (const auto& [column, unit] : units) {
      const std::string_view text = field(fields, column);
      if (text.empty() || text == "UNLIMITED" || text == "Partition_Limit") continue;
      row.limit = span(text, unit);
      row.odd_limit = !row.limit;
      return;
    }
  }

  planner::JobLog& log_;
  const std::string& name_;
  LogRows rows_;
  char separator_ = ',';
  std::array<std::size_t, column_count> places_{};
  std::size_t count_ = 0;
};

}  // namespace

void read_columns(std::string_view text, const std::string& name, planner::JobLog& log) {
  ColumnReader(log, name).read(text);
}

}  // namespace rv::slurm
