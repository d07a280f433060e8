// How much of their time limit jobs use, learned from finished and from running jobs.
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

/// The properties of a job that predict its run time and are known before it ends.
struct JobKind {
  DatabaseName user;
  DatabaseName account;
  std::string_view partition;
  std::uint32_t name_key = 0;     // planner/cluster/job_name.h
  std::chrono::seconds limit{0};  // 0: none
  int nodes = 1;
  int gpus = 0;  // whole job
};

/// Returns the properties of a job. Of several partitions the first one counts.
JobKind kind_of(const QueuedJob& job);

class RunTimes {
 public:
  /// The groups of finished jobs to which a job belongs, from the narrowest to that of all jobs.
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

  /// Run time ÷ limit of the jobs of one group. A running job counts as longer than it has run so far (Kaplan and
  /// Meier, "Nonparametric estimation from incomplete observations", 1958). If only finished jobs counted, all jobs of
  /// a name would seem short while only the first of them has ended, with an early failure.
  struct Ratios {
    std::span<const float> likely;  // ascending; each has the probability 1/`jobs`
    double jobs = 0;                // including running jobs: more than `likely` has, if the longest ones still run
    float longest_running = 0;
  };

  /// The ratios that apply to one kind of job.
  struct Group {
    struct Level {
      const Ratios* ratios = nullptr;
      double weight = 0;
    };
    std::array<Level, grouping_count> levels;
    int count = 0;  // number of levels; 0: nothing is known, and jobs run to their limits
  };

  RunTimes() = default;
  RunTimes(const RunTimes&) = delete;
  RunTimes& operator=(const RunTimes&) = delete;

  /// Jobs without a limit, and jobs that never started, are ignored.
  explicit RunTimes(const std::vector<FinishedJob>& finished, const Cluster* running = nullptr);

  /// Number of finished jobs.
  std::size_t size() const { return size_; }

  /// A level with n ratios gets n/(n+k) of the weight that the narrower ones left. With k jobs a group weighs as much
  /// as all wider ones together; k is learned for each grouping: the variance inside its groups over the variance
  /// between them (Bühlmann and Straub, "Glaubwürdigkeit für Schadensätze", 1970). It is large for a grouping that
  /// predicts little, whose groups then get almost no weight. The result points into this object.
  Group group(const JobKind& kind) const;

  /// k of a grouping, for tests.
  double credibility(Grouping grouping) const { return groups_[grouping].k; }

  /// The ratios that a job of a group can still reach. Compact for cache locality: the draws of the trials read many of
  /// these.
  struct Tail {
    struct Level {
      std::span<const float> own;
      std::uint32_t farther = 0;  // index in `everybody` of the first ratio above the group's longest running job
      float own_share = 0;        // share of the level's mass; the rest belongs to all jobs
    };
    std::array<float, grouping_count> masses{};
    float mass = 0;
    int count = 0;
    std::span<const float> everybody;
    std::array<Level, grouping_count> levels;
  };

  /// Returns the ratios greater than `used`, the share of its limit that the job has already used.
  static Tail tail(const Group& group, double used);

  /// Returns run time ÷ limit of one such job. `chance` in [0, 1) selects one of a level's ratios, `level_chance` in
  /// [0, 1) the level. Use one level_chance for all jobs of a group: whether a user's jobs run as long as the user's
  /// earlier jobs, or as those of all users, is drawn once. Returns 1, the limit, if no known job ran that long.
  static double sample(const Tail& tail, double level_chance, double chance);
  static double sample(const Group& group, double used, double level_chance, double chance) {
    return sample(tail(group, used), level_chance, chance);
  }

 private:
  struct Groups {
    std::vector<std::uint64_t> keys;  // ascending
    std::vector<Ratios> ratios;       // of each group
    std::vector<float> likely;        // the memory that they point into
    double k = 0;
  };
  struct Known;
  static Groups grouped(const std::vector<Known>& known, std::size_t grouping, std::vector<double>& wider_means);

  std::array<Groups, grouping_count> groups_;
  std::size_t size_ = 0;
};

}  // namespace rv::planner
