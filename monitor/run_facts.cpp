#include "monitor/run_facts.h"

#include <unistd.h>

#include <algorithm>

#include "monitor/atomic_file.h"
#include "monitor/run_environment.h"
#include "monitor/submit.h"

namespace rv::monitor {
namespace {

std::optional<Outcome> read_outcome(const RunFolder& folder) {
  const auto text = read_file(folder.file("outcome.json"));
  if (!text) return std::nullopt;
  const auto json = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  const auto state = run_state_from(json.value("state", std::string()));
  if (!state) return std::nullopt;  // a later rv's word: find out again
  Outcome outcome{.state = *state,
                  .exit_code = std::nullopt,
                  .detail = json.value("detail", std::string()),
                  .time = TimePoint(std::chrono::seconds(json.value("time", std::int64_t{0})))};
  if (json.contains("exit_code") && json["exit_code"].is_number_integer()) outcome.exit_code = json["exit_code"];
  return outcome;
}

}  // namespace

RunFacts read_facts(const RunFolder& folder, const RunRecord* known) {
  // The latest kind of record first: whoever sees one then also sees all that must have come before it.
  RunFacts facts;
  // A folder that is gone is an error, whatever was known of it.
  const bool there = known != nullptr && ::access(folder.file("run.json").c_str(), F_OK) == 0;
  facts.record = there ? *known : folder.record();
  facts.outcome = read_outcome(folder);
  facts.exit = folder.exit_record();
  facts.claim = folder.claim();
  if (facts.record.chain) facts.segments = read_segments(folder);
  if (facts.record.array && !facts.exit) {
    facts.elements = read_elements(folder);
    facts.exit = end_of_all(facts.elements, facts.record.array->elements);
  }
  facts.events = since_last_retry(folder.events());
  if (!facts.claim && !facts.outcome) {
    // A run this young has its submitter still starting up.
    const auto age = std::chrono::system_clock::now() - facts.record.created;
    facts.being_submitted = age < std::chrono::seconds(3) || SubmitLock::try_take(folder) == nullptr;
  }
  return facts;
}

bool has_event(const RunFacts& facts, std::string_view name) {
  return std::any_of(facts.events.begin(), facts.events.end(), [&](const auto& event) { return event.name == name; });
}

void write_outcome(const RunFolder& folder, const Outcome& outcome) {
  remove_environment(folder);  // first: who finds an outcome finds no values
  nlohmann::ordered_json json;
  json["state"] = to_string(outcome.state);
  json["exit_code"] = outcome.exit_code ? nlohmann::ordered_json(*outcome.exit_code) : nlohmann::ordered_json();
  json["detail"] = outcome.detail;
  json["time"] = outcome.time.time_since_epoch().count();
  write_file(folder.file("outcome.json"), json.dump() + "\n");
}

}  // namespace rv::monitor
