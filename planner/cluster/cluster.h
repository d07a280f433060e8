// The cluster as rv saw it at one moment. Pure values: every later stage can be replayed from a saved one. What a
// snapshot holds of a type, and under which name, its describe() says: once for writing and reading.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_size.h"
#include "planner/cluster/database_name.h"
#include "planner/cluster/tres.h"
#include "planner/slurm_words/node_state.h"

namespace rv::planner {

using TimePoint = std::chrono::sys_seconds;

/// GPUs of one gres type on one node.
struct GpuPool {
  std::string type;  // as the node's Gres names it ("a100", "1g.10gb"); empty for an untyped gres
  int total = 0;
  int used = 0;

  static void describe(auto& self, auto& field) {
    field("type", self.type);
    field("total", self.total);
    field("used", self.used);
  }
};

struct Node {
  std::string name;
  NodeState state;
  std::vector<GpuPool> gpus;
  int cpus = 0;  // schedulable
  int cpus_used = 0;
  Mebibytes memory;  // schedulable (RealMemory), not what the OS calls free
  Mebibytes memory_used;
  std::vector<std::string> features;        // active ones
  std::vector<std::string> other_features;  // that a reboot would give it
  std::vector<std::string> partitions;      // names
  DatabaseName owner;                       // the only user whose jobs start there (Exclusive=USER); empty: anybody's
  int sockets = 0;                          // 0: not stated
  std::int64_t weight = 1;                  // Weight: Slurm fills nodes of a low weight first
  std::string top_switch;                   // topology/tree: the highest switch above it; empty: none, or no tree
  std::string reason;                       // why it is drained or down; empty when it is not

  static void describe(auto& self, auto& field) {
    field("name", self.name);
    field("state", self.state);
    field("next_state", self.state.next);
    field("gpus", self.gpus);
    field("cpus", self.cpus);
    field("cpus_used", self.cpus_used);
    field("memory_mb", self.memory);
    field("memory_used_mb", self.memory_used);
    field("features", self.features);
    field("other_features", self.other_features);
    field("partitions", self.partitions);
    field("owner", self.owner);
    field("sockets", self.sockets);
    field("weight", self.weight);
    field("top_switch", self.top_switch);
    field("reason", self.reason);
  }
};

/// What a job in this partition may ask. An empty optional is "no limit stated".
struct Partition {
  std::string name;
  bool is_default = false;
  bool up = false;  // State=UP; a DOWN, DRAIN or INACTIVE partition starts nothing
  std::string state;
  std::optional<std::chrono::seconds> max_time;
  std::optional<std::chrono::seconds> default_time;
  std::optional<int> max_nodes;  // per job
  std::optional<int> min_nodes;
  int total_nodes = 0;                     // by its own word; more than those in Cluster::nodes where Slurm hides some
  std::optional<int> max_cpus_per_node;    // of its jobs on a node together
  std::optional<int> max_cpus_per_socket;  // of each job (23.02)
  std::optional<Mebibytes> max_memory_per_node;
  std::optional<Mebibytes> max_memory_per_cpu;
  std::optional<Mebibytes> default_memory_per_node;
  std::optional<Mebibytes> default_memory_per_cpu;
  std::optional<Mebibytes> default_memory_per_gpu;  // JobDefaults
  std::optional<int> default_cpus_per_gpu;
  std::vector<DatabaseName> allow_accounts;  // empty: all
  std::vector<DatabaseName> deny_accounts;
  std::vector<std::string> allow_groups;  // empty: all
  std::vector<DatabaseName> allow_qos;    // empty: all
  std::vector<DatabaseName> deny_qos;
  DatabaseName qos;                                // the partition's own QOS, empty when it has none
  std::map<DatabaseName, double> billing_weights;  // TRESBillingWeights by TRES name; memory per GiB
  int priority_tier = 1;
  int priority_job_factor = 1;
  std::string preempt_mode;
  std::chrono::seconds grace_time{0};  // that a job here is given to end in when it is preempted
  bool root_only = false;
  bool disable_root_jobs = false;
  bool hidden = false;
  bool exclusive = false;       // OverSubscribe=EXCLUSIVE, Exclusive=NODE or TOPO (26.05): whole nodes only
  bool exclusive_user = false;  // ExclusiveUser=YES, Exclusive=USER: its jobs share a node with the same user's only
  int jobs_per_cpu = 1;         // OverSubscribe=YES:N, FORCE:N
  bool forced_sharing = false;  // OverSubscribe=FORCE
  bool least_loaded = false;    // LLN: of the nodes that are free its jobs get the one with the most free CPUs
  bool requires_reservation = false;

