#include "reports/sweep/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace rv::sweep {
namespace {

constexpr std::array<std::string_view, 3> thermal = {"hardware_slowdown", "software_thermal", "hardware_thermal"};

Answer not_measured(std::string question, std::string why) {
  return {std::move(question), false, "not measured", std::move(why)};
}

std::string with_name(const Order& order, long long x) {
  return fmt::format("{} {}", order.axes.front().name, number_text(static_cast<double>(x)));
}

std::string throughput_text(const Order& order, double value) {
  return order.throughput == steps_per_s ? number_text(value) + " steps/s"
                                         : fmt::format("{} {}", order.throughput, number_text(value));
}

std::string vram_text(const CurvePoint& point) {
  return point.vram_mib ? fmt::format(", {} MiB of VRAM at most", number_text(*point.vram_mib)) : std::string();
}

Answer most_that_fit(std::string question, const Order& order, const Curve& curve) {
  const auto* const ran = largest_that_ran(curve);
  const auto* const not_ran = smallest_out_of_memory(curve);
  if (ran == nullptr) {
    if (not_ran == nullptr) return not_measured(std::move(question), "no point finished");
    return {std::move(question), true, fmt::format("fewer than {}", with_name(order, not_ran->x)),
            fmt::format("nothing smaller was tried; {}: {}", with_name(order, not_ran->x),
                        not_ran->out_of_memory->end.evidence)};
  }
  const auto largest = fmt::format("{} ran{}", with_name(order, ran->x), vram_text(*ran));
  if (not_ran == nullptr) {
    return {std::move(question), true, fmt::format("at least {}", with_name(order, ran->x)),
            largest + "; nothing larger ran out of memory"};
  }
  return {
      std::move(question), true, with_name(order, ran->x),
      fmt::format("{}; {} did not: {}", largest, with_name(order, not_ran->x), not_ran->out_of_memory->end.evidence)};
}

Answer highest_throughput(std::string question, const Order& order, const Curve& curve) {
  const auto* const peak = peak_of(curve);
  if (peak == nullptr) {
    return not_measured(std::move(question), fmt::format("no point that finished reported its {}", order.throughput));
  }
  const auto* const near = sweet_spot_of(curve);
  auto evidence = throughput_text(order, *peak->throughput);
  if (near != nullptr && near->x != peak->x) {
    evidence += fmt::format("; {} is the smallest within 3 % of it, with {}", with_name(order, near->x),
                            throughput_text(order, *near->throughput));
  } else {
    evidence += "; nothing smaller is within 3 % of it";
  }
  return {std::move(question), true, with_name(order, peak->x), evidence};
}

Answer others_memory(std::string question, const Order& order, const OtherMachine& other) {
  if (other.curve == nullptr) return not_measured(std::move(question), "rv sweep compare A B compares two machines");
  const auto* const not_ran = smallest_out_of_memory(*other.curve);
  const auto* const ran = largest_that_ran(*other.curve);
  if (not_ran == nullptr) {
    return not_measured(std::move(question),
                        ran == nullptr ? "no point finished there"
                                       : fmt::format("nothing ran out of memory up to {}", with_name(order, ran->x)));
  }
  return {std::move(question), true, with_name(order, not_ran->x),
          not_ran->out_of_memory->end.evidence +
              (ran == nullptr ? "" : fmt::format("; {} ran{}", with_name(order, ran->x), vram_text(*ran)))};
}

Answer speed_up(std::string question, const Order& order, const Curve& curve, const OtherMachine& other) {
  if (other.curve == nullptr) return not_measured(std::move(question), "rv sweep compare A B compares two machines");
  for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point) {
    if (!point->throughput || !point->ran) continue;
    for (const auto& theirs : other.curve->points) {
      if (theirs.x != point->x || !theirs.ran || !theirs.throughput || !(*theirs.throughput > 0)) continue;
      return {std::move(question), true, fmt::format("{:.2f} times", *point->throughput / *theirs.throughput),
              fmt::format("at {}, the largest that ran on both: {} and {}", with_name(order, point->x),
                          throughput_text(order, *point->throughput), throughput_text(order, *theirs.throughput))};
    }
  }
  return not_measured(std::move(question), "no point ran on both with a known throughput");
}

struct Heat {
  std::map<std::string, double> seconds;  // by reason, thermal or not
  double thermal_s = 0;
  std::optional<double> temperature, least_clock, median_clock;
  double wall_s = 0;
  bool known = false;
};

