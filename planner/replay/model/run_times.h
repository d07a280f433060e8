// How much of their time limit jobs really use, learned from finished ones and from what still runs.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/finished_job.h"

namespace rv::planner {

/// What is known of a job before it ends and says how long it may run.
struct JobKind {
  DatabaseName user;
  DatabaseName account;
  std::string_view partition;
  std::uint32_t name_key = 0;     // planner/cluster/job_name.h
  std::chrono::seconds limit{0};  // 0: none
  int nodes = 1;
  int gpus = 0;  // whole job
};

/// Of a job in several partitions the first one counts.
JobKind kind_of(const QueuedJob& job);

class RunTimes {
 public:
  /// The groups of finished jobs that one job belongs to, from the narrowest to that of all jobs.
  enum Grouping : std::size_t {
    same_again,  // user, name, limit, nodes and GPUs
    same_name,   // user and name
    own,         // user, account and partition
    user,        // user and partition
    same_limit,  // limit
    partition,
    everybody,
    grouping_count,
  };

  /// Run time ÷ limit of one group's jobs. A job that still runs counts as longer than it has run so far (Kaplan and
  /// Meier, "Nonparametric estimation from incomplete observations", 1958). If only finished jobs counted, a name whose
  /// first job failed early, while its others run, would look as if all its jobs were short.
  struct Ratios {
    std::span<const float> likely;  // ascending; each has the chance of one in `jobs`
    double jobs = 0;                // with those that run: more than `likely` has, if the longest of them still run
    float longest_running = 0;
  };

  /// The ratios that say something about one kind of job.
  struct Group {
    struct Level {
      const Ratios* ratios = nullptr;
      double weight = 0;
    };
    std::array<Level, grouping_count> levels;
    int count = 0;  // of levels; 0: nothing is known, jobs run to their limits
  };

  RunTimes() = default;
  RunTimes(const RunTimes&) = delete;
  RunTimes& operator=(const RunTimes&) = delete;

  /// Jobs without a limit, and jobs that never started, say nothing.
  explicit RunTimes(const std::vector<FinishedJob>& finished, const Cluster* running = nullptr);

  /// Finished jobs learned from.
  std::size_t size() const { return size_; }

  /// A level with n ratios gets n/(n+k) of the weight that the narrower ones left. With k jobs a group weighs as much
  /// as all wider ones together; k is learned for each grouping: the variance inside its groups over the variance
  /// between them (Bühlmann and Straub, "Glaubwürdigkeit für Schadensätze", 1970). It is large for a grouping that says
  /// little, whose groups then get almost no weight. Points into this object.
  Group group(const JobKind& kind) const;

  /// k of a grouping, for tests.
  double credibility(Grouping grouping) const { return groups_[grouping].k; }

  /// The ratios that a job of a group can still reach. It is compact, because the many draws of the trials are spread
  /// over many of these.
  struct Tail {
    struct Level {
      std::span<const float> own;
      std::uint32_t farther = 0;  // of all jobs: the first that ran longer than this group's longest running one
      float own_share = 0;        // of the level's mass; the rest is that of all jobs
    };
    std::array<float, grouping_count> masses{};
    float mass = 0;
    int count = 0;
    std::span<const float> everybody;
    std::array<Level, grouping_count> levels;
  };

  /// The ratios greater than `used`, the share of its limit that the job has used already.
  static Tail tail(const Group& group, double used);

  /// Run time ÷ limit of one such job; 0 ≤ chance < 1 picks one of a level's ratios, 0 ≤ level_chance < 1 the level.
  /// Whether a user's jobs run as long as the user's earlier ones or as those of all users is drawn once, not for each
  /// job: keep level_chance for the jobs of a group. Where no known job ran that long, 1: the limit.
  static double sample(const Tail& tail, double level_chance, double chance);
  static double sample(const Group& group, double used, double level_chance, double chance) {
    return sample(tail(group, used), level_chance, chance);
  }

 private:
  struct Groups {
    std::vector<std::uint64_t> keys;  // ascending
    std::vector<Ratios> ratios;       // of each
    std::vector<float> likely;        // what they point into
    double k = 0;
  };
  struct Known;
  static Groups grouped(const std::vector<Known>& known, std::size_t grouping, std::vector<double>& wider_means);

  std::array<Groups, grouping_count> groups_;
  std::size_t size_ = 0;
};

}  // namespace rv::planner
