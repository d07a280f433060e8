#include <algorithm>
#include <array>

#include "slurm/logs/log_rows.h"
#include "slurm/parse/field.h"

namespace rv::slurm {

namespace {

enum Field : std::size_t {
  number,
  submitted,
  wait,
  run,
  allocated,
  requested = 7,
  limit,
  status = 10,
  user,
  group,
  queue = 14,
  partition,
  field_count = 18,
};

using Fields = std::array<std::string_view, field_count>;

/// A log may count its seconds from its own beginning; elsewhere in rv, 0 is not a time.
constexpr std::int64_t base_without_start = 1'000'000'000;

std::optional<Fields> fields_of(std::string_view line) {
  Fields fields;
  std::size_t count = 0;
  while (true) {
    const auto first = line.find_first_not_of(" \t;,\r");
    if (first == std::string_view::npos) break;
    if (count == field_count) return std::nullopt;
    const auto end = std::min(line.find_first_of(" \t;,\r", first), line.size());
    fields[count++] = line.substr(first, end - first);
    line.remove_prefix(end);
  }
  return count == field_count ? std::optional(fields) : std::nullopt;
}

/// -1 stands for an unknown value.
std::optional<std::int64_t> known(std::string_view field) {
  const auto value = parse_amount(field);
  return value && *value != -1 ? value : std::nullopt;
}

std::string_view name(std::string_view field) {
  return field == "-1" || field == "-1.0" ? std::string_view() : field;
}

/// The number after a comment's key: "; MaxNodes: 560".
std::optional<std::int64_t> header(std::string_view line, std::string_view key) {
  const auto at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + key.size());
  const auto first = std::min(line.find_first_not_of(" \t"), line.size());
  const auto end = std::min(line.find_first_of(" \t\r(", first), line.size());
  return parse_amount(line.substr(first, end - first));
}

class SwfReader {
 public:
  explicit SwfReader(planner::JobLog& log) : log_(log), rows_(log) {}

  void read(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = next_line(text);
      const auto first = line.find_first_not_of(" \t\r");
      if (first == std::string_view::npos) continue;
      if (line[first] == ';' || line[first] == '#') {
        read_comment(line);
        continue;
      }
      ++log_.rows;
      const auto fields = is_swf_row(line) ? fields_of(line) : std::nullopt;
      if (fields) {
        read_job(*fields);
      } else {
        rows_.flaw("rows that are not 18 numbers");
      }
    }
    if (processors_ && log_.nodes && *log_.nodes > 0) {
      rows_.flaw("processors are rounded up to whole nodes of " + std::to_string(per_node()));
    }
    rows_.finish();
  }

 private:
  std::int64_t per_node() const {
    if (!processors_ || !log_.nodes || *log_.nodes <= 0) return 1;
    return std::max<std::int64_t>(1, *processors_ / *log_.nodes);
  }

  void read_comment(std::string_view line) {
    if (const auto start = header(line, "UnixStartTime:")) base_ = *start;
    if (const auto count = header(line, "MaxProcs:"); count && *count > 0) processors_ = count;
    if (const auto count = header(line, "MaxNodes:"); count && *count > 0 && *count < 10'000'000) {
      log_.nodes = static_cast<int>(*count);
    }
  }

  void read_job(const Fields& fields) {
    LogRow row;
    row.submitted = known(fields[submitted]);
    if (row.submitted && base_ <= 0 && *row.submitted < base_without_start) base_ = base_without_start;
    if (row.submitted) *row.submitted += std::max<std::int64_t>(base_, 0);
    const auto waited = known(fields[wait]);
    const auto ran = known(fields[run]);
    const auto state = known(fields[status]);
    const bool cancelled = state == 5 && ran.value_or(0) <= 0;
    if (row.submitted && waited && !cancelled) row.start = *row.submitted + *waited;
    if (row.start && ran) row.end = *row.start + *ran;
    row.limit = known(fields[limit]);
    auto count = known(fields[requested]);
    if (!count || *count < 1) count = known(fields[allocated]);
    if (count) row.nodes = (*count + per_node() - 1) / per_node();
    row.user = name(fields[user]);
    row.account = name(fields[group]);
    row.partition = name(fields[queue]).empty() ? name(fields[partition]) : name(fields[queue]);
    rows_.add(row);
  }

  planner::JobLog& log_;
  LogRows rows_;
  std::int64_t base_ = 0;
  std::optional<std::int64_t> processors_;
};

}  // namespace

bool is_swf_row(std::string_view line) {
  const auto fields = fields_of(line);
  return fields && std::all_of(fields->begin(), fields->end(),
                               [](std::string_view field) { return parse_amount(field).has_value(); });
}

void read_swf(std::string_view text, planner::JobLog& log) {
  log.format = "SWF";
  SwfReader(log).read(text);
}

}  // namespace rv::slurm
