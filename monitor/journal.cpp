#include "monitor/journal.h"

#include <algorithm>

namespace rv::monitor {

std::vector<Event> parse_events(std::string_view lines) {
  std::vector<Event> events;
  while (!lines.empty()) {
    const auto end = lines.find('\n');
    const auto line = lines.substr(0, end);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    auto object = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!object.is_object() || !object.contains("event") || !object["event"].is_string()) continue;
    Event event;
    event.name = object["event"];
    if (object.contains("time") && object["time"].is_number()) {
      event.time = TimePoint(std::chrono::seconds(object["time"].get<std::int64_t>()));
    }
    if (object.contains("candidate") && object["candidate"].is_number_integer()) event.candidate = object["candidate"];
    if (object.contains("job_id") && object["job_id"].is_number_unsigned()) {
      event.job = JobId{object["job_id"].get<std::uint32_t>()};
    }
    for (const auto* key : {"event", "time", "candidate", "job_id"}) object.erase(key);
    event.more = std::move(object);
    events.push_back(std::move(event));
  }
  return events;
}

std::string to_line(const Event& event) {
  nlohmann::ordered_json line;
  line["time"] = event.time.time_since_epoch().count();
  line["event"] = event.name;
  if (event.candidate != 0) line["candidate"] = event.candidate;
  if (event.job) line["job_id"] = event.job->number;
  for (const auto& [key, value] : event.more.items()) line[key] = value;
  // Bytes that are no UTF-8 (in a job name, say) must not make the journal unwritable.
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::vector<Event> since_last_retry(std::vector<Event> events) {
  const auto retry =
      std::find_if(events.rbegin(), events.rend(), [](const Event& event) { return event.name == "retry"; });
  if (retry == events.rend()) return events;
  const auto position = events.rend() - retry - 1;
  const auto jobs = retry->more.value("jobs", std::vector<std::uint32_t>());
  std::vector<Event> kept;
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(events.size()); ++i) {
    auto& event = events[static_cast<std::size_t>(i)];
    const bool of_the_run = event.name == "created" || event.name == "retry" || event.name == "stop_requested";
    // Times are whole seconds: what a job wrote in the second of the retry can stand behind it.
    const bool of_old_job = event.job && std::find(jobs.begin(), jobs.end(), event.job->number) != jobs.end();
    if (of_the_run || (i > position && !of_old_job)) kept.push_back(std::move(event));
  }
  return kept;
}

std::vector<CandidateJournal> candidate_journals(const std::vector<Event>& events, int count) {
  std::vector<CandidateJournal> journals(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) journals[static_cast<std::size_t>(i)].number = i + 1;
  for (const auto& event : events) {
    if (event.candidate < 1 || event.candidate > count) continue;
    auto& journal = journals[static_cast<std::size_t>(event.candidate - 1)];
    if (event.name == "intent") {
      journal.intent = true;
      journal.intent_time = event.time;
    } else if (event.name == "submitted" || event.name == "found" || event.name == "claimed") {
      journal.intent = true;
      journal.job = event.job;
    } else if (event.name == "next" && event.more.contains("next_job_id") &&
               event.more["next_job_id"].is_number_unsigned()) {
      journal.job = JobId{event.more["next_job_id"].get<std::uint32_t>()};
    } else if (event.name == "refused") {
      journal.refusal = event.more.value("message", std::string("refused"));
    } else if (event.name == "yielded") {
      journal.yielded = true;
      journal.job = event.job;
    }
  }
  return journals;
}

}  // namespace rv::monitor