Heat heat_of(const Curve& curve) {
  Heat heat;
  for (const auto& point : curve.points) {
    for (const auto* run : point.runs) {
      const auto& samples = run->samples;
      if (const auto value = samples["peak_gpu_temp"])
        heat.temperature = std::max(heat.temperature.value_or(0), *value);
      if (const auto value = samples["least_clock_sm_mhz"]) {
        heat.least_clock = std::min(heat.least_clock.value_or(*value), *value);
      }
      if (const auto value = samples["median_clock_sm_mhz"]) {
        heat.median_clock = std::max(heat.median_clock.value_or(0), *value);
      }
      if (!samples.throttled_s) continue;
      heat.known = true;
      heat.wall_s += run->wall_s;
      for (const auto& [reason, seconds] : *samples.throttled_s) {
        if (reason != "idle") heat.seconds[reason] += seconds;
        if (std::find(thermal.begin(), thermal.end(), reason) != thermal.end()) heat.thermal_s += seconds;
      }
    }
  }
  return heat;
}

Answer throttling(std::string question, const Curve& curve) {
  const auto heat = heat_of(curve);
  if (!heat.known) return not_measured(std::move(question), "no sample has the driver's throttle reasons");
  std::string evidence;
  for (const auto& [reason, seconds] : heat.seconds) {
    evidence += fmt::format("{}{} {:.0f} s", evidence.empty() ? "" : ", ", reason, seconds);
  }
  evidence = fmt::format("{} in {:.0f} s", evidence.empty() ? "only idle" : evidence, heat.wall_s);
  if (heat.temperature) evidence += fmt::format("; at most {:.0f} °C", *heat.temperature);
  if (heat.least_clock && heat.median_clock) {
    evidence += fmt::format("; SM clock: median {:.0f} MHz, minimum {:.0f}", *heat.median_clock, *heat.least_clock);
  }
  return {std::move(question), true, heat.thermal_s > 0 ? fmt::format("yes, for {:.0f} s", heat.thermal_s) : "no",
          evidence};
}

Answer recommendation(std::string question, const Order& order, const Curve& curve) {
  const auto* const spot = sweet_spot_of(curve);
  const auto* const peak = peak_of(curve);
  if (spot == nullptr) return not_measured(std::move(question), "no throughput is known");
  auto reason = fmt::format("the smallest within 3 % of the highest throughput: {:.0f} % of it, {}",
                            100 * *spot->throughput / *peak->throughput, throughput_text(order, *spot->throughput));
  double total = 0;
  for (const auto* run : spot->runs) total = std::max(total, run->samples["vram_total_mib"].value_or(0));
  if (spot->vram_mib && total > 0) {
    reason += fmt::format(", {:.0f} % of the VRAM", 100 * *spot->vram_mib / total);
  } else {
    reason += "; its VRAM was not measured";
  }
  return {std::move(question), true, with_name(order, spot->x), reason};
}

}  // namespace

std::string number_text(double value) {
  if (std::abs(value) < 1000) return fmt::format("{:.4g}", value);
  auto digits = fmt::format("{:.0f}", value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string machine_of(const std::vector<PointResult>& results) {
  std::vector<std::string> names;
  for (const auto& result : results) {
    const auto name = result.gpus.empty() ? result.host : result.gpus.front();
    if (!name.empty() && !contains(names, name)) names.push_back(name);
  }
  return names.empty() ? "unknown machine" : listed(names);
}

std::vector<Answer> answer(const Order& order, const Curve& curve, const std::string& name, const OtherMachine& other) {
  const auto& axis = order.axes.front().name;
  const auto theirs = other.curve == nullptr ? "the other machine" : other.name;
  return {most_that_fit(fmt::format("The largest {} that fits on {}", axis, name), order, curve),
          highest_throughput(fmt::format("The {} with the highest throughput", axis), order, curve),
          others_memory(fmt::format("The {} at which {} runs out of memory", axis, theirs), order, other),
          speed_up(fmt::format("How much faster {} is than {}", name, theirs), order, curve, other),
          throttling(fmt::format("Whether {} throttles for heat", name), curve),
          recommendation(fmt::format("The recommended {}", axis), order, curve)};
}

nlohmann::ordered_json to_json(const Answer& answer) {
  return {{"question", answer.question},
          {"measured", answer.measured},
          {"answer", answer.answer},
          {"evidence", answer.evidence}};
}

}  // namespace rv::sweep
