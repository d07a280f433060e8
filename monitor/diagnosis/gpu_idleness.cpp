#include "monitor/diagnosis/gpu_idleness.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "shared/documents/json_integer.h"

namespace rv::monitor {

namespace {

using namespace std::chrono_literals;

// Work that begins and ends between two looks goes unseen, so looks further apart prove nothing of the time between.
constexpr auto widest_gap = 5min;
constexpr auto kept_every = 30s;

enum class Found { idle, working, unknown };

Found found(const GpuLook& look, const IdlePolicy& policy) {
  if (look.busiest && *look.busiest >= policy.below) return Found::working;
  return look.busiest && look.all_known ? Found::idle : Found::unknown;
}

long minutes(std::chrono::seconds span) {
  return std::chrono::duration_cast<std::chrono::minutes>(span).count();
}

}  // namespace

std::optional<Idleness> idleness(std::vector<GpuLook> looks, const IdlePolicy& policy,
                                 std::optional<planner::TimePoint> began) {
  std::sort(looks.begin(), looks.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
  if (looks.empty() || found(looks.front(), policy) != Found::idle) return std::nullopt;
  const auto newest = looks.front().time;
  auto certain = newest;
  auto possible = began ? std::min(*began, looks.back().time) : looks.back().time;
  bool unbroken = true;
  for (const GpuLook& look : looks) {
    const Found state = found(look, policy);
    if (state == Found::working) {
      possible = look.time;
      break;
    }
    unbroken = unbroken && state == Found::idle && certain - look.time <= widest_gap;
    if (unbroken) certain = look.time;
  }
  return Idleness{.certain = newest - certain, .possible = newest - possible};
}

std::optional<std::string> idle_warning(const Idleness& idleness, const IdlePolicy& policy) {
  if (idleness.possible * 2 < policy.after) return std::nullopt;
  const bool sure = idleness.possible - idleness.certain <= widest_gap;
  return fmt::format(
      "idle for {}; the site ends idle allocations after {} min",
      sure ? fmt::format("{} min", minutes(idleness.possible))
           : fmt::format("at least {} min, perhaps for {} min", minutes(idleness.certain), minutes(idleness.possible)),
      minutes(policy.after));
}

bool worth_keeping(const GpuLook& look, const std::vector<GpuLook>& kept, const IdlePolicy& policy) {
  if (kept.empty()) return true;
  const auto& last =
      *std::max_element(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  return look.time - last.time >= kept_every || found(look, policy) != found(last, policy);
}

std::string look_line(const GpuLook& look) {
  const nlohmann::ordered_json json{{"time", look.time.time_since_epoch().count()},
                                    {"busiest", look.busiest ? nlohmann::ordered_json(*look.busiest) : nullptr},
                                    {"all_known", look.all_known}};
  return json.dump() + "\n";
}

std::vector<GpuLook> parse_looks(std::string_view text) {
  std::vector<GpuLook> looks;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto json = parse_json_or_discard<nlohmann::json>(line);
    const auto time = member_integer<std::int64_t>(json, "time");
    if (!time) continue;
    GpuLook look;
    look.time = planner::TimePoint(std::chrono::seconds(*time));
    const auto busiest = json.value("busiest", nlohmann::json());
    const auto all_known = json.value("all_known", nlohmann::json());
    if (busiest.is_number()) look.busiest = busiest.get<double>();
    look.all_known = all_known.is_boolean() && all_known.get<bool>();
    looks.push_back(look);
  }
  return looks;
}

}  // namespace rv::monitor
