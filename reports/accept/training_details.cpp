#include "reports/accept/training_details.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/documents/json_members.h"
#include "reports/accept/peak.h"

namespace rv::accept {
namespace {

using Json = nlohmann::ordered_json;

/// Empty where it is none.
Json object(const Json& params, const char* key) {
  const auto found = params.find(key);
  return found != params.end() && found->is_object() ? *found : Json::object();
}

std::optional<double> most_memory(const Json& params) {
  std::optional<double> most;
  const auto ranks = params.find("peak_memory_bytes_by_rank");
  if (ranks == params.end() || !ranks->is_array()) return most;
  for (const auto& one : *ranks) {
    if (one.is_number()) most = std::max(most.value_or(0), one.get<double>());
  }
  return most;
}

}  // namespace

std::vector<TrainingDetail> training_details(const JudgedFigure& judged) {
  const auto& params = judged.figure.params;
  if (judged.figure.suite != "model" || !params.is_object()) return {};
  std::vector<TrainingDetail> details;
  const auto add = [&](const char* name, const std::optional<double>& value, double scale, std::string unit) {
    if (value) details.push_back({name, scale * *value, std::move(unit)});
  };
  const auto shares = object(params, "shares"), slowest = object(params, "slowest_rank");
  for (const auto* const part : {"compute", "input", "communication"}) add(part, member_number(shares, part), 100, "%");
  add("of the peak", share_of_peak(judged), 100, "%");
  add("scaling efficiency", member_number(params, "scaling_efficiency"), 100, "%");
  add("memory", most_memory(params), 1e-9, "GB");
  add("variation", member_number(params, "coefficient_of_variation"), 100, "%");
  add("slowest rank", member_number(slowest, "ratio"), 1,
      fmt::format("of the median, rank {:.0f} on {}", member_number(slowest, "rank").value_or(-1),
                  member_text(slowest, "host")));
  return details;
}

std::optional<double> share_of_peak(const JudgedFigure& judged) {
  const auto& params = judged.figure.params;
  if (judged.figure.suite != "model" || !params.is_object()) return std::nullopt;
  const auto done = member_number(params, "model_tflops_per_rank");
  const auto peak = peak_of_products(judged.subject.model, member_text(params, "precision"));
  return done && peak ? std::optional(*done / *peak) : std::nullopt;
}

}  // namespace rv::accept
