#include "monitor/run/run_end.h"

#include <cstring>

#include "shared/documents/json_integer.h"

namespace rv::monitor {
namespace {

ExitKind exit_kind(const std::string& word) {
  if (word == "terminated") return ExitKind::terminated;
  if (word == "preempted") return ExitKind::preempted;
  if (word == "time_up") return ExitKind::time_up;
  if (word == "no_progress") return ExitKind::no_progress;
  if (word == "predecessor") return ExitKind::predecessor;
  if (word == "unqueued") return ExitKind::unqueued;
  if (word == "stopped") return ExitKind::stopped;
  if (word == "setup") return ExitKind::set_up;
  if (word == "preflight") return ExitKind::preflight;
  return ExitKind::exited;
}

/// The strings of a list; none where it is not a list.
std::vector<std::string> texts_in(const nlohmann::json& object, const char* key) {
  std::vector<std::string> texts;
  const auto list = object.find(key);
  if (list == object.end() || !list->is_array()) return texts;
  for (const auto& text : *list) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

}  // namespace

std::optional<Claim> claim_of(const Standing& standing, bool begun) {
  if (standing.stop && !begun) {
    return Claim{.by_stop = true, .candidate = 0, .job = {}, .node = standing.stop->node, .time = standing.stop->time};
  }
  if (!standing.claim) return std::nullopt;
  return Claim{.by_stop = false,
               .candidate = standing.claim->candidate,
               .job = standing.claim->job,
               .node = standing.claim->node,
               .time = standing.claim->time};
}

std::optional<ExitRecord> exit_record(const std::optional<Entry>& exit) {
  if (!exit) return std::nullopt;
  ExitRecord record{.code = exit->code.value_or(-1),
                    .time = exit->time,
                    .job = exit->job,
                    .kind = exit_kind(exit->word),
                    .last_output = "",
                    .bad_nodes = {},
                    .log_sizes = {},
                    .copy_name = ""};
  if (!exit->more.is_object()) return record;
  record.last_output = exit->more.value("said", std::string());
  record.copy_name = exit->more.value("copy", std::string());
  record.bad_nodes = texts_in(exit->more, "bad_nodes");
  const auto sizes = exit->more.find("bytes");
  if (sizes == exit->more.end() || !sizes->is_object()) return record;
  for (const auto& [file, bytes] : sizes->items()) {
    if (const auto size = integer_in<long long>(bytes)) record.log_sizes[file] = *size;
  }
  return record;
}

std::optional<Outcome> outcome_of(const Standing& standing) {
  if (!standing.outcome) return std::nullopt;
  const auto& entry = *standing.outcome;
  const auto exit = exit_record(standing.exit);
  if (exit && exit->kind == ExitKind::exited && standing.exit->number > entry.number)
    return outcome_of_late_exit(*exit);
  const auto state = run_state_from(entry.word);
  if (!state) return std::nullopt;  // a later rv's word: find out again
  Outcome outcome{.state = *state, .exit_code = entry.code, .detail = "", .time = entry.time};
  if (entry.more.is_object()) {
    outcome.detail = entry.more.value("detail", std::string());
    outcome.time = TimePoint(std::chrono::seconds(entry.more.value("ended", entry.time.time_since_epoch().count())));
    outcome.copy = copy_state_from(entry.more.value("copy", std::string()));
  }
  return outcome;
}

nlohmann::json to_json(const Outcome& end) {
  nlohmann::json json = {{"state", std::string(to_string(end.state))},
                         {"detail", end.detail},
                         {"ended", end.time.time_since_epoch().count()}};
  if (end.exit_code) json["code"] = *end.exit_code;
  if (end.unstarted) json["unstarted"] = true;
  return json;
}

std::optional<Outcome> outcome_from(const nlohmann::json& json) {
  if (!json.is_object() || !json.contains("state") || !json["state"].is_string()) return std::nullopt;
  const auto state = run_state_from(json["state"].get<std::string>());
  if (!state || !is_final(*state)) return std::nullopt;
  Outcome end{.state = *state, .exit_code = std::nullopt, .detail = json.value("detail", std::string()), .time = {}};
  end.time = TimePoint(std::chrono::seconds(integer_or(json, "ended", std::int64_t{0})));
  if (const auto code = member_integer<int>(json, "code")) end.exit_code = *code;
  const auto unstarted = json.find("unstarted");
  end.unstarted = unstarted != json.end() && *unstarted == true;
  return end;
}

std::optional<Outcome> earlier_end_of(const Standing& standing) {
  if (standing.retry && standing.retry->more.is_object() && standing.retry->more.contains("end")) {
    if (auto end = outcome_from(standing.retry->more["end"])) return end;
  }
  const auto exit = exit_record(standing.earlier_exit);
  if (!exit || exit->kind != ExitKind::exited) return std::nullopt;
  return end_of_exit(*exit, std::nullopt, 0);
}

std::string exit_code_figure(int code) {
  const char* const signal = code > 128 ? ::sigabbrev_np(code - 128) : nullptr;
  return std::to_string(code) + (signal != nullptr ? " (SIG" + std::string(signal) + ")" : "");
}

std::string exit_code_words(int code) {
  return "exit code " + exit_code_figure(code);
}

std::optional<Outcome> end_without_start(const ExitRecord& exit, const std::optional<templates::After>& after) {
  const std::string followed = after ? after->run : "?";
  Outcome end{.state = RunState::stopped, .exit_code = std::nullopt, .detail = "", .time = exit.time};
  switch (exit.kind) {
    case ExitKind::predecessor:
      end.detail = "not started: run " + followed + ", which it follows, did not succeed";
      return end;
    case ExitKind::unqueued:
      end.detail = "not started: run " + followed +
                   ", which it follows, is still active, and Slurm did not requeue the job: " + exit.last_output;
      return end;
    case ExitKind::set_up:
      end.state = RunState::failed;
      end.exit_code = exit.code;
      // rv's own words say why: a working folder that is gone, for example.
      end.detail = exit.last_output.starts_with("rv: ") ? "the command did not start: " + exit.last_output.substr(4)
                                                        : "the set-up lines failed, so the command did not start" +
                                                              (exit.last_output.empty() ? "" : ": " + exit.last_output);
      return end;
    case ExitKind::preflight:
      end.state = RunState::failed;
      end.exit_code = exit.code;
      end.detail = "the preflight failed, so the command did not start: " + exit.last_output;
      return end;
    default:
      return std::nullopt;
  }
}

Outcome end_of_exit(const ExitRecord& exit, const std::optional<templates::After>& after, std::size_t segments) {
  if (const auto end = end_without_start(exit, after)) return *end;
  Outcome end{.state = RunState::failed, .exit_code = std::nullopt, .detail = "", .time = exit.time};
  switch (exit.kind) {
    case ExitKind::stopped:
      end.state = RunState::stopped;
      end.detail = "on request";
      return end;
    case ExitKind::time_up:
      end.state = RunState::timeout;
      end.detail = "the requested time is used up; its checkpoint is kept";
      return end;
    case ExitKind::no_progress:
      end.detail = "segment " + std::to_string(segments) +
                   " saved nothing in RV_CHECKPOINT_DIR: the next segment would repeat the same work";
      return end;
    case ExitKind::preempted:
      end.state = RunState::preempted;
      end.detail = "the job was preempted";
      return end;
    default:
      end.exit_code = exit.code;
      if (exit.code == 0) end.state = RunState::done;
      end.detail = exit_code_words(exit.code) + (exit.kind == ExitKind::terminated ? " after TERM" : "");
      return end;
  }
}

Outcome outcome_of_late_exit(const ExitRecord& exit) {
  auto end = end_of_exit(exit, std::nullopt, 0);
  end.detail += ", recorded late";
  return end;
}

Entry entry_of(const Outcome& outcome, int attempt) {
  Entry entry;
  entry.kind = EntryKind::outcome;
  entry.attempt = attempt;
  entry.word = to_string(outcome.state);
  entry.code = outcome.exit_code;
  entry.more = {{"detail", outcome.detail}, {"ended", outcome.time.time_since_epoch().count()}};
  if (outcome.copy) entry.more["copy"] = std::string(to_string(*outcome.copy));
  return entry;
}

}  // namespace rv::monitor
