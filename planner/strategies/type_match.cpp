#include "planner/strategies/type_match.h"

#include <algorithm>

#include "base/error.h"
#include "base/nearest_word.h"
#include "base/text.h"
#include "base/wrong_value.h"

namespace rv::planner {

namespace {

using Models = std::vector<GpuModel>;

bool any_is(const std::vector<std::string>& names, const std::string& word) {
  return std::any_of(names.begin(), names.end(), [&](const auto& name) { return comparable(name) == word; });
}

bool has_profile(const std::string& gres_type, const std::string& profile) {
  const std::string type = comparable(gres_type);
  if (!type.ends_with(profile)) return false;
  if (type.size() == profile.size()) return true;
  const char before = lower(gres_type).rbegin()[static_cast<std::ptrdiff_t>(profile.size())];
  return before < '0' || before > '9';  // "2g.20gb" is not part of "12g.20gb"
}

bool is_named(const GpuModel& model, const std::string& word) {
  return comparable(model.name) == word;
}

template <typename Test>
std::vector<std::string> names_where(const Models& models, Test test) {
  std::vector<std::string> names;
  for (const GpuModel& model : models) {
    if (test(model)) names.push_back(model.name);
  }
  return names;
}

/// The models of the alias that the cluster has, in the alias's order.
std::vector<std::string> meant_by(const GpuAlias& alias, const Models& on_cluster) {
  std::vector<std::string> found;
  for (const std::string& name : alias.models) {
    for (auto& one : names_where(on_cluster, [&](const auto& model) { return is_named(model, comparable(name)); })) {
      found.push_back(std::move(one));
    }
  }
  return found;
}

/// The models of the catalogue one of whose gres types is in the word: "h100" for "H100 80GB HBM3".
std::vector<std::string> named_in(const std::string& typed, const GpuCatalogue& catalogue) {
  std::vector<std::string> names;
  std::size_t longest = 1;
  for (const GpuModel& model : catalogue.models) {
    const std::size_t common = words_in_common(model, typed);
    if (common < longest || is_mig_profile(typed)) continue;
    if (common > longest) names.clear();
    longest = common;
    names.push_back(model.name);
  }
  return names;
}

bool is_catalogued(const GpuModel& model, const GpuCatalogue& catalogue) {
  return std::any_of(catalogue.models.begin(), catalogue.models.end(),
                     [&](const GpuModel& one) { return one.name == model.name; });
}

/// What the cluster has of the catalogue's models under this word; empty when nothing.
std::vector<std::string> found_known(const std::string& typed, const GpuCatalogue& catalogue,
                                     const Models& on_cluster) {
  const std::string word = comparable(typed);
  std::vector<std::string> names = names_where(
      on_cluster, [&](const auto& model) { return is_named(model, word) && is_catalogued(model, catalogue); });
  for (const GpuAlias& alias : catalogue.aliases) {
    if (comparable(alias.name) != word) continue;
    for (std::string& name : meant_by(alias, on_cluster)) {
      if (!contains(names, name)) names.push_back(std::move(name));
    }
  }
  const auto first = [&](auto test) {
    if (names.empty()) names = names_where(on_cluster, test);
  };
  first([&](const auto& model) { return is_catalogued(model, catalogue) && comparable(model.title) == word; });
  first([&](const auto& model) { return is_catalogued(model, catalogue) && any_is(model.gres_types, word); });
  first([&](const auto& model) { return any_is(model.features, word); });
  // "4080" of rtx4080
  first([&](const auto& model) { return is_catalogued(model, catalogue) && has_words(model.name, typed); });
  // A profile alone means it whatever whole GPU the site's name says it is of: "a100_2g.20gb", "nvidia_h100_2g.20gb".
  first([&](const auto& model) {
    return is_mig_profile(word) && model.mig &&
           std::any_of(model.gres_types.begin(), model.gres_types.end(),
                       [&](const std::string& type) { return has_profile(type, word); });
  });
  first([&](const auto& model) { return word == "mig" && model.mig; });
  if (names.empty()) {
    const std::vector<std::string> meant = named_in(typed, catalogue);
    first([&](const auto& model) { return contains(meant, model.name); });
  }
  return names;
}

/// What the cluster has under this word; empty when nothing.
std::vector<std::string> found(const std::string& typed, const GpuCatalogue& catalogue, const Models& on_cluster) {
  // Of a model that was made up from a gres type ("a100" of unknown memory) every whole word counts. A slice is not the
  // GPU that its name begins with.
  std::vector<std::string> names = names_where(on_cluster, [&](const auto& model) {
    return !is_catalogued(model, catalogue) &&
           (is_named(model, comparable(typed)) || any_is(model.gres_types, comparable(typed)) ||
            (!model.mig && std::any_of(model.gres_types.begin(), model.gres_types.end(),
                                       [&](const std::string& type) { return has_words(type, typed); })));
  });
  for (std::string& name : found_known(typed, catalogue, on_cluster)) {
    if (!contains(names, name)) names.push_back(std::move(name));
  }
  return names;
}

bool is_known(const std::string& typed, const GpuCatalogue& catalogue) {
  const std::string word = comparable(typed);
  const bool model = std::any_of(catalogue.models.begin(), catalogue.models.end(), [&](const GpuModel& one) {
    return is_named(one, word) || comparable(one.title) == word || any_is(one.gres_types, word) ||
           any_is(one.features, word) || has_words(one.name, typed);
  });
  const bool alias = std::any_of(catalogue.aliases.begin(), catalogue.aliases.end(),
                                 [&](const GpuAlias& one) { return comparable(one.name) == word; });
  return model || alias || word == "mig" || is_mig_profile(word) || !named_in(typed, catalogue).empty();
}

std::string what_there_is(const Models& on_cluster) {
  std::vector<std::string> names;
  for (const GpuModel& model : on_cluster) {
    if (!contains(names, model.name)) names.push_back(model.name);
  }
  return names.empty() ? "this cluster has no GPUs" : "this cluster has " + listed(names);
}

Error unknown_type(const std::string& word, const GpuCatalogue& catalogue, const Models& on_cluster,
                   const std::string& option) {
  std::vector<std::string> known = names_where(on_cluster, [](const auto&) { return true; });
  for (const GpuAlias& alias : catalogue.aliases) {
    if (!meant_by(alias, on_cluster).empty()) known.push_back(alias.name);
  }
  std::string advice;
  if (const auto near = nearest_words(comparable(word), known); !near.empty()) {
    advice = "did you mean " + listed(near) + "? ";
  }
  return wrong_value(option, word, "a GPU type", advice + what_there_is(on_cluster));
}

}  // namespace

TypeMatch match_types(const std::vector<std::string>& words, const GpuCatalogue& catalogue, const Models& on_cluster,
                      const std::string& option) {
  TypeMatch match;
  for (const std::string& typed : words) {
    const std::vector<std::string> names = found(typed, catalogue, on_cluster);
    for (const std::string& name : names) {
      if (!contains(match.models, name)) match.models.push_back(name);
    }
    if (!names.empty()) continue;
    if (!is_known(typed, catalogue)) throw unknown_type(typed, catalogue, on_cluster, option);
    match.absent.push_back({typed, "no node has this type: " + what_there_is(on_cluster)});
  }
  return match;
}

}  // namespace rv::planner
