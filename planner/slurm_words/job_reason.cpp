#include "planner/slurm_words/job_reason.h"

#include <algorithm>

namespace rv::planner {

namespace {

struct ReasonRow {
  std::string_view text;
  bool begins = false;  // the reason begins with the text, else it is the text
  ReasonClass kind = ReasonClass::unknown;
  ReasonResource resource = ReasonResource::none;
  LimitKind limit = LimitKind::none;
  LimitOwner owner = LimitOwner::none;
  std::string_view words;
  std::string_view advice;
};

constexpr ReasonRow rows[] = {
#define RV_REASON(text, what, of, words, advice) \
  {text, false, ReasonClass::what, ReasonResource::of, LimitKind::none, LimitOwner::none, words, advice},
#define RV_SENTENCE(begin, what, of, words, advice) \
  {begin, true, ReasonClass::what, ReasonResource::of, LimitKind::none, LimitOwner::none, words, advice},
#define RV_PARTITION_REASON(text, of, words, advice) \
  {text, true, ReasonClass::limit, ReasonResource::of, LimitKind::per_job, LimitOwner::partition, words, advice},
#define RV_LIMIT_REASON(text, of, how, whose) \
  {text, false, ReasonClass::limit, ReasonResource::of, LimitKind::how, LimitOwner::whose, "", ""},
#include "planner/slurm_words/job_reasons.inc"
#undef RV_REASON
#undef RV_SENTENCE
#undef RV_PARTITION_REASON
#undef RV_LIMIT_REASON
};

// What job_reason() compares: Slurm writes some reasons with blanks, some with underscores.
std::string with_blanks(std::string_view reason) {
  std::string text(reason == "(null)" ? "" : reason);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

struct ResourceNames {
  std::string_view plural;      // "more … than"
  std::string_view of_minutes;  // "GPU minutes"
  std::string_view advice;      // how a request gets smaller
};

ResourceNames names_of(ReasonResource resource) {
  switch (resource) {
    case ReasonResource::cpus:
      return {"CPUs", "CPU minutes", "ask for fewer --cpus or less --mem"};
    case ReasonResource::memory:
      return {"memory", "memory minutes", "ask for less --mem"};
    case ReasonResource::nodes:
      return {"nodes", "node minutes", "use --single-node, or fewer --nodes"};
    case ReasonResource::gpus:
      return {"GPUs", "GPU minutes", "ask for fewer GPUs"};
    case ReasonResource::billing:
      return {"billing units", "billing minutes (SU)", "ask for fewer GPUs, CPUs or less memory"};
    case ReasonResource::licences:
      return {"licences", "licence minutes", "ask for fewer --licenses"};
    case ReasonResource::burst_buffer:
      return {"burst buffer space", "burst buffer minutes", "ask for less burst buffer space"};
    case ReasonResource::energy:
      return {"energy", "energy minutes", "ask for less --time"};
    case ReasonResource::jobs:
      return {"running jobs", "job minutes", ""};
    case ReasonResource::submitted_jobs:
      return {"queued jobs", "job minutes", ""};
    case ReasonResource::walltime:
      return {"time", "minutes of walltime", "ask for less --time"};
    case ReasonResource::none:
    case ReasonResource::tres:
      break;
  }
  return {"resources", "resource minutes", "ask for less"};
}

std::string_view name_of(LimitOwner owner) {
  switch (owner) {
    case LimitOwner::user:
      return "you";
    case LimitOwner::account:
      return "your account";
    case LimitOwner::qos:
      return "its QOS";
    case LimitOwner::partition:
      return "the partition";
    case LimitOwner::none:
      break;
  }
  return "a limit";
}

bool is_counted(ReasonResource resource) {
  return resource != ReasonResource::memory && resource != ReasonResource::burst_buffer &&
         resource != ReasonResource::energy;
}

/// Words and advice of a limit of accounting.
void explain_limit(JobReason& reason) {
  const ResourceNames names = names_of(reason.resource);
  const std::string plural(names.plural);
  const std::string minutes(names.of_minutes);
  const std::string owner(name_of(reason.owner));
  switch (reason.limit) {
    case LimitKind::per_job:
      reason.words = "asks for more " + plural + " than " + owner + " allows per job";
      reason.advice = names.advice;
      return;
    case LimitKind::per_node:
      reason.words = "asks for more " + plural + " per node than " + owner + " allows";
      reason.advice = names.advice;
      return;
    case LimitKind::least:
      reason.words = "asks for less " + plural + " than " + owner + " requires";
      if (is_counted(reason.resource)) reason.words.replace(9, 4, "fewer");
      reason.advice = "ask for more, or use another --qos";
      return;
    case LimitKind::minutes_per_job:
      reason.words = "asks for more " + minutes + " (amount × time) than " + owner + " allows per job";
      reason.advice =
          "ask for less --time, or " + std::string(names.advice).substr(names.advice.starts_with("ask for ") ? 8 : 0);
      return;
    case LimitKind::shared: {
      const bool jobs = reason.resource == ReasonResource::jobs || reason.resource == ReasonResource::submitted_jobs;
      reason.words =
          owner + (reason.owner == LimitOwner::user ? " have reached your limit of " : " has reached its limit of ") +
          plural + (jobs ? "" : " in use");
      if (reason.owner == LimitOwner::account) reason.advice = "try another --account";
      return;
    }
    case LimitKind::run_minutes:
      reason.words = (reason.owner == LimitOwner::user ? "your running jobs" : "the running jobs of " + owner) +
                     " have reached the limit of remaining " + minutes;
      reason.advice = "ask for less --time";
      return;
    case LimitKind::budget:
      reason.words = "the budget of " + minutes + " of " + owner + " is used up, or too small for the request";
      reason.advice = reason.owner == LimitOwner::qos ? "try another --qos, or ask for a larger budget"
                                                      : "try another --account, or ask for a larger budget";
      return;
    case LimitKind::none:
      return;
  }
}

}  // namespace

bool JobReason::blocked() const {
  switch (kind) {
    case ReasonClass::waits:
    case ReasonClass::unknown:
      return false;
    case ReasonClass::held:
    case ReasonClass::broken:
      return true;
    case ReasonClass::limit:
      return limit != LimitKind::shared && limit != LimitKind::run_minutes;
  }
  return false;
}

JobReason job_reason(std::string_view reason) {
  const std::string text = with_blanks(reason);
  const auto row = std::find_if(std::begin(rows), std::end(rows), [&](const ReasonRow& one) {
    return one.begins ? text.starts_with(one.text) : text == one.text;
  });
  JobReason found;
  if (row == std::end(rows)) {
    found.words = "unknown reason: " + std::string(reason);
    return found;
  }
  found.kind = row->kind;
  found.resource = row->resource;
  found.owner = row->owner;
  found.limit = row->limit;
  found.of_association = row->text.starts_with("Assoc");
  found.words = row->words;
  found.advice = row->advice;
  if (found.words.empty()) explain_limit(found);
  return found;
}

}  // namespace rv::planner
