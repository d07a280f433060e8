#include "planner/cluster/gpu_catalogue.h"

#include <algorithm>
#include <array>
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

/// Where the number before the unit begins. Of four digits and more only the last two are it: "m4024gb".
std::size_t memory_begin(std::string_view text, std::size_t unit) {
  std::size_t begin = unit;
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  return unit - begin > 3 ? unit - 2 : begin;
}

bool is_separator(char c) {
  return c == ' ' || c == '-' || c == '_' || c == '\t' || c == '/';
}

/// A name in lower case without separators, and where its words begin and end.
struct Words {
  std::string letters;
  std::vector<bool> bounds;  // by place, one more than letters

  explicit Words(std::string_view name) {
    bounds.push_back(true);
    for (const char c : lower(name)) {
      if (is_separator(c)) {
        bounds.back() = true;
      } else {
        letters += c;
        bounds.push_back(false);
      }
    }
    bounds.back() = true;
    // Some sites write the maker and the model as one word.
    constexpr std::array<std::string_view, 9> makers{"nvidia", "geforce", "gtx",      "quadro", "rtx",
                                                     "tesla",  "amd",     "instinct", "intel"};
    std::size_t at = 0;
    for (const std::string_view maker : makers) {
      if (std::string_view(letters).substr(at).starts_with(maker)) bounds[at += maker.size()] = true;
    }
    const std::size_t unit = letters.rfind("gb");
    if (unit != std::string::npos) bounds[memory_begin(letters, unit)] = true;
  }

  bool has(std::string_view part) const {
    if (part.empty()) return false;
    for (std::size_t at = letters.find(part); at != std::string::npos; at = letters.find(part, at + 1)) {
      if (bounds[at] && bounds[at + part.size()]) return true;
    }
    return false;
  }
};

bool is_of_type(const GpuModel& model, std::string_view gres_type) {
  const std::string wanted = comparable(gres_type);
  return std::any_of(model.gres_types.begin(), model.gres_types.end(),
                     [&](const std::string& type) { return comparable(type) == wanted; });
}

// The memory that a name tells: "a100_pcie_40gb", "some-gpu-80GB".
std::optional<Mebibytes> memory_in_name(std::string_view gres_type) {
  const std::string text = lower(gres_type);
  for (std::size_t at = text.find("gb"); at != std::string::npos; at = text.find("gb", at + 1)) {
    const std::size_t begin = memory_begin(text, at);
    const bool word_begins =
        begin == 0 || text[begin - 1] == '_' || text[begin - 1] == '-' || is_digit(text[begin - 1]);
    const bool word_ends = at + 2 == text.size() || text[at + 2] == '_' || text[at + 2] == '-';
    int gib = 0;
    const auto [end, fault] = std::from_chars(text.data() + begin, text.data() + at, gib);
    if (word_begins && word_ends && fault == std::errc() && gib > 0 && gib < 10000) {
      return Mebibytes{std::int64_t{gib} * 1024};
    }
  }
  return std::nullopt;
}

/// The rest of the first of the node's features that begins with one of the prefixes, in lower case and without a
/// separator in front.
template <std::size_t N>
std::string feature_after(const Node& node, const std::array<std::string_view, N>& prefixes) {
  for (const std::string& feature : node.features) {
    const std::string text = lower(feature);
    for (const std::string_view prefix : prefixes) {
      if (!text.starts_with(prefix)) continue;
      const std::size_t begin = text.find_first_not_of(":=_-", prefix.size());
      if (begin != std::string::npos) return text.substr(begin);
    }
  }
  return {};
}

/// "80", "80g", "80gb".
std::optional<Mebibytes> memory_of(std::string_view text) {
  int gib = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), gib);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const bool known = unit.empty() || unit == "g" || unit == "gb";
  if (fault != std::errc() || !known || gib <= 0 || gib > 999) return std::nullopt;
  return Mebibytes{std::int64_t{gib} * 1024};
}

