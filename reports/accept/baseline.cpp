#include "reports/accept/baseline.h"

#include "base/documents/json_members.h"
#include "shared/documents/json_integer.h"

namespace rv::accept {

bool smaller_is_better(std::string_view unit) {
  return unit == "us" || unit == "ms" || unit == "s";
}

double ratio_to(const Baseline& baseline, double value) {
  return smaller_is_better(baseline.unit) ? baseline.value / value : value / baseline.value;
}

bool is_io(const Figure& figure) {
  return figure.suite == "storage" || figure.suite == "visibility" || figure.suite == "network";
}

bool is_of_model(const Figure& figure) {
  return figure.suite == "model" || figure.suite == "alone";
}

bool is_tail(const Figure& figure) {
  return member_number(figure.params, "quantile") > 0.9;
}

const Baseline* find_baseline(const std::vector<Baseline>& baselines, const FigureKey& key) {
  const Baseline* best = nullptr;
  for (const auto& baseline : baselines) {
    if (baseline.key != key) continue;
    if (best == nullptr || best->published || !baseline.published) best = &baseline;
  }
  return best;
}

FigureKey key_of(const Figure& figure, const std::string& model, int gpus, int nodes, const std::string& fabric) {
  FigureKey key;
  key.gpu = model;
  key.figure = figure.name;
  if (!figure.all_ranks) return key;
  if (is_io(figure)) {
    key.nodes = nodes;
    return key;
  }
  key.gpus = gpus;
  key.nodes = nodes;
  key.fabric = gpus > 1 ? fabric : "";
  if (figure.params.contains("collective")) {
    key.figure = figure.params.value("collective", figure.name);
    key.type = figure.params.value("type", "");
    key.in_place = figure.params.value("in_place", false);
  }
  if (const auto bytes = member_integer<std::uint64_t>(figure.params, "bytes")) key.bytes = *bytes;
  return key;
}

}  // namespace rv::accept
