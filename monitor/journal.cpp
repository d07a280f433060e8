#include "monitor/journal.h"

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