  static void describe(auto& self, auto& field) {
    field("name", self.name);
    field("is_default", self.is_default);
    field("up", self.up);
    field("state", self.state);
    field("max_time_s", self.max_time);
    field("default_time_s", self.default_time);
    field("max_nodes", self.max_nodes);
    field("min_nodes", self.min_nodes);
    field("total_nodes", self.total_nodes);
    field("max_cpus_per_node", self.max_cpus_per_node);
    field("max_cpus_per_socket", self.max_cpus_per_socket);
    field("max_memory_per_node_mb", self.max_memory_per_node);
    field("max_memory_per_cpu_mb", self.max_memory_per_cpu);
    field("default_memory_per_node_mb", self.default_memory_per_node);
    field("default_memory_per_cpu_mb", self.default_memory_per_cpu);
    field("default_memory_per_gpu_mb", self.default_memory_per_gpu);
    field("default_cpus_per_gpu", self.default_cpus_per_gpu);
    field("allow_accounts", self.allow_accounts);
    field("deny_accounts", self.deny_accounts);
    field("allow_groups", self.allow_groups);
    field("allow_qos", self.allow_qos);
    field("deny_qos", self.deny_qos);
    field("qos", self.qos);
    field("billing_weights", self.billing_weights);
    field("priority_tier", self.priority_tier);
    field("priority_job_factor", self.priority_job_factor);
    field("preempt_mode", self.preempt_mode);
    field("grace_time_s", self.grace_time);
    field("root_only", self.root_only);
    field("disable_root_jobs", self.disable_root_jobs);
    field("hidden", self.hidden);
    field("exclusive", self.exclusive);
    field("exclusive_user", self.exclusive_user);
    field("jobs_per_cpu", self.jobs_per_cpu);
    field("forced_sharing", self.forced_sharing);
    field("least_loaded", self.least_loaded);
    field("requires_reservation", self.requires_reservation);
  }
};

/// Limits of a QOS. Which user or account they apply to is Slurm's business: MaxTRESPU is per user, Grp* per QOS.
struct Qos {
  DatabaseName name;
  std::int64_t priority = 0;
  std::vector<std::string> flags;  // DenyOnLimit, PartitionMaxNodes, …
  Tres max_tres_per_job;
  Tres max_tres_per_node;
  Tres max_tres_per_user;
  Tres max_tres_per_account;
  Tres group_tres;
  Tres min_tres_per_job;
  std::optional<std::chrono::seconds> max_wall;
  std::optional<int> group_jobs;
  std::optional<int> max_jobs_per_user;
  std::optional<int> max_jobs_per_account;
  std::optional<int> group_submit;
  std::optional<int> max_submit_per_user;
  std::optional<int> max_submit_per_account;
  std::vector<DatabaseName> preempts;  // QOS whose jobs make room for those of this one (PreemptType=preempt/qos)
  std::string preempt_mode;            // of its own jobs; empty, "cluster": the controller's
  std::chrono::seconds grace_time{0};
  std::optional<std::chrono::seconds> preempt_exempt_time;  // empty: the controller's

