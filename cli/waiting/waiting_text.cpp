#include "cli/waiting/waiting_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/walltime.h"
#include "cli/json/values_json.h"
#include "cli/views/plan_view.h"
#include "planner/explain.h"

namespace rv::cli {

namespace {

using std::chrono::seconds;

std::string minutes_text(seconds span) {
  return format_duration(std::chrono::ceil<std::chrono::minutes>(std::max(span, seconds(0))));
}

/// "in about 3h (1h to 5h)", "in a moment", "in over a week".
std::string from_now(const std::optional<seconds>& p10, const std::optional<seconds>& p50,
                     const std::optional<seconds>& p90) {
  if (!p50) return "in over a week";
  const bool spread = p10 && p90 && minutes_text(*p10) != minutes_text(*p90);
  const std::string about = *p50 < std::chrono::minutes(1) ? "in a moment" : "in about " + minutes_text(*p50);
  return about + (spread ? fmt::format(" ({} to {})", minutes_text(*p10), minutes_text(*p90)) : "");
}

bool is_known(const planner::Wait& wait) {
  return wait.p50 || wait.basis.starts_with("replay of ");
}

std::string start_text(const planner::Wait& wait) {
  return is_known(wait) ? from_now(wait.p10, wait.p50, wait.p90) : wait.basis;
}

std::string queue_text(const JobInQueue& job) {
  const auto& place = job.place;
  std::string text = fmt::format("{}: place {} of {}", job.summary, place.place, place.waiting);
  if (place.place > 1) {
    text += fmt::format("; ahead: {} with {}", counted(place.place - 1, "job"), counted(place.gpus_ahead, "GPU"));
  }
  if (place.own_ahead > 0) text += fmt::format(" (yours: {})", place.own_ahead);
  return text;
}

std::string after_text(const Predecessor& before) {
  std::string text = fmt::format("{} ({}): {}", one_line(before.name), before.run, before.state);
  if (before.end) {
    const auto& end = *before.end;
    if (end.p50) text += fmt::format(", ends {}", from_now(end.p10, end.p50, end.p90));
    text += fmt::format(", {}in {} at the latest", end.p50 ? "" : "ends ", minutes_text(end.latest));
  }
  if (before.start && is_known(*before.start)) {
    text += fmt::format(", starts {}", start_text(*before.start));
    if (before.limit.count() > 0) text += fmt::format(" and runs for {} at most", format_duration(before.limit));
  }
  return text;
}

template <class Number>
nlohmann::ordered_json figure(const std::optional<Number>& value) {
  return value ? nlohmann::ordered_json(value->count()) : nlohmann::ordered_json();
}

nlohmann::ordered_json wait_json(const planner::Wait& wait) {
  return {{"p10_s", figure(wait.p10)}, {"p50_s", figure(wait.p50)}, {"p90_s", figure(wait.p90)}, {"basis", wait.basis}};
}

nlohmann::ordered_json after_json(const Predecessor& before) {
  nlohmann::ordered_json json = {{"run", before.run}, {"name", before.name}, {"state", before.state}};
  json["end"] = before.end ? nlohmann::ordered_json{{"p10_s", figure(before.end->p10)},
                                                    {"p50_s", figure(before.end->p50)},
                                                    {"p90_s", figure(before.end->p90)},
                                                    {"latest_s", before.end->latest.count()}}
                           : nlohmann::ordered_json();
  json["start"] = before.start ? wait_json(*before.start) : nlohmann::ordered_json();
  return json;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> waiting_lines(const WaitingRun& waiting, const std::string& run) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (waiting.start) {
    const auto& wait = waiting.start->wait;
    const auto basis = is_known(wait) ? "; " + wait.basis : std::string();
    lines.emplace_back("start",
                       fmt::format("{}, {}{}", start_text(wait), planner::way_in_words(*waiting.start), basis));
  }
  for (const auto& job : waiting.places) lines.emplace_back("queue", queue_text(job));
  if (waiting.after) lines.emplace_back("after", after_text(*waiting.after));
  for (const auto& way : waiting.sooner) {
    const auto how =
        way.command.empty() ? "rv up with " + fmt::format("{}", fmt::join(way.what_if.options, " ")) : way.command;
    lines.emplace_back("sooner", fmt::format("{}: {}, then rv stop {}", way.text, how, run));
  }
  return lines;
}

nlohmann::ordered_json waiting_json(const WaitingRun& waiting) {
  nlohmann::ordered_json json;
  json["start"] = waiting.start ? wait_json(waiting.start->wait) : nlohmann::ordered_json();
  json["queue"] = nlohmann::ordered_json::array();
  for (const auto& job : waiting.places) {
    json["queue"].push_back({{"candidate", job.candidate},
                             {"job", job.job},
                             {"place", job.place.place},
                             {"waiting", job.place.waiting},
                             {"gpus_ahead", job.place.gpus_ahead},
                             {"own_ahead", job.place.own_ahead}});
  }
  json["sooner"] = nlohmann::ordered_json::array();
  for (const auto& way : waiting.sooner) {
    auto object = what_if_json({way.what_if}, waiting.start ? *waiting.start : way.what_if.strategy).front();
    object["command"] = way.command;
    json["sooner"].push_back(std::move(object));
  }
  json["after"] = waiting.after ? after_json(*waiting.after) : nlohmann::ordered_json();
  return json;
}

}  // namespace rv::cli
