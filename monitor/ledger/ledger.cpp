#include "monitor/ledger/ledger.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/documents/parse_document.h"
#include "shared/documents/json_dump.h"
#include "shared/number.h"

namespace rv::monitor {
namespace {

constexpr std::array<std::pair<EntryKind, std::string_view>, 7> kinds{{{EntryKind::claim, "claim"},
                                                                       {EntryKind::postpone, "postpone"},
                                                                       {EntryKind::start, "start"},
                                                                       {EntryKind::exit, "exit"},
                                                                       {EntryKind::stop, "stop"},
                                                                       {EntryKind::retry, "retry"},
                                                                       {EntryKind::outcome, "outcome"}}};

// The next field of a line: up to a blank or the line's end.
std::string_view take_field(std::string_view& rest) {
  const auto end = rest.find_first_of(" \n");
  const auto field = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return field;
}

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  const auto value = number_in<Number>(text);
  if (value) number = *value;
  return value.has_value();
}

// A field never holds a blank, and is never empty.
std::string field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c == 0x7F; }, '_');
  return text.empty() ? "-" : text;
}

// Slurm may have started a job again while its first process lives on (a node that comes back, a controller with an
// older state): the end of that one says nothing of the start that counts. A chain's segments are distinguished by
// their own files.
bool of_start(const Entry& exit, const std::optional<Entry>& start, bool chain) {
  return !start || chain || exit.token == start->token;
}

bool of_candidate(const Entry& entry, const Entry& claim, const LedgerRules& rules) {
  return entry.candidate == claim.candidate && (rules.chain || entry.job == claim.job);
}

void add(Standing& all, const Entry& entry, const LedgerRules& rules) {
  const bool present = entry.attempt == all.attempt;
  const bool open = !all.stop && !all.outcome && !all.has_ended(rules);
  switch (entry.kind) {
    case EntryKind::claim:
      if (present && open && !all.claim && !all.postponed.contains(entry.job)) all.claim = entry;
      return;
    case EntryKind::postpone:
      if (present && open && !all.claim) all.postponed.insert(entry.job);
      return;
    case EntryKind::start:
      if (!present || !open || !all.claim || !of_candidate(entry, *all.claim, rules)) return;
      if (all.start && !rules.may_restart) return;
      all.start = entry;
      all.exit.reset();
      all.starts.push_back(entry);
      return;
    case EntryKind::exit:
      // Also after a stop, which it answers, and after an outcome, which was concluded without it.
      if (!present || !all.claim || !of_candidate(entry, *all.claim, rules) || all.has_ended(rules)) return;
      if ((all.stop || all.outcome) && !all.start) return;
      if (!of_start(entry, all.start, rules.chain)) return;
      all.exit = entry;
      return;
    case EntryKind::stop:
      if (!all.stop && !all.outcome && !all.has_ended(rules)) all.stop = entry;
      return;
    case EntryKind::retry:
      if (entry.attempt != all.attempt + 1 || all.stop || all.outcome) return;
      all.attempt = entry.attempt;
      all.retry = entry;
      if (all.exit) all.earlier_exit = all.exit;
      all.claim.reset();
      all.start.reset();
      all.exit.reset();
      all.postponed.clear();
      all.starts.clear();
      return;
    case EntryKind::outcome:
      if (!all.outcome) all.outcome = entry;
      return;
  }
}

}  // namespace

std::string to_line(const Entry& entry) {
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.first == entry.kind; });
  std::string line(kind->second);
  const auto put = [&](const std::string& text) { line += " " + text; };
  put(std::to_string(entry.attempt));
  put(std::to_string(entry.candidate));
  put(std::to_string(entry.job.number));
  put(std::to_string(entry.restart));
  put(field(entry.word));
  put(entry.code ? std::to_string(*entry.code) : "-");
  put(field(entry.node));
  put(std::to_string(entry.time.time_since_epoch().count()));
  put(field(entry.token));
  put(field(entry.nodes));
  if (!entry.more.is_null()) put(ascii_json_dump(entry.more));
  return line + "\n";
}

std::optional<Entry> parse_entry(std::string_view line) {
  // A line without its end was cut short.
  if (line.find('\n') == std::string_view::npos) return std::nullopt;
  Entry entry;
  const auto kind = take_field(line);
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.second == kind; });
  if (found == kinds.end()) return std::nullopt;
  entry.kind = found->first;
  std::int64_t epoch = 0;
  if (!parse_number(take_field(line), entry.attempt) || !parse_number(take_field(line), entry.candidate) ||
      !parse_number(take_field(line), entry.job.number) || !parse_number(take_field(line), entry.restart)) {
    return std::nullopt;
  }
  entry.word = take_field(line);
  const auto code = take_field(line);
  int number = 0;
  if (parse_number(code, number)) entry.code = number;
  entry.node = take_field(line);
  if (!parse_number(take_field(line), epoch)) return std::nullopt;
  entry.time = TimePoint(std::chrono::seconds(epoch));
  entry.token = take_field(line);
  if (entry.token.empty()) return std::nullopt;
  entry.nodes = take_field(line);
  if (const auto json = line.substr(0, line.find('\n')); json.find('{') != std::string_view::npos) {
    entry.more = parse_json_or_discard<nlohmann::json>(json);
    if (entry.more.is_discarded()) entry.more = nullptr;
  }
  return entry;
}