  static void describe(auto& self, auto& field) {
    field("name", self.name);
    field("priority", self.priority);
    field("flags", self.flags);
    field("max_tres_per_job", self.max_tres_per_job);
    field("max_tres_per_node", self.max_tres_per_node);
    field("max_tres_per_user", self.max_tres_per_user);
    field("max_tres_per_account", self.max_tres_per_account);
    field("group_tres", self.group_tres);
    field("min_tres_per_job", self.min_tres_per_job);
    field("max_wall_s", self.max_wall);
    field("group_jobs", self.group_jobs);
    field("max_jobs_per_user", self.max_jobs_per_user);
    field("max_jobs_per_account", self.max_jobs_per_account);
    field("group_submit", self.group_submit);
    field("max_submit_per_user", self.max_submit_per_user);
    field("max_submit_per_account", self.max_submit_per_account);
    field("preempts", self.preempts);
    field("preempt_mode", self.preempt_mode);
    field("grace_time_s", self.grace_time);
    field("preempt_exempt_time_s", self.preempt_exempt_time);
  }
};

/// One association of the asking user (account × optional partition).
struct Association {
  DatabaseName account;
  std::string partition;  // empty: any
  bool is_default_account = false;
  DatabaseName default_qos;
  std::vector<DatabaseName> qos;  // permitted ones; empty where accounting did not say
  Tres max_tres_per_job;
  Tres max_tres_per_node;
  Tres group_tres;
  std::optional<std::chrono::seconds> max_wall;
  std::optional<int> group_jobs;
  std::optional<int> max_jobs;
  std::optional<int> group_submit;
  std::optional<int> max_submit;

  static void describe(auto& self, auto& field) {
    field("account", self.account);
    field("partition", self.partition);
    field("is_default_account", self.is_default_account);
    field("default_qos", self.default_qos);
    field("qos", self.qos);
    field("max_tres_per_job", self.max_tres_per_job);
    field("max_tres_per_node", self.max_tres_per_node);
    field("group_tres", self.group_tres);
    field("max_wall_s", self.max_wall);
    field("group_jobs", self.group_jobs);
    field("max_jobs", self.max_jobs);
    field("group_submit", self.group_submit);
    field("max_submit", self.max_submit);
  }
};

/// An account, with the limits that the jobs of all its users and of the accounts below it share.
struct Account {
  DatabaseName name;
  DatabaseName parent;  // empty: the root has none
  Tres group_tres;
  std::optional<int> group_jobs;
  std::optional<int> group_submit;
  Tres used_tres;  // as the controller counts them: PrivateData may hide some of these jobs from the user
  int used_jobs = 0;
  int used_submit = 0;

  static void describe(auto& self, auto& field) {
    field("name", self.name);
    field("parent", self.parent);
    field("group_tres", self.group_tres);
    field("group_jobs", self.group_jobs);
    field("group_submit", self.group_submit);
    field("used_tres", self.used_tres);
    field("used_jobs", self.used_jobs);
    field("used_submit", self.used_submit);
  }
};

enum class BudgetKind { used, running, per_job };

/// A limit of resource × minutes, with what is used of it. Cluster::budgets holds those of the QOS and of the asking
/// user's associations and the accounts above them.
struct Budget {
  std::string limit;         // Slurm's name: "GrpTRESMins", "GrpWall", "MaxTRESMinsPerJob", "GrpTRESRunMins", …
  DatabaseName qos;          // that sets it; empty: an association does
  DatabaseName account;      // whose jobs it bounds, without a QOS
  DatabaseName owner;        // the account that has it: this one, or one above
  bool of_user = false;      // the user's own association has it
  std::string partition;     // of the association; empty: any
  DatabaseName tres;         // empty: walltime alone
  std::int64_t most = 0;     // minutes, "mem" in MiB minutes
  std::int64_t used = 0;     // so far; of a limit on running jobs: what they have left to run
  std::int64_t running = 0;  // of what counts as used later: what running jobs have left to run
  bool per_user = false;     // of the user's jobs in the QOS alone

  /// used: all that was used counts. running: what running jobs have left to run. per_job: one job.
  BudgetKind kind = BudgetKind::used;