/// What a site's features say of the GPUs: Sherlock's "GPU_MEM:80GB", "gpuram48G", "vram80".
std::optional<Mebibytes> memory_in_features(const Node& node) {
  constexpr std::array<std::string_view, 5> prefixes{"gpu_mem", "gpumem", "gpu_ram", "gpuram", "vram"};
  return memory_of(feature_after(node, prefixes));
}

/// "GPU_SKU:A100_SXM4", for sites whose gres has no type.
std::string type_in_features(const Node& node) {
  constexpr std::array<std::string_view, 4> prefixes{"gpu_sku:", "gpu_type:", "gpu_sku=", "gpu_type="};
  return feature_after(node, prefixes);
}

bool has_feature_of(const Node& node, const GpuModel& model) {
  return std::any_of(model.features.begin(), model.features.end(), [&](const std::string& feature) {
    return std::any_of(node.features.begin(), node.features.end(),
                       [&](const std::string& has) { return lower(has) == lower(feature); });
  });
}

using Candidates = std::vector<const GpuModel*>;

Candidates candidates_for(const GpuCatalogue& catalogue, const GpuPool& pool) {
  Candidates candidates;
  std::size_t longest = 1;
  for (const GpuModel& model : catalogue.models) {
    // A slice has neither the memory nor the price of the GPU that its name begins with.
    const bool whole = pool.type.empty() || is_mig_profile(pool.type);
    const std::size_t common = whole ? longest : words_in_common(model, pool.type);
    if (is_mig_profile(pool.type) && !is_of_type(model, pool.type)) continue;
    if (common < longest) continue;
    if (common > longest) candidates.clear();
    longest = common;
    candidates.push_back(&model);
  }
  return candidates;
}

/// The only one of the candidates that passes; null: none does, or several do.
template <typename Test>
const GpuModel* only_one(const Candidates& candidates, Test test) {
  const auto found = std::find_if(candidates.begin(), candidates.end(), test);
  if (found == candidates.end() || std::any_of(found + 1, candidates.end(), test)) return nullptr;
  return *found;
}

const GpuModel* known_model(const GpuCatalogue& catalogue, const Node& node, const GpuPool& pool) {
  const Candidates candidates = candidates_for(catalogue, pool);
  const auto by_feature = std::find_if(candidates.begin(), candidates.end(),
                                       [&](const GpuModel* model) { return has_feature_of(node, *model); });
  if (by_feature != candidates.end()) return *by_feature;
  if (pool.type.empty()) return nullptr;
  if (candidates.size() == 1) return candidates.front();
  auto memory = memory_in_name(pool.type);
  if (!memory) memory = memory_in_features(node);
  const auto has = [&](std::optional<Mebibytes> size) {
    return only_one(candidates, [&](const GpuModel* one) { return size && one->vram == size; });
  };
  if (const GpuModel* model = has(memory)) return model;
  // Princeton's "gpu80"; elsewhere such a number may count GPUs.
  constexpr std::array<std::string_view, 1> bare{"gpu"};
  if (const GpuModel* model = has(memory_of(feature_after(node, bare)))) return model;
  if (memory) return nullptr;
  return only_one(candidates, [](const GpuModel* one) { return one->features.empty(); });
}

}  // namespace

GpuModel identify(const GpuCatalogue& catalogue, const Node& node, const GpuPool& pool) {
  GpuModel model;
  GpuPool typed = pool;
  if (typed.type.empty()) typed.type = type_in_features(node);
  if (const GpuModel* known = known_model(catalogue, node, typed)) {
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
    if (!model.vram) model.vram = memory_in_features(node);
  }
  return model;
}

std::size_t words_in_common(const GpuModel& model, std::string_view name) {
  const Words words(name);
  std::size_t longest = 0;
  for (const std::string& type : model.gres_types) {
    const std::string part = comparable(type);
    if (part.size() > longest && words.has(part)) longest = part.size();
  }
  return longest;
}

bool has_words(std::string_view name, std::string_view part) {
  return Words(name).has(comparable(part));
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
