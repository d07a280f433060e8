#include "monitor/run/journal.h"

#include <algorithm>

#include "base/documents/parse_document.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"

namespace rv::monitor {

std::vector<Event> parse_events(std::string_view lines) {
  std::vector<Event> events;
  while (!lines.empty()) {
    const auto end = lines.find('\n');
    const auto line = lines.substr(0, end);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    auto object = parse_json_or_discard<nlohmann::json>(line);
    if (!object.is_object() || !object.contains("event") || !object["event"].is_string()) continue;
    Event event;
    event.name = EventName::read(object["event"].get_ref<const std::string&>());
    if (const auto time = member_integer<std::int64_t>(object, "time")) {
      event.time = TimePoint(std::chrono::seconds(*time));
    }
    if (const auto candidate = member_integer<int>(object, "candidate")) event.candidate = *candidate;
    if (const auto job = member_integer<std::uint32_t>(object, "job_id")) event.job = JobId{*job};
    if (const auto attempt = member_integer<int>(object, "attempt")) event.attempt = *attempt;
    for (const auto* key : {"event", "time", "candidate", "job_id", "attempt"}) object.erase(key);
    event.more = std::move(object);
    events.push_back(std::move(event));
  }
  return events;
}

std::string to_line(const Event& event) {
  nlohmann::ordered_json line;
  line["time"] = event.time.time_since_epoch().count();
  line["event"] = event.name.text();
  if (event.candidate != 0) line["candidate"] = event.candidate;
  if (event.job) line["job_id"] = event.job->number;
  if (event.attempt > 1) line["attempt"] = event.attempt;
  for (const auto& [key, value] : event.more.items()) line[key] = value;
  // Bytes that are no UTF-8 (in a job name, say) must not make the journal unwritable.
  return json_dump(line) + "\n";
}

std::vector<Event> of_attempt(std::vector<Event> events, int attempt) {
  std::erase_if(events, [&](const Event& event) {
    const bool of_the_run =
        event.name == EventKind::created || event.name == EventKind::retry || event.name == EventKind::stop_requested;
    return !of_the_run && event.attempt != attempt;
  });
  return events;
}

namespace {

// A chain's jobs come one after the other. Which is the last says the segment they were submitted for, not the time of
// the event: two nodes' clocks may differ by minutes.
int segment_of(const Event& event) {
  return member_integer<int>(event.more, "segment").value_or(0);
}

std::optional<JobId> submitted_job(const Event& event) {
  if (event.name == EventKind::submitted || event.name == EventKind::found || event.name == EventKind::claimed)
    return event.job;
  if (event.name == EventKind::next) {
    if (const auto job = member_integer<std::uint32_t>(event.more, "next_job_id")) return JobId{*job};
  }
  return std::nullopt;
}

bool contains(const std::vector<JobId>& jobs, JobId job) {
  return std::find(jobs.begin(), jobs.end(), job) != jobs.end();
}

}  // namespace

std::vector<CandidateJournal> candidate_journals(const std::vector<Event>& events, int count) {
  std::vector<CandidateJournal> journals(static_cast<std::size_t>(count));
  std::vector<std::vector<JobId>> yielded(static_cast<std::size_t>(count));
  std::vector<int> segments(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) journals[static_cast<std::size_t>(i)].number = i + 1;
  for (const auto& event : events) {
    if (event.candidate < 1 || event.candidate > count) continue;
    const auto at = static_cast<std::size_t>(event.candidate - 1);
    auto& journal = journals[at];
    if (event.name == EventKind::intent) {
      journal.intent = true;
      journal.intent_time = event.time;
    } else if (event.name == EventKind::refused) {
      journal.refusal = event.more.value("message", std::string("refused"));
      journal.refusal_lines = event.more.value("lines", std::vector<std::string>());
    } else if (event.name == EventKind::no_answer) {
      ++journal.unanswered;
      journal.no_answer = event.more.value("message", std::string());
    } else if (event.name == EventKind::yielded && event.job) {
      yielded[at].push_back(*event.job);
      if (!contains(journal.jobs, *event.job)) journal.jobs.insert(journal.jobs.begin(), *event.job);
    }
    const auto job = submitted_job(event);
    if (!job) continue;
    journal.unanswered = 0;
    journal.intent = true;
    std::erase(journal.jobs, *job);
    if (segment_of(event) >= segments[at]) {
      segments[at] = segment_of(event);
      journal.jobs.push_back(*job);
    } else {
      journal.jobs.insert(journal.jobs.begin(), *job);
    }
  }
  for (std::size_t at = 0; at < journals.size(); ++at) {
    auto& journal = journals[at];
    for (const auto& job : journal.jobs) {
      const bool gave_way = contains(yielded[at], job);
      if (journal.job && gave_way && !journal.yielded) continue;
      journal.job = job;
      journal.yielded = gave_way;
    }
  }
  return journals;
}

}  // namespace rv::monitor