bool was_terminated(const Entry& exit) {
  return exit.word == "terminated" || exit.word == "preempted";
}

bool Standing::has_ended(const LedgerRules& rules) const {
  if (!exit) return false;
  return !was_terminated(*exit) || !rules.may_restart || stop.has_value();
}

Standing standing_of(std::span<const Entry> entries, const LedgerRules& rules) {
  Standing all;
  for (auto entry : entries) {
    entry.number = ++all.length;
    add(all, entry, rules);
  }
  return all;
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::claim:
      return "claim";
    case Verdict::pass:
      return "pass";
    case Verdict::start:
      return "start";
    case Verdict::behind:
      return "behind";
    case Verdict::yield:
      return "yield";
    case Verdict::stopped:
      return "stopped";
    case Verdict::over:
      return "over";
    case Verdict::refused:
      return "refused";
  }
  return "yield";
}

namespace {

// A node that seemed lost can come back with a job that Slurm has started again meanwhile.
bool is_overtaken(const JobIdentity& job, const std::optional<Entry>& start) {
  return start && start->job == job.job && start->restart > job.restart;
}

}  // namespace

Verdict at_gate(const Standing& standing, const JobIdentity& job, const LedgerRules& rules) {
  if (standing.outcome) return Verdict::over;
  // The end that it shows is an earlier attempt's.
  if (job.attempt > standing.attempt) return Verdict::behind;
  if (standing.has_ended(rules)) return Verdict::over;
  if (standing.stop) return Verdict::stopped;
  if (job.attempt < standing.attempt || standing.postponed.contains(job.job)) return Verdict::yield;
  if (!standing.claim) return Verdict::claim;
  const bool own = standing.claim->candidate == job.candidate && (rules.chain || standing.claim->job == job.job);
  return own && !is_overtaken(job, standing.start) ? Verdict::pass : Verdict::yield;
}

Verdict at_start(const Standing& standing, const JobIdentity& job, const LedgerRules& rules) {
  const auto gate = at_gate(standing, job, rules);
  if (gate != Verdict::pass) return gate == Verdict::claim ? Verdict::yield : gate;
  return standing.start && !rules.may_restart ? Verdict::refused : Verdict::start;
}

bool may_stop(const Standing& standing, const LedgerRules& rules) {
  return !standing.stop && !standing.outcome && !standing.has_ended(rules);
}

bool may_retry(const Standing& standing, std::optional<JobId> failed, const LedgerRules& rules) {
  if (standing.stop || standing.outcome) return false;
  const bool may_follow_start = rules.may_restart || (rules.retries && standing.exit);
  if (standing.start && !may_follow_start) return false;
  const auto holder = standing.claim ? std::optional(standing.claim->job) : std::nullopt;
  return holder == failed;
}

bool may_follow_end(const Standing& standing, const LedgerRules& rules) {
  return standing.exit && standing.claim && may_retry(standing, standing.claim->job, rules);
}

bool may_write_outcome(const Standing& standing) {
  return !standing.outcome;
}

ElementStanding element_standing(std::span<const Entry> entries, int attempt) {
  ElementStanding element;
  for (const auto& entry : entries) {
    ++element.length;
    if (entry.attempt < attempt) continue;
    if (entry.kind == EntryKind::start) {
      element.start = entry;
      element.exit.reset();
    } else if (entry.kind == EntryKind::exit && of_start(entry, element.start, /*chain=*/false)) {
      element.exit = entry;
    }
  }
  return element;
}

bool element_has_ended(const ElementStanding& element, const LedgerRules& rules) {
  return element.exit && (!was_terminated(*element.exit) || !rules.may_restart);
}

bool may_stop_element(const ElementStanding& element, const Standing& run, const LedgerRules& rules) {
  return may_stop(run, rules) && !element.start && !element.exit;
}

Verdict at_element_start(const ElementStanding& element, const Standing& run, const JobIdentity& job,
                         const LedgerRules& rules) {
  const auto gate = at_gate(run, job, rules);
  if (gate != Verdict::pass) return gate == Verdict::claim ? Verdict::yield : gate;
  if (is_overtaken(job, element.start)) return Verdict::yield;
  if (element_has_ended(element, rules)) return Verdict::over;
  return element.start && !rules.may_restart ? Verdict::refused : Verdict::start;
}

}  // namespace rv::monitor
