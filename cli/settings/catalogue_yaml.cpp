#include "cli/settings/catalogue_yaml.h"

#include <algorithm>

#include "base/embedded_file.h"
#include "cli/settings/settings.h"

namespace rv {

namespace {

const std::vector<std::string> model_keys = {"name", "title",        "gres", "features",        "product",
                                             "vram", "interconnect", "mig",  "su_per_gpu_hour", "capability"};

Mebibytes yaml_memory(const YAML::Node& node, const YamlPosition& place) {
  const auto amount = parse_memory(yaml_text(node, place));
  if (!amount || amount->count == 0) {
    refuse_yaml(node, place, "expected an amount of memory", "write it like " + place.key + ": 80G");
  }
  return *amount;
}

void apply_model_key(planner::GpuModel& model, const YamlEntry& entry, const std::string& file) {
  const YamlPosition at{file, entry.name};
  if (entry.name == "title") {
    model.title = yaml_text(entry.value, at);
  } else if (entry.name == "gres") {
    model.gres_types = yaml_texts(entry.value, at);
  } else if (entry.name == "features") {
    model.features = yaml_texts(entry.value, at);
  } else if (entry.name == "product") {
    model.product_pattern = yaml_text(entry.value, at);
  } else if (entry.name == "vram") {
    model.vram = yaml_memory(entry.value, at);
  } else if (entry.name == "interconnect") {
    model.interconnect = yaml_text(entry.value, at);
  } else if (entry.name == "capability") {
    model.capability = yaml_number(entry.value, at, 1, 100);
  } else if (entry.name == "mig") {
    model.mig = yaml_flag(entry.value, at);
  } else if (entry.name == "su_per_gpu_hour") {
    model.su_per_gpu_hour = yaml_number(entry.value, at, 0, 1e9);
  } else if (entry.name != "name") {
    refuse_key(entry, at, model_keys);
  }
}

}  // namespace

void apply_models(planner::GpuCatalogue& catalogue, const YAML::Node& node, const YamlPosition& place) {
  if (!node.IsSequence()) {
    refuse_yaml(node, place, "expected a list of GPU models", "begin each model with \"- name: a100_80\"");
  }
  for (const YAML::Node& item : node) {
    const std::vector<YamlEntry> entries = yaml_entries(item, place);
    const auto named = std::find_if(entries.begin(), entries.end(), [](const auto& e) { return e.name == "name"; });
    if (named == entries.end()) {
      refuse_yaml(item, place, "a model without a name", "begin each model with \"- name: a100_80\"");
    }
    const std::string name = yaml_text(named->value, {place.file, "name"});
    auto& models = catalogue.models;
    auto model = std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.name == name; });
    if (model == models.end()) {
      planner::GpuModel fresh;
      fresh.name = name;
      fresh.title = name;
      fresh.gres_types = {name};
      model = models.insert(models.end(), std::move(fresh));
    }
    for (const YamlEntry& entry : entries) apply_model_key(*model, entry, place.file);
  }
}

void apply_aliases(planner::GpuCatalogue& catalogue, const YAML::Node& node, const YamlPosition& place) {
  for (const YamlEntry& entry : yaml_entries(node, place)) {
    auto& aliases = catalogue.aliases;
    auto alias = std::find_if(aliases.begin(), aliases.end(), [&](const auto& a) { return a.name == entry.name; });
    if (alias == aliases.end()) alias = aliases.insert(aliases.end(), {entry.name, {}});
    alias->models = yaml_texts(entry.value, {place.file, entry.name});
  }
}

planner::GpuCatalogue built_in_catalogue() {
  planner::GpuCatalogue catalogue;
  const EmbeddedFile& file = embedded::catalogue().front();
  const std::string name(file.name);
  for (const YamlEntry& entry : yaml_entries(parse_yaml(file.text, name), {name, ""})) {
    if (entry.name == "models") {
      apply_models(catalogue, entry.value, {name, entry.name});
    } else if (entry.name == "aliases") {
      apply_aliases(catalogue, entry.value, {name, entry.name});
    } else {
      refuse_key(entry, {name, ""}, {"models", "aliases"});
    }
  }
  return catalogue;
}

}  // namespace rv