  static void describe(auto& self, auto& field) {
    field("limit", self.limit);
    field("qos", self.qos);
    field("account", self.account);
    field("owner", self.owner);
    field("of_user", self.of_user);
    field("partition", self.partition);
    field("tres", self.tres);
    field("most_minutes", self.most);
    field("used_minutes", self.used);
    field("running_minutes", self.running);
    field("per_user", self.per_user);
    field("kind", self.kind);
  }
};

struct Reservation {
  std::string name;
  TimePoint start;
  TimePoint end;
  std::vector<std::string> nodes;  // host names, expanded
  std::vector<std::string> flags;  // MAINT, IGNORE_JOBS, …
  std::vector<DatabaseName> users;
  std::vector<DatabaseName> accounts;
  std::vector<DatabaseName> qos;        // AllowQOS (25.11); empty: all
  std::vector<std::string> partitions;  // AllowPartition (25.11); empty: all

  static void describe(auto& self, auto& field) {
    field("name", self.name);
    field("start", self.start);
    field("end", self.end);
    field("nodes", self.nodes);
    field("flags", self.flags);
    field("users", self.users);
    field("accounts", self.accounts);
    field("qos", self.qos);
    field("partitions", self.partitions);
  }
};

/// One job (an array element is a job of its own) that is pending, running, suspended or completing.
struct QueuedJob {
  std::string id;  // "123", "123_4"; "123_[5-9]" for unsplit array elements
  DatabaseName user;
  DatabaseName account;
  std::vector<std::string> partitions;
  DatabaseName qos;
  std::string state;   // PENDING, RUNNING, …: Slurm's word
  std::string reason;  // pending reason, "None" when there is none
  std::int64_t priority = 0;
  Tres requested;             // totals of the whole job (tres-alloc)
  std::string gres_per_node;  // as asked: "gres:gpu:a100:2"; empty when GPUs were asked another way or not at all
  int nodes = 1;              // NumNodes
  int cpus = 0;
  std::optional<Mebibytes> min_memory;  // per node or per CPU as Slurm reports it, 0 = unspecified
  bool min_memory_is_per_cpu = false;
  std::optional<std::chrono::seconds> time_limit;  // empty: UNLIMITED or not set
  std::optional<TimePoint> submitted;
  std::optional<TimePoint> eligible;
  std::optional<TimePoint> start;       // real start, or the scheduler's plan for a pending job
  std::vector<std::string> node_names;  // where it runs
  std::vector<std::string> scheduled_nodes;
  std::vector<std::string> required_nodes;
  std::vector<std::string> excluded_nodes;
  std::string features;
  std::string dependency;
  std::string reservation;
  bool exclusive = false;
  bool exclusive_user = false;  // --exclusive=user
  bool oversubscribe = false;   // --oversubscribe
  bool part_of_het_job = false;
  int array_tasks = 1;         // how many elements an unsplit record stands for
  std::uint32_t name_key = 0;  // planner/cluster/job_name.h; 0: not known

