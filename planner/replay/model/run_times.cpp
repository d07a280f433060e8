#include "planner/replay/model/run_times.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/seeded_random.h"
#include "shared/fnv1a.h"

namespace rv::planner {

namespace {

/// For a grouping with too little data to learn its credibility.
constexpr double usual_credibility = 10;
constexpr double least_credibility = 0.5;
constexpr double most_credibility = 1000;
/// Levels with less weight are left out, so that more jobs share a group.
constexpr double least_weight = 0.02;
/// Groups, and ratios more than groups, from which on credibility is learned.
constexpr std::size_t enough_groups = 4;
constexpr std::size_t enough_ratios = 12;

/// Slurm ends a job up to a minute or so after its limit; more than this is an administrator's doing.
constexpr double most_ratio = 1.25;

using Keys = std::array<std::uint64_t, RunTimes::grouping_count>;

Keys keys_of(const JobKind& kind) {
  const std::uint64_t user = fnv1a(kind.user.key());
  const std::uint64_t partition = fnv1a(kind.partition);
  const auto limit = static_cast<std::uint64_t>(kind.limit.count());
  const auto size = (static_cast<std::uint64_t>(kind.nodes) << 32U) | static_cast<std::uint32_t>(kind.gpus);
  Keys keys;
  keys[RunTimes::same_name] = mixed(user, kind.name_key);
  keys[RunTimes::same_again] = mixed(keys[RunTimes::same_name], mixed(limit, size));
  keys[RunTimes::user] = mixed(user, partition);
  keys[RunTimes::own] = mixed(keys[RunTimes::user], fnv1a(kind.account.key()));
  keys[RunTimes::same_limit] = limit;
  keys[RunTimes::partition] = partition;
  keys[RunTimes::everybody] = 0;
  return keys;
}

JobKind kind_of(const FinishedJob& job) {
  return {job.user, job.account, job.partition, job.name_key, job.limit, job.nodes, job.gpus};
}

float ratio_of(std::chrono::seconds ran, std::chrono::seconds limit) {
  return static_cast<float>(
      std::min(static_cast<double>(ran.count()) / static_cast<double>(limit.count()), most_ratio));
}

/// Bühlmann's k from sums over the groups of a grouping.
struct Variances {
  double jobs = 0;
  double groups = 0;
  double inside = 0;   // sum of squares around the groups' means
  double between = 0;  // of those around the means of the wider groups, one a job
  double squared_jobs = 0;

  void add(double count, double mean, double squares, double wider_mean) {
    jobs += count;
    ++groups;
    inside += std::max(0.0, squares - count * mean * mean);
    between += count * (mean - wider_mean) * (mean - wider_mean);
    squared_jobs += count * count;
  }

  double k() const {
    if (groups < enough_groups || jobs < groups + enough_ratios) return usual_credibility;
    const double variance_inside = inside / (jobs - groups);
    const double variance_between = (between - (groups - 1) * variance_inside) / (jobs - squared_jobs / jobs);
    if (variance_between <= 0) return most_credibility;
    return std::clamp(variance_inside / variance_between, least_credibility, most_credibility);
  }
};

std::uint32_t first_above(std::span<const float> ratios, double bound) {
  if (bound <= 0) return 0;
  return static_cast<std::uint32_t>(std::upper_bound(ratios.begin(), ratios.end(), static_cast<float>(bound)) -
                                    ratios.begin());
}

/// One of the ratios, of which there are some; 0 ≤ chance < 1.
float pick(std::span<const float> ratios, double chance) {
  const auto at = static_cast<std::size_t>(chance * static_cast<double>(ratios.size()));
  return ratios[std::min(at, ratios.size() - 1)];
}

}  // namespace

JobKind kind_of(const QueuedJob& job) {
  return {.user = job.user,
          .account = job.account,
          .partition = job.partitions.empty() ? std::string_view() : job.partitions.front(),
          .name_key = job.name_key,
          .limit = job.time_limit.value_or(std::chrono::seconds(0)),
          .nodes = std::max(job.nodes, 1),
          .gpus = static_cast<int>(gpu_count(job.requested))};
}

struct RunTimes::Known {
  Keys keys;
  float ratio;
  bool running;
};

/// `known` by ratio. `wider_means`: of each job, the mean ratio of the next wider grouping's group; this grouping's
/// then.
RunTimes::Groups RunTimes::grouped(const std::vector<Known>& known, std::size_t grouping,
                                   std::vector<double>& wider_means) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  order.reserve(known.size());
  for (std::uint32_t i = 0; i < known.size(); ++i) order.emplace_back(known[i].keys[grouping], i);
  std::sort(order.begin(), order.end());
  Groups groups;
  groups.likely.reserve(known.size());  // the groups point into it: it must not move
  Variances variances;
  for (std::size_t first = 0, next = 0; first < order.size(); first = next) {
    while (next < order.size() && order[next].first == order[first].first) ++next;
    Ratios ratios;
    ratios.jobs = static_cast<double>(next - first);
    const std::size_t begin = groups.likely.size();
    double ended = 0;
    double sum = 0;
    double squares = 0;
    double wider = 0;
    double reached = 0;
    for (std::size_t i = first; i < next; ++i) {
      const Known& job = known[order[i].second];
      if (job.running) {
        ratios.longest_running = job.ratio;
        continue;
      }
      // As many as have the middle of their share of the chance up to here.
      reached += (1 - reached) / static_cast<double>(next - i);
      const auto due = begin + static_cast<std::size_t>(std::lround(reached * ratios.jobs));
      if (due > groups.likely.size()) groups.likely.resize(due, job.ratio);
      ++ended;
      sum += job.ratio;
      squares += static_cast<double>(job.ratio) * job.ratio;
      wider += wider_means[order[i].second];
    }
    ratios.likely = {groups.likely.data() + begin, groups.likely.size() - begin};
    groups.keys.push_back(order[first].first);
    groups.ratios.push_back(ratios);
    if (ended == 0) continue;
    variances.add(ended, sum / ended, squares, wider / ended);
    for (std::size_t i = first; i < next; ++i) wider_means[order[i].second] = sum / ended;
  }
  groups.k = variances.k();
  return groups;
}

