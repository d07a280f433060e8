#include "monitor/jobs/pending_reason.h"

#include <algorithm>
#include <array>

namespace rv::monitor {
namespace {

enum class Match { whole, prefix, part };

struct KnownReason {
  Match match;
  std::string_view reason;
  std::string_view words;
  std::string_view advice = {};
  bool blocked = false;
};

// The first entry that matches counts, so particular reasons stand before their families.
constexpr std::array entries = {
    KnownReason{Match::whole, "None", "just submitted, the scheduler has not looked yet"},
    KnownReason{Match::whole, "", "just submitted, the scheduler has not looked yet"},
    KnownReason{Match::whole, "Resources", "next in line, waiting for nodes to become free"},
    KnownReason{Match::whole, "Priority", "other jobs are ahead in the queue"},
    KnownReason{Match::whole, "BeginTime", "its begin time has not come (after a requeue: about two minutes)"},
    KnownReason{Match::whole, "Dependency", "waiting for another job to end"},
    KnownReason{Match::whole, "Cleaning", "the last run of this job is still being cleaned up"},
    KnownReason{Match::whole, "Prolog", "the node is being prepared"},
    KnownReason{Match::whole, "Reservation", "waiting for its reservation"},
    KnownReason{Match::whole, "Licenses", "waiting for a licence"},
    KnownReason{Match::whole, "JobArrayTaskLimit", "its array runs as many tasks at once as it may"},
    KnownReason{Match::whole,
                "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions",
                "nodes it needs are down, drained or kept for others"},
    // Behind a job of a higher tier it says the same as before a maintenance or at nodes that are out: no end of the
    // wait.
    KnownReason{Match::whole, "ReqNodeNotAvail, Reserved for maintenance",
                "nodes it needs are reserved for maintenance",
                "scontrol show reservation says until when; a shorter --time may fit before it"},
    KnownReason{Match::prefix, "ReqNodeNotAvail, UnavailableNodes",
                "nodes it needs are down, drained or kept for others",
                "sinfo -R says which nodes are out, and why; rv plan shows other strategies"},
    KnownReason{Match::prefix, "ReqNodeNotAvail", "nodes it needs are kept for other jobs or a reservation",
                "look for a maintenance window: scontrol show reservation; a shorter --time may fit before it"},
    KnownReason{Match::whole, "PartitionDown", "the partition is down", "ask the administrators when it comes back",
                true},
    KnownReason{Match::whole, "PartitionInactive", "the partition is inactive", "ask the administrators", true},
    KnownReason{Match::whole, "PartitionTimeLimit", "asks for more time than the partition allows",
                "ask for less --time", true},
    KnownReason{Match::whole, "PartitionNodeLimit", "asks for more nodes than the partition allows",
                "ask for fewer nodes (--single-node, --nodes)", true},
    KnownReason{Match::whole, "BadConstraints", "no node can ever fit what it asks",
                "loosen --constraint, --mem or --cpus", true},
    KnownReason{Match::whole, "JobHeldUser", "held by you", "scontrol release its job ID", true},
    KnownReason{Match::whole, "JobHeldAdmin", "held by an administrator", "ask them", true},
    KnownReason{Match::whole, "DependencyNeverSatisfied", "the job it waits for ended in the wrong way", "rv stop it",
                true},
    KnownReason{Match::whole, "InvalidAccount", "its account is not valid", "choose another with --account", true},
    KnownReason{Match::whole, "AccountNotAllowed", "its account may not use the partition",
                "choose another with --account", true},
    KnownReason{Match::whole, "InvalidQOS", "its QOS is not valid", "choose another with --qos", true},
    KnownReason{Match::part, "requeued in held state", "held after a requeue", "scontrol release its job ID", true},
    KnownReason{Match::part, "launch failed", "held because its start failed on the node",
                "rv show has the log; scontrol release its job ID tries again", true},
    KnownReason{Match::part, "MaxCpuPerJob", "asks for more CPUs than a job may have",
                "ask for fewer --cpus or less --mem", true},
    KnownReason{Match::part, "MaxGRESPerJob", "asks for more GPUs than a job may have", "ask for fewer GPUs", true},
    KnownReason{Match::part, "MaxMemoryPerJob", "asks for more memory than a job may have", "ask for less --mem", true},
    KnownReason{Match::part, "MaxNodePerJob", "asks for more nodes than a job may have", "use --single-node", true},
    KnownReason{Match::part, "MaxWallDurationPerJob", "asks for more time than its QOS or account allows",
                "ask for less --time", true},
    KnownReason{Match::part, "PerUser", "you have as much running as you may at once"},
    KnownReason{Match::part, "MaxJobs", "you have as many jobs running as you may at once"},
    KnownReason{Match::part, "MaxSubmit", "you have as many jobs queued as you may at once"},
    KnownReason{Match::prefix, "AssocGrp",
                "your account has as much running as it may at once, or its budget is used up",
                "try another --account"},
    KnownReason{Match::prefix, "QOSGrp", "its QOS has as much running as it may at once"},
    KnownReason{Match::prefix, "QOSMin", "asks for less than its QOS demands", "ask for more, or another --qos", true},
    KnownReason{Match::prefix, "QOS", "a limit of its QOS"},
    KnownReason{Match::prefix, "Assoc", "a limit of your account"},
};

bool matches(const KnownReason& entry, std::string_view reason) {
  switch (entry.match) {
    case Match::whole:
      return reason == entry.reason;
    case Match::prefix:
      return reason.starts_with(entry.reason);
    case Match::part:
      return reason.find(entry.reason) != std::string_view::npos;
  }
  return false;
}

}  // namespace

std::string with_blanks(std::string_view reason) {
  std::string text(reason);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

PendingReason explain_pending(std::string_view reason) {
  const auto text = with_blanks(reason);
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const KnownReason& entry) { return matches(entry, text); });
  if (found == entries.end()) return {std::string(reason), "", false};
  return {std::string(found->words), std::string(found->advice), found->blocked};
}

}  // namespace rv::monitor
