#include "monitor/jobs/observed_wait.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/documents/json_members.h"
#include "base/documents/parse_document.h"
#include "base/error.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "shared/system/descriptor.h"

namespace rv::monitor {
namespace {

using std::chrono::seconds;

constexpr std::size_t most_lines = 10'000;

nlohmann::ordered_json figure(const std::optional<seconds>& span) {
  return span ? nlohmann::ordered_json(span->count()) : nlohmann::ordered_json();
}

std::optional<seconds> span_in(const nlohmann::json& object, const char* key) {
  const auto count = member_integer<std::int64_t>(object, key);
  return count ? std::optional(seconds(*count)) : std::nullopt;
}

// The last `count` lines.
std::string_view newest(std::string_view lines, std::size_t count) {
  std::size_t begin = lines.size();
  for (std::size_t seen = 0; begin > 0; --begin) {
    if (lines[begin - 1] == '\n' && begin != lines.size() && ++seen == count) break;
  }
  return lines.substr(begin);
}

}  // namespace

std::optional<ObservedWait> observed_wait(const RunFacts& facts) {
  if (!facts.claim || facts.claim->by_stop) return std::nullopt;
  const int number = facts.claim->candidate;
  const auto count = static_cast<int>(facts.record.candidates.size());
  if (number < 1 || number > count) return std::nullopt;
  const auto& candidate = facts.record.candidates[static_cast<std::size_t>(number - 1)];
  const auto journal = candidate_journals(facts.events, count)[static_cast<std::size_t>(number - 1)];
  const auto submitted = journal.intent_time == TimePoint{} ? facts.record.created : journal.intent_time;
  return ObservedWait{.run = facts.record.id,
                      .submitted = submitted,
                      // Two machines' clocks may differ by a moment.
                      .real = std::max(seconds(0), facts.claim->time - submitted),
                      .predicted = {.p10 = candidate.wait.p10, .p50 = candidate.wait.p50, .p90 = candidate.wait.p90},
                      .basis = candidate.wait.basis,
                      .gpu_type = candidate.gpu_type,
                      .gpus = candidate.gpus,
                      .partition = candidate.partition};
}

std::string waits_file(const std::string& home) {
  return home + "/waits.jsonl";
}

std::string waits_file(const RunFolder& folder) {
  return waits_file(folder.home());
}

bool is_start_noted(const RunFacts& facts) {
  return std::any_of(facts.events.begin(), facts.events.end(),
                     [](const Event& event) { return event.name == EventKind::wait_noted; });
}

void note_start(const RunFolder& folder, const RunFacts& facts) {
  if (is_start_noted(facts)) return;
  const auto observed = observed_wait(facts);
  if (!observed) return;
  const auto line = to_line(*observed);
  os::Descriptor waits(::open(waits_file(folder).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (waits.number() < 0) return;
  // One write of one line: lines of several rv do not mix.
  const bool whole = ::write(waits.number(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
  waits.close();
  if (!whole) return;
  try {
    folder.append({.time = {},
                   .name = EventKind::wait_noted,
                   .candidate = facts.claim->candidate,
                   .job = {},
                   .attempt = facts.standing.attempt,
                   .more = {}});
  } catch (const Error&) {
    return;  // noted again by the next rv, and counted once
  }
}

std::vector<ObservedWait> parse_observed_waits(std::string_view lines) {
  std::vector<ObservedWait> list;
  std::set<std::string> seen;
  lines = newest(lines, most_lines);
  while (!lines.empty()) {
    const auto end = lines.find('\n');
    const auto object = parse_json_or_discard<nlohmann::json>(lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    if (!object.is_object()) continue;
    const auto real = span_in(object, "wait_s");
    const auto submitted = span_in(object, "submitted");
    auto run = member_text(object, "run");
    if (!real || !submitted || run.empty() || !seen.insert(run).second) continue;
    list.push_back({.run = std::move(run),
                    .submitted = TimePoint(*submitted),
                    .real = *real,
                    .predicted = {.p10 = span_in(object, "p10_s"),
                                  .p50 = span_in(object, "p50_s"),
                                  .p90 = span_in(object, "p90_s")},
                    .basis = member_text(object, "basis"),
                    .gpu_type = member_text(object, "gpu_type"),
                    .gpus = static_cast<int>(span_in(object, "gpus").value_or(seconds(0)).count()),
                    .partition = member_text(object, "partition")});
  }
  return list;
}

std::string to_line(const ObservedWait& observed) {
  nlohmann::ordered_json line;
  line["run"] = observed.run;
  line["submitted"] = observed.submitted.time_since_epoch().count();
  line["wait_s"] = observed.real.count();
  line["p10_s"] = figure(observed.predicted.p10);
  line["p50_s"] = figure(observed.predicted.p50);
  line["p90_s"] = figure(observed.predicted.p90);
  line["basis"] = observed.basis;
  line["gpu_type"] = observed.gpu_type;
  line["gpus"] = observed.gpus;
  line["partition"] = observed.partition;
  return json_dump(line) + "\n";
}

Accuracy accuracy(const std::vector<ObservedWait>& observed) {
  std::vector<seconds> real;
  std::vector<Prediction> predicted;
  for (const auto& one : observed) {
    real.push_back(one.real);
    predicted.push_back(one.predicted);
  }
  return accuracy(real, predicted);
}

}  // namespace rv::monitor