  static void describe(auto& self, auto& field) {
    field("id", self.id);
    field("user", self.user);
    field("account", self.account);
    field("partitions", self.partitions);
    field("qos", self.qos);
    field("state", self.state);
    field("reason", self.reason);
    field("priority", self.priority);
    field("requested", self.requested);
    field("gres_per_node", self.gres_per_node);
    field("nodes", self.nodes);
    field("cpus", self.cpus);
    field("min_memory_mb", self.min_memory);
    field("min_memory_is_per_cpu", self.min_memory_is_per_cpu);
    field("time_limit_s", self.time_limit);
    field("submitted", self.submitted);
    field("eligible", self.eligible);
    field("start", self.start);
    field("node_names", self.node_names);
    field("scheduled_nodes", self.scheduled_nodes);
    field("required_nodes", self.required_nodes);
    field("excluded_nodes", self.excluded_nodes);
    field("features", self.features);
    field("dependency", self.dependency);
    field("reservation", self.reservation);
    field("exclusive", self.exclusive);
    field("exclusive_user", self.exclusive_user);
    field("oversubscribe", self.oversubscribe);
    field("part_of_het_job", self.part_of_het_job);
    field("array_tasks", self.array_tasks);
    field("name_key", self.name_key);
  }
};

/// Controller settings that change what rv asks for or believes.
struct ControllerSettings {
  std::string version;  // "22.05.8"
  DatabaseName cluster_name;
  std::string federation;                                   // that the cluster is active in; empty: none
  std::map<std::string, std::string> scheduler_parameters;  // bf_window → "1440"; flags map to ""
  std::string scheduler_type;
  std::string priority_type;
  std::vector<std::string> priority_flags;  // PriorityFlags: MAX_TRES, …
  std::string preempt_type;                 // "preempt/partition_prio"; empty: not said
  std::string preempt_mode;
  std::chrono::seconds preempt_exempt_time{0};  // that a job may run before it is preempted
  std::string select_type_parameters;
  bool requeue_by_default = true;                   // JobRequeue
  bool accounting = false;                          // AccountingStorageType is slurmdbd
  std::vector<std::string> enforced;                // AccountingStorageEnforce
  std::string enforce_partition_limits;             // EnforcePartLimits: NO, ANY, ALL
  std::chrono::seconds min_job_age{300};            // how long a finished job stays visible
  std::chrono::seconds kill_wait{30};               // TERM to KILL
  std::chrono::seconds credential_life{120};        // AuthInfo cred_expire: also the delay of a requeue
  std::chrono::seconds resume_timeout{60};          // the longest that a node which is powered up takes
  std::vector<std::string> private_data;            // PrivateData: what users see of their own alone
  std::optional<Mebibytes> max_memory_per_cpu;      // cluster-wide MaxMemPerCPU
  std::optional<Mebibytes> max_memory_per_node;     // cluster-wide MaxMemPerNode
  std::optional<Mebibytes> default_memory_per_gpu;  // JobDefaults
  std::optional<int> default_cpus_per_gpu;
  std::string topology_plugin;  // "topology/tree"
  std::optional<int> max_array_size;
  std::map<std::string, std::int64_t> priority_weights;         // "QOS" → 1000, …
  std::optional<std::map<std::string, std::int64_t>> licenses;  // of this cluster: "solver" → 2; empty: not said

  static void describe(auto& self, auto& field) {
    field("version", self.version);
    field("cluster_name", self.cluster_name);
    field("federation", self.federation);
    field("scheduler_parameters", self.scheduler_parameters);
    field("scheduler_type", self.scheduler_type);
    field("priority_type", self.priority_type);
    field("priority_flags", self.priority_flags);
    field("preempt_type", self.preempt_type);
    field("preempt_mode", self.preempt_mode);
    field("preempt_exempt_time_s", self.preempt_exempt_time);
    field("select_type_parameters", self.select_type_parameters);
    field("requeue_by_default", self.requeue_by_default);
    field("accounting", self.accounting);
    field("enforced", self.enforced);
    field("enforce_partition_limits", self.enforce_partition_limits);
    field("min_job_age_s", self.min_job_age);
    field("kill_wait_s", self.kill_wait);
    field("credential_life_s", self.credential_life);
    field("resume_timeout_s", self.resume_timeout);
    field("private_data", self.private_data);
    field("max_memory_per_cpu_mb", self.max_memory_per_cpu);
    field("max_memory_per_node_mb", self.max_memory_per_node);
    field("default_memory_per_gpu_mb", self.default_memory_per_gpu);
    field("default_cpus_per_gpu", self.default_cpus_per_gpu);
    field("topology_plugin", self.topology_plugin);
    field("max_array_size", self.max_array_size);
    field("priority_weights", self.priority_weights);
    field("licenses", self.licenses);
  }
};

/// In Cluster::unanswered where a site shows its users no jobs but their own.
inline constexpr const char* jobs_of_others = "other users' jobs";

/// What the controller (and accounting) said, with what nobody said.
struct Cluster {
  TimePoint taken_at;
  DatabaseName user;                // who asked
  std::vector<std::string> groups;  // the user's, where a partition lets in some alone; empty: not asked
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

  /// True when `jobs` are everybody's.
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
