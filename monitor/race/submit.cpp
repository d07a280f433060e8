#include "monitor/race/submit.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <thread>

#include "base/text.h"
#include "monitor/jobs/lookup.h"
#include "monitor/race/submit_pause.h"
#include "monitor/race/timed_events.h"
#include "monitor/run/retry_record.h"
#include "monitor/run/run_facts.h"
#include "shared/documents/json_integer.h"
#include "shared/time_text.h"

namespace rv::monitor {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// An sbatch whose client was killed may still be on its way: its intent is left alone for so long.
constexpr auto sbatch_in_flight = 6s;
// The maximum number of sbatch calls for one candidate. The gate makes a doubled candidate harmless, not free.
constexpr int most_attempts = 4;

bool begins_later(const templates::JobSpec& job) {
  return std::any_of(job.sbatch.begin(), job.sbatch.end(),
                     [](const std::string& option) { return option.starts_with("begin="); });
}

class Submission {
 public:
  Submission(const RunFolder& folder, slurm::Gateway& gateway, std::chrono::seconds patience)
      : folder_(folder), gateway_(gateway), give_up_(Clock::now() + patience) {}

  void run() {
    bool first = true;
    const auto facts = read_facts(folder_, &known_);
    record_ = facts.record;
    note_attempt(facts);
    const auto journals = candidate_journals(facts.events, static_cast<int>(record_.candidates.size()));
    for (const auto& candidate : record_.candidates) {
      const auto& journal = journals[static_cast<std::size_t>(candidate.number - 1)];
      if (journal.job || !journal.refusal.empty()) {
        first = false;
        continue;
      }
      if (is_decided() || Clock::now() > give_up_) return;
      std::optional<JobId> job;
      if (journal.intent) {
        wait_for_sbatch_in_flight(journal.intent_time);
        job = settle(candidate, /*submit_if_absent=*/true);
      } else {
        job = submit(candidate);
      }
      if (job && claimed_by_other(*job)) {
        cancel_late(candidate, *job);
        return;
      }
      if (job && first && candidate.free_now && claimed_within_head_start()) return;
      first = false;
    }
  }

 private:
  // Reads the retry that began this attempt: which jobs belong to earlier attempts, and which nodes to exclude.
  void note_attempt(const RunFacts& facts) {
    attempt_ = facts.standing.attempt;
    if (!facts.standing.retry || !facts.standing.retry->more.is_object()) return;
    const auto& more = facts.standing.retry->more;
    retry_ = retry_record(facts.standing);
    exclude_ = more.value("exclude", std::vector<std::string>());
    elements_ = integers_or_none<int>(more, "elements");
    for (const auto job : integers_or_none<std::uint32_t>(more, "jobs")) old_jobs_.insert(JobId{job});
  }

  Event event(EventKind kind, const Candidate& candidate, std::optional<JobId> job = std::nullopt) const {
    return {.time = {},
            .name = kind,
            .candidate = candidate.number,
            .job = job,
            .attempt = attempt_,
            .more = nlohmann::json::object()};
  }

  // Of this attempt: somebody has the claim, rv stop was here, it is over, or another attempt has begun.
  Standing standing() {
    read_ledger(folder_.ledger(), known_.ledger);
    return standing_of(known_.ledger, rules_of(record_));
  }
  bool is_decided() {
    const auto now = standing();
    return now.claim || now.stop || now.outcome || now.attempt != attempt_;
  }

  // Of the retry that began this attempt. The clock of the machine that wrote it may differ from this one's.
  std::chrono::seconds rest_of_pause() const {
    if (!retry_) return 0s;
    return std::clamp(std::chrono::seconds(retry_->begins - current_time()), 0s, retry_->pause);
  }

  std::vector<std::string> options_for(const Candidate& candidate) const {
    std::vector<std::string> options;
    if (attempt_ > 1) options.push_back("--job-name=" + job_name_of(candidate, attempt_));
    // Slurm refuses to wait for jobs that it has forgotten meanwhile; the job looks at its predecessor itself.
    if (attempt_ > 1 && record_.job.after) options.push_back("--dependency=");
    // "now+1hour" and "16:00" count from the submission, and the first job has waited for them.
    // The pause before a retry is the job's: no client has to wait for its end.
    const auto pause = rest_of_pause();
    if (pause > 0s) {
      options.push_back("--begin=now+" + std::to_string(pause.count()));
    } else if (attempt_ > 1 && begins_later(record_.job)) {
      options.push_back("--begin=now");
    }
    if (!exclude_.empty()) {
      std::vector<std::string> nodes = candidate.exclude;
      nodes.insert(nodes.end(), exclude_.begin(), exclude_.end());
      options.push_back("--exclude=" + joined(nodes));
    }
    std::string elements;
    for (const int index : elements_) elements += (elements.empty() ? "" : ",") + std::to_string(index);
    const int at_once = record_.job.array ? record_.job.array->at_once : 0;
    if (!elements.empty())
      options.push_back("--array=" + elements + (at_once > 0 ? "%" + std::to_string(at_once) : ""));
    return options;
  }

