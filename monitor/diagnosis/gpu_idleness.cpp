#include "monitor/diagnosis/gpu_idleness.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"

namespace rv::monitor {

namespace {

using namespace std::chrono_literals;

// Work that begins and ends between two samples goes unseen, so samples further apart prove nothing of the time
// between.
constexpr auto widest_gap = 5min;
constexpr auto kept_every = 30s;

enum class Found { idle, working, unknown };

Found found(const GpuSample& sample, const IdlePolicy& policy) {
  if (sample.busiest && *sample.busiest >= policy.below) return Found::working;
  return sample.busiest && sample.all_known ? Found::idle : Found::unknown;
}

long minutes(std::chrono::seconds span) {
  return std::chrono::duration_cast<std::chrono::minutes>(span).count();
}

}  // namespace

std::optional<Idleness> idleness(std::vector<GpuSample> samples, const IdlePolicy& policy,
                                 std::optional<planner::TimePoint> began) {
  std::sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
  if (samples.empty() || found(samples.front(), policy) != Found::idle) return std::nullopt;
  const auto newest = samples.front().time;
  auto certain = newest;
  auto possible = began ? std::min(*began, samples.back().time) : samples.back().time;
  bool unbroken = true;
  for (const GpuSample& sample : samples) {
    const Found state = found(sample, policy);
    if (state == Found::working) {
      possible = sample.time;
      break;
    }
    unbroken = unbroken && state == Found::idle && certain - sample.time <= widest_gap;
    if (unbroken) certain = sample.time;
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

bool worth_keeping(const GpuSample& sample, const std::vector<GpuSample>& kept, const IdlePolicy& policy) {
  if (kept.empty()) return true;
  const auto& last =
      *std::max_element(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  return sample.time - last.time >= kept_every || found(sample, policy) != found(last, policy);
}

std::string sample_line(const GpuSample& sample) {
  const nlohmann::ordered_json json{{"time", sample.time.time_since_epoch().count()},
                                    {"busiest", sample.busiest ? nlohmann::ordered_json(*sample.busiest) : nullptr},
                                    {"all_known", sample.all_known}};
  return json_dump(json) + "\n";
}

std::vector<GpuSample> parse_samples(std::string_view text) {
  std::vector<GpuSample> samples;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto json = parse_json_or_discard<nlohmann::json>(line);
    const auto time = member_integer<std::int64_t>(json, "time");
    if (!time) continue;
    GpuSample sample;
    sample.time = planner::TimePoint(std::chrono::seconds(*time));
    const auto busiest = json.value("busiest", nlohmann::json());
    const auto all_known = json.value("all_known", nlohmann::json());
    if (busiest.is_number()) sample.busiest = busiest.get<double>();
    sample.all_known = all_known.is_boolean() && all_known.get<bool>();
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace rv::monitor
