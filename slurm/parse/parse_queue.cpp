#include "slurm/parse/parse_queue.h"

#include <array>

#include "planner/cluster/job_name.h"
#include "slurm/parse/field.h"
#include "slurm/parse/gres_text.h"
#include "slurm/parse/hostlist.h"

namespace rv::slurm {
namespace {

constexpr char separator = '\x1f';
constexpr char name_end = '\x1e';  // the name comes last, and may hold newlines

enum Column : std::size_t {
  id,
  state,
  partition,
  priority,
  user,
  account,
  qos,
  nodes,
  cpus,
  min_memory,
  tres,
  gres_per_node,
  time_limit,
  submitted,
  eligible,
  start,
  node_list,
  scheduled_nodes,
  required_nodes,
  feature,
  dependency,
  reservation,
  oversubscribe,
  het_offset,
  reason,
  exclusive,
  column_count,
};

constexpr std::array<std::string_view, column_count> fields{
    "JobArrayID",   "State",         "Partition",    "PriorityLong", "UserName",      "Account",   "QOS",
    "NumNodes",     "NumCPUs",       "MinMemory",    "tres-alloc",   "tres-per-node", "TimeLimit", "SubmitTime",
    "EligibleTime", "StartTime",     "NodeList",     "SchedNodes",   "ReqNodes",      "Feature",   "Dependency",
    "Reservation",  "OverSubscribe", "HetJobOffset", "Reason",       "Exclusive"};

std::string text_of(std::string_view field) {
  return is_nothing(field) ? "" : std::string(field);
}

// Up to 22.05 at least, OverSubscribe=NO is a job that wants whole nodes. 26.05 says NO of every ordinary job, and
// Exclusive tells; releases that do not know that field leave its column empty, or out.
bool is_exclusive(const std::vector<std::string_view>& row) {
  const auto word = row.size() > column_count ? row[exclusive] : std::string_view();
  if (is_nothing(word)) return row[oversubscribe] == "NO";
  return word != "NO" && word != "USER" && word != "MCS";
}

// --exclusive=user
bool is_exclusive_of_user(const std::vector<std::string_view>& row) {
  return row[oversubscribe] == "USER" || (row.size() > column_count && row[exclusive] == "USER");
}

/// Takes the next row off the front, up to the end of its name.
std::string_view next_named_row(std::string_view& text) {
  const auto end = text.find(name_end);
  const auto row = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (text.starts_with('\n')) text.remove_prefix(1);
  return row;
}

planner::QueuedJob parse_row(const std::vector<std::string_view>& row) {
  planner::QueuedJob job;
  job.id = row[id];
  job.user = row[user];
  job.account = text_of(row[account]);
  job.partitions = list_of(row[partition]);
  job.qos = text_of(row[qos]);
  job.state = row[state];
  job.reason = row[reason];
  job.priority = parse_number(row[priority]).value_or(0);
  job.requested = parse_tres(row[tres]);
  job.gres_per_node = text_of(row[gres_per_node]);
  job.nodes = static_cast<int>(parse_number(row[nodes]).value_or(1));
  job.cpus = static_cast<int>(parse_number(row[cpus]).value_or(0));
  job.min_memory = parse_memory_field(row[min_memory]);
  // Releases that leave out the mark ("4000Mc") still tell by the total.
  const auto total = planner::amount(job.requested, "mem");
  job.min_memory_is_per_cpu =
      row[min_memory].ends_with('c') || (job.min_memory && job.min_memory->count > 0 && total &&
                                         job.cpus != job.nodes && *total == job.min_memory->count * job.cpus);
  job.time_limit = parse_span(row[time_limit]);
  job.submitted = parse_time(row[submitted]);
  job.eligible = parse_time(row[eligible]);
  job.start = parse_time(row[start]);
  job.node_names = expand_hostlist(row[node_list]);
  job.scheduled_nodes = expand_hostlist(row[scheduled_nodes]);
  job.required_nodes = expand_hostlist(row[required_nodes]);
  job.features = text_of(row[feature]);
  job.dependency = text_of(row[dependency]);
  job.reservation = text_of(row[reservation]);
  job.exclusive = is_exclusive(row);
  job.exclusive_user = is_exclusive_of_user(row);
  job.oversubscribe = row[oversubscribe] == "YES";
  job.part_of_het_job = !is_nothing(row[het_offset]);
  job.array_tasks = count_array_tasks(job.id);
  job.name_key = planner::name_key(row.back());
  return job;
}

}  // namespace

std::string queue_format() {
  std::string format;
  for (const auto field : fields) {
    if (!format.empty()) format += ',';
    format += std::string(field) + ":" + separator;
  }
  return format + ",Name:" + name_end;
}

std::vector<planner::QueuedJob> parse_queue(std::string_view text) {
  std::vector<planner::QueuedJob> jobs;
  const bool named = text.find(name_end) != std::string_view::npos;
  while (!text.empty()) {
    const auto row = split(named ? next_named_row(text) : next_line(text), separator);
    // Every field is followed by the separator, so there is one part behind the last: the name.
    if (row.size() == column_count + 1 || row.size() == column_count) jobs.push_back(parse_row(row));
  }
  return jobs;
}

int count_array_tasks(std::string_view id_text) {
  const auto open = id_text.find('[');
  if (open == std::string_view::npos) return 1;
  auto ranges = id_text.substr(open + 1);
  ranges = ranges.substr(0, ranges.find_first_of("]%"));
  std::int64_t count = 0;
  for (auto range : split(ranges, ',')) {
    const auto colon = range.find(':');
    const auto step = colon == std::string_view::npos ? 1 : parse_number(range.substr(colon + 1)).value_or(1);
    range = range.substr(0, colon);
    const auto dash = range.find('-');
    const auto first = parse_number(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_number(range.substr(dash + 1));
    if (first && last && *last >= *first && step > 0) count += (*last - *first) / step + 1;
  }
  return count > 0 ? static_cast<int>(count) : 1;
}

}  // namespace rv::slurm