  // The script's arguments name its attempt: Slurm keeps them when it requeues the job.
  std::vector<std::string> script_arguments() const {
    if (attempt_ == 1) return {};
    return {"attempt", std::to_string(attempt_)};
  }

  // A controller that does not answer is not asked again at once. False: nothing is to be submitted any more.
  bool wait_for_turn() {
    while (true) {
      const auto now = current_time();
      const auto turn = next_submission(read_facts(folder_, &known_).events, now);
      if (turn <= now) return true;
      if (is_decided() || Clock::now() > give_up_) return false;
      std::this_thread::sleep_for(std::min<std::chrono::milliseconds>(turn - now, 1s));
    }
  }

  std::optional<JobId> submit(const Candidate& candidate) {
    if (++attempts_[candidate.number] > most_attempts || !wait_for_turn()) return std::nullopt;
    folder_.append(event(EventKind::intent, candidate));
    const auto answer = gateway_.submit(folder_.file("candidates/" + std::to_string(candidate.number) + "/script.sh"),
                                        record_.work_folder, options_for(candidate), script_arguments());
    switch (answer.outcome) {
      case slurm::Submission::Outcome::accepted:
        note_submitted(candidate, answer.id);
        return answer.id;
      case slurm::Submission::Outcome::refused:
        note(EventKind::refused, candidate, answer);
        return std::nullopt;
      case slurm::Submission::Outcome::unknown:
        note(EventKind::no_answer, candidate, answer);
        return settle(candidate, /*submit_if_absent=*/true);
    }
    return std::nullopt;
  }

  // Finds out whether an sbatch without an answer was accepted. Absence counts only when the controller answers, and
  // answers twice: the first poll may come before the job is in the queue.
  std::optional<JobId> settle(const Candidate& candidate, bool submit_if_absent) {
    auto pause = 500ms;
    for (int absent = 0; absent < 2; std::this_thread::sleep_for(pause), pause = std::min(pause * 2, 15'000ms)) {
      if (Clock::now() > give_up_) return std::nullopt;
      if (is_decided()) {
        const auto claim = standing().claim;
        if (!claim || claim->candidate != candidate.number) return std::nullopt;
        folder_.append(event(EventKind::found, candidate, claim->job));  // it has even started
        return claim->job;
      }
      const auto view = Lookup(gateway_).query();
      if (!view.answered) continue;
      const auto row = std::find_if(view.rows.begin(), view.rows.end(), [&](const slurm::QueueRow& one) {
        return one.name == job_name_of(candidate, attempt_) && !old_jobs_.contains(one.id);
      });
      if (row != view.rows.end()) {
        folder_.append(event(EventKind::found, candidate, row->id));
        return row->id;
      }
      ++absent;
    }
    return submit_if_absent ? submit(candidate) : std::nullopt;
  }

  void wait_for_sbatch_in_flight(TimePoint intent) const {
    const auto age = std::chrono::system_clock::now() - intent;
    if (age >= 0s && age < sbatch_in_flight) std::this_thread::sleep_for(sbatch_in_flight - age);
  }

  bool claimed_by_other(JobId job) {
    const auto now = standing();
    return now.stop || now.outcome || now.attempt != attempt_ || (now.claim && now.claim->job != job);
  }

  void cancel_late(const Candidate& candidate, JobId job) {
    // Minutes may have passed since sbatch's answer (a stopped process), and the ID may be another job's by now.
    const std::vector<JobKey> jobs{{job, job_name_of(candidate, attempt_)}};
    if (gateway_.cancel(jobs)) folder_.append(event(EventKind::cancelled, candidate, job));
  }

  bool claimed_within_head_start() {
    const auto until = Clock::now() + std::chrono::duration<double>(record_.head_start_s);
    while (Clock::now() < until) {
      if (is_decided()) return true;
      std::this_thread::sleep_for(20ms);
    }
    return is_decided();
  }

  // Records the boot clock too, so that this machine can later prove that the controller had the job at this moment.
  void note_submitted(const Candidate& candidate, JobId job) {
    Event entry = event(EventKind::submitted, candidate, job);
    put_moment(entry.more, boot_moment());
    folder_.append(std::move(entry));
  }
  void note(EventKind kind, const Candidate& candidate, const slurm::Submission& answer) {
    Event entry = event(kind, candidate);
    entry.more["message"] = answer.message;
    if (kind == EventKind::refused && answer.lines.size() > 1) entry.more["lines"] = answer.lines;
    folder_.append(std::move(entry));
  }

  const RunFolder& folder_;
  slurm::Gateway& gateway_;
  KnownFacts known_;
  RunRecord record_;
  int attempt_ = 1;
  Clock::time_point give_up_;
  std::map<int, int> attempts_;
  std::set<JobId> old_jobs_;
  std::vector<std::string> exclude_;
  std::optional<RetryRecord> retry_;
  std::vector<int> elements_;  // of an array, those to be started again
};

}  // namespace

void submit_candidates(const RunFolder& folder, slurm::Gateway& gateway, const SubmitLock& /*held*/,
                       std::chrono::seconds patience) {
  Submission(folder, gateway, patience).run();
}

}  // namespace rv::monitor
