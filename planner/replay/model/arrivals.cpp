#include "planner/replay/model/arrivals.h"

#include <algorithm>
#include <tuple>

#include "base/seeded_random.h"
#include "base/text.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

constexpr seconds day{86'400};
constexpr seconds least_record{2 * 3600};
constexpr int most_days = 14;

/// Submissions come in bursts, which an hour keeps together.
constexpr seconds period{3600};
/// Hours of the past that one hour ahead is picked from. With fewer, all trials see the same jobs come.
constexpr std::size_t enough_choice = 12;

Demand demand_of(ReplayBuilder& builder, const FinishedJob& job) {
  const int nodes = std::max(1, job.nodes);
  Demand demand;
  demand.cpus = (job.cpus + nodes - 1) / nodes;
  demand.memory = (job.memory.count + nodes - 1) / nodes;
  if (job.gpus > 0) {
    demand.gpus = (job.gpus + nodes - 1) / nodes;
    demand.gpu_type = builder.gpu_type(job.gpu_type);
  }
  return demand;
}

Tres tres_of(const FinishedJob& job) {
  Tres tres{{"cpu", job.cpus}, {"mem", job.memory.count}, {"gres/gpu", job.gpus}};
  if (!job.gpu_type.empty()) tres["gres/gpu:" + job.gpu_type] = job.gpus;
  return tres;
}

/// For each hour ahead, up to a day: the hours of the record that were nearest to its time of the day.
std::vector<std::vector<int>> periods_by_hour(std::size_t periods) {
  constexpr int hours = 24;
  std::vector<std::vector<int>> choices(hours);
  const auto count = static_cast<int>(periods);
  for (int ahead = 0; ahead < hours; ++ahead) {
    std::vector<int>& choice = choices[ahead];
    for (int most = 0; most <= hours / 2 && choice.size() < enough_choice; ++most) {
      for (int i = 0; i < count; ++i) {
        const int apart = (count - i + ahead) % hours;
        if (std::min(apart, hours - apart) == most) choice.push_back(i);
      }
    }
  }
  return choices;
}

}  // namespace

std::string add_arrivals(ReplayBuilder& builder, const Cluster& cluster, const std::vector<FinishedJob>& finished,
                         const NewJobPriority& priorities) {
  std::vector<const FinishedJob*> sorted;
  TimePoint first = cluster.taken_at;
  for (const FinishedJob& job : finished) {
    if (job.end <= job.start || job.submitted > cluster.taken_at) continue;
    first = std::min(first, job.end);
    sorted.push_back(&job);
  }
  const seconds record = std::min(cluster.taken_at - first, most_days * day);
  if (record < least_record) return "no new arrivals";
  const auto periods = static_cast<std::size_t>(record / period);
  const TimePoint begin = cluster.taken_at - static_cast<int>(periods) * period;
  const auto key = [](const FinishedJob& job) {
    return std::tie(job.submitted, job.start, job.end, job.user, job.account, job.partition, job.nodes, job.cpus,
                    job.gpus, job.limit, job.memory.count);
  };
  std::sort(sorted.begin(), sorted.end(), [&](const auto* a, const auto* b) { return key(*a) < key(*b); });

  std::int64_t number = first_coming_number;
  for (const FinishedJob* finished_job : sorted) {
    const FinishedJob& job = *finished_job;
    if (job.submitted < begin) continue;
    const int partition = builder.partition(job.partition);
    if (partition < 0) continue;
    const Partition& record_of = cluster.partitions[partition];
    ReplayJob arrival;
    arrival.number = ++number;
    arrival.key = mixed(static_cast<std::uint64_t>(number));
    arrival.priority = priorities.of(job.user);
    arrival.known_run_time = static_cast<ReplayTime>(std::min<std::int64_t>((job.end - job.start).count(), never));
    const auto limit = job.limit.count() > 0 ? job.limit : record_of.max_time.value_or(seconds(never));
    arrival.limit = static_cast<ReplayTime>(std::min<std::int64_t>(limit.count(), never));
    arrival.user = builder.user(job.user);
    arrival.qos = builder.qos(job.qos);
    const auto& limits = builder.limits().of(job.user, job.account, job.qos, {job.partition});
    arrival.counters = limits.counters;
    arrival.limits = limits.limits;
    if (!limits.empty()) arrival.amounts = builder.limits().amounts(tres_of(job), job.nodes, job.cpus);
    Demand demand = demand_of(builder, job);
    QueuedJob coming;
    coming.user = job.user;
    builder.apply_rules(demand, partition, coming);
    // A job of several nodes comes under one of the top switches, in turn.
    const std::vector<std::string>& islands = builder.islands(partition, job.nodes);
    NodeConstraints filter;
    filter.top_switch = islands[static_cast<std::size_t>(number) % islands.size()];
    const int shape = builder.shape(partition, demand, std::max(1, job.nodes), filter);
    const int preemptor = builder.preemptor(arrival.qos, partition, arrival.priority);
    const auto offset = job.submitted - begin;
    const auto which = static_cast<std::size_t>(offset / period);
    if (which >= periods) continue;
    builder.add_arrival(which, static_cast<ReplayTime>((offset % period).count()), std::move(arrival),
                        {0, shape, partition, record_of.priority_tier, preemptor});
  }
  builder.set_arrival_periods(periods, static_cast<ReplayTime>(period.count()), periods_by_hour(periods));
  if (record < day) return "new arrivals as in the last " + counted(record / std::chrono::hours(1), "hour");
  return "new arrivals as in the last " + counted(record / day, "day");
}

}  // namespace rv::planner
