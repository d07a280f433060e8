#include "planner/gpu_catalogue.h"

#include <algorithm>
#include <charconv>

namespace rv::planner {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Where "<digits>g.<digits>gb" stands in the name, as the position of its first digit and of the memory's.
struct Profile {
  std::size_t start = 0;
  std::size_t memory = 0;
  std::size_t end = 0;
};

std::optional<Profile> find_profile(std::string_view name) {
  for (auto dot = name.find("g."); dot != std::string_view::npos; dot = name.find("g.", dot + 1)) {
    std::size_t start = dot;
    while (start > 0 && is_digit(name[start - 1])) --start;
    std::size_t end = dot + 2;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (start < dot && end > dot + 2 && name.substr(end, 2) == "gb") return Profile{start, dot + 2, end};
  }
  return std::nullopt;
}

bool names_gres(const GpuModel& model, std::string_view type) {
  return std::find(model.gres_types.begin(), model.gres_types.end(), type) != model.gres_types.end();
}

bool has_feature_of(const Node& node, const GpuModel& model) {
  return std::any_of(model.features.begin(), model.features.end(), [&](const std::string& feature) {
    return std::find(node.features.begin(), node.features.end(), feature) != node.features.end();
  });
}

GpuModel model_from_name(const std::string& type) {
  GpuModel model;
  model.name = type.empty() ? "gpu" : type;
  model.title = model.name;
  if (!type.empty()) model.gres_types = {type};
  if (const auto profile = find_profile(type)) {
    model.mig = true;
    int gigabytes = 0;
    std::from_chars(type.data() + profile->memory, type.data() + profile->end, gigabytes);
    model.vram = Mebibytes{std::int64_t{gigabytes} * 1024};
  }
  return model;
}

}  // namespace

bool is_mig_profile(std::string_view gres_type) { return find_profile(gres_type).has_value(); }

GpuModel identify(const GpuCatalogue& catalogue, const Node& node, const GpuPool& pool) {
  const GpuModel* by_feature = nullptr;
  const GpuModel* plain = nullptr;
  const GpuModel* only = nullptr;
  int named = 0;
  for (const auto& model : catalogue.models) {
    if (!names_gres(model, pool.type)) continue;
    ++named;
    only = &model;
    if (by_feature == nullptr && has_feature_of(node, model)) by_feature = &model;
    if (plain == nullptr && model.features.empty()) plain = &model;
  }
  if (by_feature != nullptr) return *by_feature;
  if (plain != nullptr) return *plain;
  if (named == 1) return *only;
  return model_from_name(pool.type);
}

}  // namespace rv::planner
