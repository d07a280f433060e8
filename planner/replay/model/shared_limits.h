// Limits that jobs share, by number: what of them a job uses, and what is left.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class SharedLimits {
 public:
  /// `types`: gres types by number; it may grow by types that only limits name.
  SharedLimits(const Cluster& cluster, std::vector<DatabaseName>& types);

  /// The limits that a job with this user, account, job QOS and partitions is under.
  std::vector<int> of(const DatabaseName& user, const DatabaseName& account, const DatabaseName& qos,
                      const std::vector<std::string>& partitions);

  /// A pending job that waits for a limit whose figure nobody told us: what runs under it now is taken to be the
  /// figure. To be called for every pending job before of().
  void infer_from(const QueuedJob& job);

  /// cpu, mem, node, gpu, gpu by type: of one task.
  std::vector<std::int64_t> amounts(const Tres& tres, int nodes, int cpus) const;

  /// With the inferred ones set to what the running jobs, added by then, use.
  std::vector<SharedLimit> take();
  SharedLimit& operator[](int number) { return limits_[number]; }

 private:
  int add(const std::string& key, const Tres& tres, std::optional<int> jobs);
  const Qos* find_qos(const DatabaseName& name) const;
  /// The QOS that all of these partitions have; null where they differ or have none.
  const Qos* qos_of_all(const std::vector<std::string>& partitions) const;
  void add_qos(std::vector<int>& into, const Qos& qos, const std::string& key, const DatabaseName& user,
               const DatabaseName& account);

  struct Inferred {
    int limit = 0;
    int resource = -1;  // place in SharedLimit::most; -1: the number of jobs
  };

  const Cluster& cluster_;
  std::vector<DatabaseName>& types_;
  bool enforced_ = true;
  std::unordered_map<DatabaseName, const Qos*> qos_;
  std::unordered_map<std::string, DatabaseName> qos_of_partition_;
  std::unordered_map<std::string, int> numbers_;
  std::vector<Inferred> inferred_;
  std::vector<SharedLimit> limits_;
};

}  // namespace rv::planner