RunTimes::RunTimes(const std::vector<FinishedJob>& finished, const Cluster* cluster) {
  std::vector<Known> known;
  known.reserve(finished.size());
  for (const FinishedJob& job : finished) {
    if (job.limit <= std::chrono::seconds(0) || job.end <= job.start || job.start < job.submitted) continue;
    known.push_back({keys_of(kind_of(job)), ratio_of(job.end - job.start, job.limit), false});
  }
  size_ = known.size();
  if (size_ == 0) return;
  if (cluster != nullptr) {
    for (const QueuedJob& job : cluster->jobs) {
      if (job.state != "RUNNING" || !job.start || !job.time_limit || job.time_limit->count() <= 0) continue;
      const auto ran = std::max(std::chrono::seconds(0), cluster->taken_at - *job.start);
      known.push_back({keys_of(kind_of(job)), ratio_of(ran, *job.time_limit), true});
    }
  }
  // By ratio, what ended before what runs on. So the order of the records does not matter, down to the rounding of
  // sums.
  std::sort(known.begin(), known.end(), [](const Known& a, const Known& b) {
    return std::tie(a.ratio, a.running, a.keys) < std::tie(b.ratio, b.running, b.keys);
  });
  std::vector<double> wider_means(known.size(), 0);
  for (std::size_t grouping = grouping_count; grouping-- > 0;) {
    groups_[grouping] = grouped(known, grouping, wider_means);
  }
}

RunTimes::Group RunTimes::group(const JobKind& kind) const {
  Group group;
  if (size_ == 0) return group;
  const Keys keys = keys_of(kind);
  double left = 1;
  double credibility = 0;
  for (std::size_t grouping = 0; grouping < grouping_count; ++grouping) {
    const Groups& groups = groups_[grouping];
    const auto found = std::lower_bound(groups.keys.begin(), groups.keys.end(), keys[grouping]);
    if (found == groups.keys.end() || *found != keys[grouping]) continue;
    const Ratios& ratios = groups.ratios[static_cast<std::size_t>(found - groups.keys.begin())];
    // Where the wider group holds no other jobs, it is not a second witness: the more credible one counts.
    if (group.count > 0 && group.levels[group.count - 1].ratios->jobs == ratios.jobs) {
      left += group.levels[--group.count].weight;
    } else {
      credibility = 0;
    }
    credibility = grouping == everybody ? 1 : std::max(credibility, ratios.jobs / (ratios.jobs + groups.k));
    if (credibility < least_weight) continue;
    group.levels[group.count++] = {&ratios, left * credibility};
    left -= left * credibility;
  }
  return group;
}

RunTimes::Tail RunTimes::tail(const Group& group, double used) {
  Tail tail;
  tail.count = group.count;
  if (group.count > 0) tail.everybody = group.levels[group.count - 1].ratios->likely;
  for (int i = 0; i < group.count; ++i) {
    const Ratios& ratios = *group.levels[i].ratios;
    Tail::Level& level = tail.levels[i];
    level.own = ratios.likely.subspan(first_above(ratios.likely, used));
    level.farther = first_above(tail.everybody, std::max<double>(used, ratios.longest_running));
    const auto own = static_cast<double>(level.own.size());
    const double left = own + ratios.jobs - static_cast<double>(ratios.likely.size());
    level.own_share = left > 0 ? static_cast<float>(own / left) : 0;
    tail.masses[i] = static_cast<float>(group.levels[i].weight * left / ratios.jobs);
    tail.mass += tail.masses[i];
  }
  return tail;
}

double RunTimes::sample(const Tail& tail, double level_chance, double chance) {
  if (tail.mass <= 0) return 1;
  auto at = static_cast<float>(level_chance) * tail.mass;
  int chosen = 0;
  for (int i = 0; i < tail.count; ++i) {
    if (tail.masses[i] <= 0) continue;
    chosen = i;
    if (at < tail.masses[i]) break;
    at -= tail.masses[i];
  }
  const Tail::Level& level = tail.levels[chosen];
  const double share = level.own_share;
  if (chance < share) return pick(level.own, chance / share);
  if (level.farther >= tail.everybody.size()) return 1;
  return pick(tail.everybody.subspan(level.farther), (chance - share) / (1 - share));
}

}  // namespace rv::planner
