#include "monitor/node_memory/node_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/documents/json_members.h"
#include "base/documents/parse_document.h"
#include "base/text.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "shared/fnv1a.h"

namespace rv::monitor {
namespace {

constexpr std::size_t longest_name = 253;  // of a host: RFC 1035
constexpr std::size_t longest_evidence = 300;
constexpr char separator = '@';  // in no recordable name
constexpr std::string_view suffix = ".json";

constexpr std::array kinds = {std::pair{NodeEventKind::fault, std::string_view("fault")},
                              std::pair{NodeEventKind::success, std::string_view("success")},
                              std::pair{NodeEventKind::forgotten, std::string_view("forgotten")}};

std::string_view word_of(NodeEventKind kind) {
  return std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.first == kind; })->second;
}

std::optional<NodeEventKind> kind_named(std::string_view word) {
  const auto* const found =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.second == word; });
  return found == kinds.end() ? std::nullopt : std::optional(found->first);
}

/// An ID of a run or a hash: may be empty.
bool is_plain(std::string_view text) {
  return text.size() <= longest_name &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

}  // namespace

std::string command_hash(std::string_view work_folder, std::string_view name) {
  return fmt::format("{:016x}", fnv1a(name, fnv1a(std::string_view("\0", 1), fnv1a(work_folder))));
}

bool is_recordable(failures::Cause cause) {
  return failures::text_of(cause).blames_node || cause == failures::Cause::preflight;
}

bool is_recordable_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
                  c == '-';
         });
}

std::string file_name_of(const NodeEvent& event) {
  const auto what = event.kind == NodeEventKind::forgotten
                        ? std::to_string(event.time.time_since_epoch().count())
                        : fmt::format("{}.{}.{}", event.run, event.attempt,
                                      event.kind == NodeEventKind::fault ? text_of(event.cause).name : "success");
  return fmt::format("{1}{0}{2}{0}{3}{0}{4}{5}", separator, event.cluster, event.node, event.command, what, suffix);
}

std::optional<NodeEventName> parse_file_name(std::string_view name) {
  if (!name.ends_with(suffix)) return std::nullopt;
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const auto end = std::min(name.find(separator, at), name.size());
    parts.emplace_back(name.substr(at, end - at));
    at = end + 1;
  }
  if (parts.size() != 4 || !is_recordable_name(parts[1])) return std::nullopt;
  return NodeEventName{.cluster = parts[0], .node = parts[1], .command = parts[2]};
}

std::string to_line(const NodeEvent& event) {
  nlohmann::ordered_json json{{"event", word_of(event.kind)},
                              {"cluster", event.cluster},
                              {"node", event.node},
                              {"time", event.time.time_since_epoch().count()}};
  if (event.kind == NodeEventKind::fault) {
    json["cause"] = text_of(event.cause).name;
    json["evidence"] = one_line(event.evidence.substr(0, longest_evidence));
  }
  if (!event.run.empty()) {
    json["run"] = event.run;
    json["attempt"] = event.attempt;
    json["command"] = event.command;
  }
  return json_dump(json) + "\n";
}

std::optional<NodeEvent> parse_node_event(std::string_view text) {
  const auto json = parse_json_or_discard<nlohmann::json>(text);
  if (!json.is_object()) return std::nullopt;
  const auto kind = kind_named(member_text(json, "event"));
  const auto time = member_integer<std::int64_t>(json, "time");
  // A year has four digits: later calculations with the time cannot overflow.
  constexpr std::int64_t latest = 253'402'300'800;
  if (!kind || !time || *time < 0 || *time >= latest) return std::nullopt;
  NodeEvent event{.kind = *kind,
                  .cluster = member_text(json, "cluster"),
                  .node = member_text(json, "node"),
                  .cause = failures::Cause::unknown,
                  .evidence = one_line(member_text(json, "evidence").substr(0, longest_evidence)),
                  .run = member_text(json, "run"),
                  .attempt = member_integer<int>(json, "attempt").value_or(1),
                  .command = member_text(json, "command"),
                  .time = TimePoint(std::chrono::seconds(*time))};
  if (!is_recordable_name(event.node) || !is_plain(event.run) || !is_plain(event.command)) return std::nullopt;
  if (!event.cluster.empty() && !is_recordable_name(event.cluster)) return std::nullopt;
  if (event.kind != NodeEventKind::fault) return event;
  const auto cause = failures::cause_named(member_text(json, "cause"));
  if (!cause || !is_recordable(*cause)) return std::nullopt;
  event.cause = *cause;
  return event;
}

}  // namespace rv::monitor
