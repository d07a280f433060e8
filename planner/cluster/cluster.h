// The cluster as rv saw it at one moment. Pure values: every later stage can be replayed from a saved one. The
// describe() of each record names its members for writing and for reading.
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

/// In Cluster::unanswered where a site shows its users no jobs but their own.
inline constexpr const char* jobs_of_others = "other users' jobs";

/// What the controller and accounting answered, with a list of what they did not answer.
struct Cluster {
  TimePoint taken_at;
  DatabaseName user;                // who asked
  std::vector<std::string> groups;  // the user's, if a partition accepts only some groups; empty: not read
  ControllerSettings controller;
  std::vector<Node> nodes;
  std::vector<Partition> partitions;
  std::vector<Qos> qos;
  std::vector<Association> associations;
  /// The tree. Limits are known only for the user's accounts and the accounts above them. Without an answer from the
  /// database, only these accounts are here.
  std::vector<Account> accounts;
  std::vector<Budget> budgets;
  std::vector<Reservation> reservations;
  std::vector<QueuedJob> jobs;
  std::optional<std::map<std::string, std::int64_t>> free_licenses;  // by name; empty: not said, or there are none
  /// Questions that got no answer ("qos", "associations", "reservations", "jobs"), with the reason.
  /// What is listed here is unknown, not empty.
  std::map<std::string, std::string> unanswered;

  /// True if `jobs` has the jobs of all users.
  bool queue_known() const;

  /// By partition: of how many of its nodes Slurm says nothing here. Those of a cloud that are switched off, on most
  /// sites.
  std::map<std::string, int> hidden_nodes() const;

  const Partition* find_partition(std::string_view name) const;
  const Qos* find_qos(const DatabaseName& name) const;
  const Node* find_node(std::string_view name) const;
  /// The user's association for an account in this partition, one for just this partition before one for any; null
  /// where there is none.
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
