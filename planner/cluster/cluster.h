// The state of a cluster at one moment (a snapshot). It has only values, so a plan can be repeated from a saved
// snapshot. The describe() of each record names its members for writing and reading.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/records/association.h"
#include "planner/cluster/records/budget_record.h"
#include "planner/cluster/records/controller_settings.h"
#include "planner/cluster/records/database_name.h"
#include "planner/cluster/records/node.h"
#include "planner/cluster/records/partition.h"
#include "planner/cluster/records/qos.h"
#include "planner/cluster/records/queued_job.h"
#include "planner/cluster/records/reservation.h"
#include "planner/cluster/records/time_point.h"

namespace rv::planner {

/// The key in Cluster::unanswered if the site shows users only their own jobs.
inline constexpr const char* jobs_of_others = "other users' jobs";

/// The answers of the controller and accounting, with a list of the queries that failed.
struct Cluster {
  TimePoint taken_at;
  DatabaseName user;                // the user who queried Slurm
  std::vector<std::string> groups;  // the user's, if a partition accepts only some groups; empty: not read
  ControllerSettings controller;
  std::vector<Node> nodes;
  std::vector<Partition> partitions;
  std::vector<Qos> qos;
  std::vector<Association> associations;
  /// The tree of accounts. Limits are known only for the user's accounts and the accounts above them. Without an answer
  /// from the database, it has only these accounts.
  std::vector<Account> accounts;
  std::vector<Budget> budgets;
  std::vector<Reservation> reservations;
  std::vector<QueuedJob> jobs;
  std::optional<std::map<std::string, std::int64_t>>
      free_licenses;  // by name; nothing: not reported, or the site has none
  /// Queries that failed ("qos", "associations", "reservations", "jobs"), with the reason. The members for these
  /// queries are unknown, not empty.
  std::map<std::string, std::string> unanswered;

  /// True if `jobs` has the jobs of all users.
  bool queue_known() const;

  /// For each partition, the number of its nodes that Slurm does not report. On most sites these are cloud nodes that
  /// are switched off.
  std::map<std::string, int> hidden_nodes() const;

  const Partition* find_partition(std::string_view name) const;
  const Qos* find_qos(const DatabaseName& name) const;
  const Node* find_node(std::string_view name) const;
  /// The user's association for an account in this partition; null if there is none. An association for just this
  /// partition takes precedence over one for any.
  const Association* find_association(const DatabaseName& account, std::string_view partition) const;
  /// The account and those above it up to the root, as far as they are known.
  std::vector<const Account*> accounts_from(const DatabaseName& account) const;

  static void describe(auto& self, auto& field) {
    field("taken_at", self.taken_at);
    field("user", self.user);
    field("groups", self.groups);
    field("controller", self.controller);
    field("nodes", self.nodes);
    field("partitions", self.partitions);
    field("qos", self.qos);
    field("associations", self.associations);
    field("accounts", self.accounts);
    field("budgets", self.budgets);
    field("reservations", self.reservations);
    field("jobs", self.jobs);
    field("free_licenses", self.free_licenses);
    field("unanswered", self.unanswered);
  }
};

}  // namespace rv::planner
