#include "planner/cluster/gpu_catalogue.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace rv::planner {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// "nvidia_a100_80gb_pcie", "a100_80gb_pcie" and "A100-80GB-PCIe" are one.
bool stands_for(const GpuModel& model, std::string_view gres_type) {
  const std::string wanted = comparable(gres_type);
  return std::any_of(model.gres_types.begin(), model.gres_types.end(),
                     [&](const std::string& type) { return comparable(type) == wanted; });
}

// The memory that a name tells: "a100_pcie_40gb", "some-gpu-80GB".
std::optional<Mebibytes> memory_in_name(std::string_view gres_type) {
  const std::string text = lower(gres_type);
  for (std::size_t at = text.find("gb"); at != std::string::npos; at = text.find("gb", at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_digit(text[begin - 1])) --begin;
    const bool word_begins = begin == 0 || text[begin - 1] == '_' || text[begin - 1] == '-';
    const bool word_ends = at + 2 == text.size() || text[at + 2] == '_' || text[at + 2] == '-';
    int gib = 0;
    const auto [end, fault] = std::from_chars(text.data() + begin, text.data() + at, gib);
    if (word_begins && word_ends && fault == std::errc() && gib > 0 && gib < 10000) {
      return Mebibytes{std::int64_t{gib} * 1024};
    }
  }
  return std::nullopt;
}

bool has_feature_of(const Node& node, const GpuModel& model) {
  return std::any_of(model.features.begin(), model.features.end(), [&](const std::string& feature) {
    return std::any_of(node.features.begin(), node.features.end(),
                       [&](const std::string& has) { return lower(has) == lower(feature); });
  });
}

const GpuModel* known_model(const GpuCatalogue& catalogue, const Node& node, const GpuPool& pool) {
  const GpuModel* without_features = nullptr;
  const GpuModel* last = nullptr;
  int count = 0;
  for (const GpuModel& model : catalogue.models) {
    if (!pool.type.empty() && !stands_for(model, pool.type)) continue;
    if (has_feature_of(node, model)) return &model;
    if (without_features == nullptr && model.features.empty()) without_features = &model;
    last = &model;
    ++count;
  }
  if (pool.type.empty()) return nullptr;
  if (without_features != nullptr) return without_features;
  return count == 1 ? last : nullptr;
}

}  // namespace

GpuModel identify(const GpuCatalogue& catalogue, const Node& node, const GpuPool& pool) {
  GpuModel model;
  if (const GpuModel* known = known_model(catalogue, node, pool)) {
    model = *known;
  } else {
    model.name = pool.type.empty() ? "gpu" : pool.type;
    model.title = pool.type.empty() ? "GPU of unknown type" : pool.type;
    model.gres_types = {pool.type};
  }
  if (const auto slice = mig_profile_memory(pool.type)) {
    model.mig = true;
    if (!model.vram) model.vram = slice;
  } else if (!model.vram) {
    model.vram = memory_in_name(pool.type);
  }
  return model;
}

bool is_mig_profile(std::string_view gres_type) {
  return mig_profile_memory(gres_type).has_value();
}

std::optional<Mebibytes> mig_profile_memory(std::string_view gres_type) {
  // <compute slices>g.<memory>gb, as a word of its own.
  const std::string text = lower(gres_type);
  for (std::size_t dot = text.find("g."); dot != std::string::npos; dot = text.find("g.", dot + 1)) {
    std::size_t begin = dot;
    while (begin > 0 && is_digit(text[begin - 1])) --begin;
    const std::size_t end = skip_digits(text, dot + 2);
    const bool digits = begin < dot && end > dot + 2;
    const bool word_begins = begin == 0 || !is_letter(text[begin - 1]);
    const bool unit = text.compare(end, 2, "gb") == 0;
    const bool word_ends = unit && (end + 2 == text.size() || !(is_letter(text[end + 2]) || is_digit(text[end + 2])));
    if (!digits || !word_begins || !word_ends) continue;
    int gib = 0;
    const auto [at, fault] = std::from_chars(text.data() + dot + 2, text.data() + end, gib);
    if (fault == std::errc() && gib > 0 && gib < 10000) return Mebibytes{std::int64_t{gib} * 1024};
  }
  return std::nullopt;
}

}  // namespace rv::planner
