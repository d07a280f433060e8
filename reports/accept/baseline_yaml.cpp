#include "reports/accept/baseline_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/documents/yaml_reader.h"
#include "base/embedded_file.h"
#include "base/error.h"
#include "base/trust/regular_file.h"
#include "reports/accept/small_message.h"
#include "shared/median.h"

namespace rv::accept {
namespace {

const std::vector<std::string> known_keys = {"gpu",      "figure", "gpus",     "nodes", "fabric", "type",     "bytes",
                                             "in_place", "unit",   "at_least", "value", "source", "published"};

void read_key(accept::Baseline& baseline, const YamlEntry& entry, const YamlPosition& at) {
  auto& key = baseline.key;
  if (entry.name == "gpu") {
    key.gpu = yaml_text(entry.value, at);
  } else if (entry.name == "figure") {
    key.figure = yaml_text(entry.value, at);
  } else if (entry.name == "gpus") {
    key.gpus = yaml_count(entry.value, at, 1, 1 << 20);
  } else if (entry.name == "nodes") {
    key.nodes = yaml_count(entry.value, at, 1, 1 << 20);
  } else if (entry.name == "fabric") {
    key.fabric = yaml_text(entry.value, at);
  } else if (entry.name == "type") {
    key.type = yaml_text(entry.value, at);
  } else if (entry.name == "bytes") {
    key.bytes = static_cast<std::uint64_t>(yaml_number(entry.value, at, 1, 9e15));
  } else if (entry.name == "in_place") {
    key.in_place = yaml_flag(entry.value, at);
  } else if (entry.name == "unit") {
    baseline.unit = yaml_text(entry.value, at);
  } else if (entry.name == "value") {
    baseline.value = yaml_number(entry.value, at, 1e-12, 1e12);
  } else if (entry.name == "at_least") {
    baseline.at_least = yaml_number(entry.value, at, 0.01, 1);
  } else if (entry.name == "source") {
    baseline.source = yaml_text(entry.value, at);
  } else if (entry.name == "published") {
    baseline.published = yaml_flag(entry.value, at);
  } else {
    refuse_key(entry, at, known_keys);
  }
}

void check_whole(const accept::Baseline& baseline, const YAML::Node& item, const YamlPosition& place) {
  for (const auto& [name, missing] : {std::pair{"gpu", baseline.key.gpu.empty()},
                                      {"figure", baseline.key.figure.empty()},
                                      {"unit", baseline.unit.empty()},
                                      {"value", baseline.value <= 0},
                                      {"source", baseline.source.empty()}}) {
    if (missing) {
      refuse_yaml(item, place, fmt::format("a baseline needs {}", name),
                  "rv accept --save-baseline FILE writes a valid file");
    }
  }
}

/// An item is a baseline, or has `figures`: a list of baselines that share the item's other keys.
void read_item(const YAML::Node& item, const YamlPosition& place, const accept::Baseline& shared,
               std::vector<accept::Baseline>& baselines) {
  accept::Baseline baseline = shared;
  std::optional<YAML::Node> figures;
  for (const YamlEntry& entry : yaml_entries(item, place)) {
    if (entry.name == "figures") {
      figures = entry.value;
    } else {
      read_key(baseline, entry, {place.file, entry.name});
    }
  }
  if (!figures) {
    check_whole(baseline, item, place);
    if (accept::is_small_message(baseline.key)) {
      if (const auto time = accept::latency_us(baseline)) {
        baseline.value = *time;
        baseline.unit = "us";
      }
    }
    baselines.push_back(std::move(baseline));
    return;
  }
  if (!figures->IsSequence()) {
    refuse_yaml(*figures, {place.file, "figures"}, "expected a list of baselines",
                "begin each with \"- figure: gemm_bf16\"");
  }
  for (const YAML::Node& figure : *figures) read_item(figure, place, baseline, baselines);
}

std::string line_of(const accept::Baseline& baseline) {
  const auto& key = baseline.key;
  YAML::Emitter line;
  line << YAML::Flow << YAML::BeginMap << YAML::Key << "figure" << YAML::Value << key.figure;
  if (key.gpus > 1) line << YAML::Key << "gpus" << YAML::Value << key.gpus;
  if (key.nodes > 1) line << YAML::Key << "nodes" << YAML::Value << key.nodes;
  if (!key.fabric.empty()) line << YAML::Key << "fabric" << YAML::Value << key.fabric;
  if (!key.type.empty()) line << YAML::Key << "type" << YAML::Value << key.type;
  if (key.bytes) line << YAML::Key << "bytes" << YAML::Value << *key.bytes;
  if (key.in_place) line << YAML::Key << "in_place" << YAML::Value << true;
  line << YAML::Key << "value" << YAML::Value << fmt::format("{:.4g}", baseline.value);
  line << YAML::Key << "unit" << YAML::Value << baseline.unit;
  line << YAML::Key << "at_least" << YAML::Value << fmt::format("{:.2f}", baseline.at_least);
  line << YAML::EndMap;
  return line.c_str();
}

/// How far below its baseline a healthy one still is: small messages and times of microseconds vary most, then what
/// many GPUs do together.
double room_for(const accept::FigureKey& key, const std::string& unit) {
  if (unit == "us" || accept::is_small_message(key)) return 0.5;
  return key.gpus > 1 ? 0.85 : 0.92;
}

}  // namespace

std::vector<accept::Baseline> parse_baselines(std::string_view text, const std::string& file) {
  std::vector<accept::Baseline> baselines;
  const YAML::Node document = parse_yaml(text, file);
  if (document.IsNull()) return baselines;
  if (!document.IsSequence()) {
    refuse_yaml(document, {file, ""}, "expected a list of baselines",
                "rv accept --save-baseline FILE writes a valid file");
  }
  for (const YAML::Node& item : document) read_item(item, {file, ""}, {}, baselines);
  return baselines;
}

std::vector<accept::Baseline> baselines_with(const std::string& path, const std::string& named_by) {
  const EmbeddedFile& own = embedded::baselines().front();
  auto baselines = parse_baselines(own.text, std::string(own.name));
  if (path.empty()) return baselines;
  const auto text = trust::read_beginning(path, trust::largest_text + 1);
  if (!text || text->size() > trust::largest_text) {
    throw Error(fmt::format("{}: can't read \"{}\"", named_by, path),
                "rv accept --save-baseline FILE writes a valid file", ExitCode::usage);
  }
  auto more = parse_baselines(*text, path);
  baselines.insert(baselines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return baselines;
}

std::string baselines_yaml(const accept::Judgement& judgement, const std::string& source) {
  struct Group {
    accept::FigureKey key;
    std::string unit;
    std::vector<double> values;
    bool loose = false;  // shared with others, or of few steps: half of it is still healthy
  };
  std::vector<Group> groups;
  for (const auto& judged : judgement.figures) {
    // A loss or a time of the toy training says nothing about a healthy machine's speed.
    const bool speed = judged.figure.suite != "train" && judged.figure.suite != "ddp" &&
                       judged.figure.suite != "health" && judged.figure.suite != "straggler" &&
                       !judged.figure.params.contains("by");  // another program
    if (!speed || !judged.figure.value || !(*judged.figure.value > 0)) continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.key == judged.key; });
    if (group == groups.end())
      group = groups.insert(groups.end(),
                            {judged.key, judged.figure.unit, {}, is_io(judged.figure) || is_tail(judged.figure)});
    group->values.push_back(*judged.figure.value);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.key.gpu < b.key.gpu; });
  std::string out, gpu;
  for (const auto& group : groups) {
    if (out.empty() || group.key.gpu != gpu) {
      gpu = group.key.gpu;
      YAML::Emitter name, from;
      name << gpu;
      from << YAML::DoubleQuoted << source;
      out += fmt::format("- gpu: {}\n  source: {}\n  figures:\n", name.c_str(), from.c_str());
    }
    accept::Baseline baseline;
    baseline.key = group.key;
    baseline.value = median(group.values);
    baseline.unit = group.unit;
    baseline.at_least = group.loose ? 0.5 : room_for(group.key, group.unit);
    out += "    - " + line_of(baseline) + "\n";
  }
  return out;
}

}  // namespace rv::accept
