#include "cli/kubernetes/pods/resources.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/documents/json_members.h"

namespace rv::kubernetes {
namespace {

using Json = nlohmann::ordered_json;

void add(Amounts& sum, const Amounts& more) {
  for (const auto& [name, amount] : more) sum[name] += amount;
}

/// Of a container or a pod. Where nothing is requested, Kubernetes requests the limit.
Amounts requests_of(const Json& json) {
  const auto& resources = member_of(json, "resources");
  auto all = amounts_of(member_of(resources, "limits"));
  for (const auto& [name, amount] : amounts_of(member_of(resources, "requests"))) all[name] = amount;
  return all;
}

bool is_of_pods(const std::string& resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

}  // namespace

std::optional<double> quantity(const std::string& text) {
  double value = 0;
  const auto* const last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data(), last, value);
  if (text.empty() || fault != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(last - end));
  constexpr std::array<std::pair<std::string_view, double>, 16> units = {{{"", 1.0},
                                                                          {"n", 1e-9},
                                                                          {"u", 1e-6},
                                                                          {"m", 1e-3},
                                                                          {"k", 1e3},
                                                                          {"M", 1e6},
                                                                          {"G", 1e9},
                                                                          {"T", 1e12},
                                                                          {"P", 1e15},
                                                                          {"E", 1e18},
                                                                          {"Ki", 1024.0},
                                                                          {"Mi", 1048576.0},
                                                                          {"Gi", 1073741824.0},
                                                                          {"Ti", 1099511627776.0},
                                                                          {"Pi", 1125899906842624.0},
                                                                          {"Ei", 1152921504606846976.0}}};
  const auto* const found =
      std::find_if(units.begin(), units.end(), [&](const auto& one) { return one.first == unit; });
  return found == units.end() ? std::nullopt : std::optional(value * found->second);
}

Amounts amounts_of(const Json& json) {
  Amounts all;
  if (!json.is_object()) return all;
  for (const auto& [key, value] : json.items()) {
    if (value.is_number()) all[key] = value.get<double>();
    if (!value.is_string()) continue;
    if (const auto amount = quantity(value.get<std::string>()); amount.has_value()) all[key] = *amount;
  }
  return all;
}

Amounts requests_of_pod(const Json& spec) {
  Amounts running, sidecars, most_while_starting;
  for (const auto& container : member_of(spec, "containers")) add(running, requests_of(container));
  for (const auto& container : member_of(spec, "initContainers")) {
    auto now = requests_of(container);
    if (member_text(container, "restartPolicy") == "Always") {
      add(running, now);
      add(sidecars, now);
      now = sidecars;
    } else {
      add(now, sidecars);
    }
    for (const auto& [name, amount] : now) most_while_starting[name] = std::max(most_while_starting[name], amount);
  }
  for (const auto& [name, amount] : most_while_starting) running[name] = std::max(running[name], amount);
  for (const auto& [name, amount] : requests_of(spec)) {
    if (is_of_pods(name)) running[name] = amount;
  }
  add(running, amounts_of(member_of(spec, "overhead")));
  return running;
}

}  // namespace rv::kubernetes
