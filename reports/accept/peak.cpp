#include "reports/accept/peak.h"

#include <map>
#include <string_view>
#include <vector>

#include "base/documents/yaml_reader.h"
#include "base/embedded_file.h"
#include "base/regex_pattern.h"

namespace rv::accept {
namespace {

struct Peaks {
  std::string product;
  std::map<std::string, double> by_kind;
};

std::vector<Peaks> read_peaks() {
  std::string_view text;
  for (const auto& file : embedded::baselines()) {
    if (file.name == "peaks.yaml") text = file.text;
  }
  std::vector<Peaks> all;
  const std::string name = "peaks.yaml";
  for (const YAML::Node& item : parse_yaml(text, name)) {
    auto& one = all.emplace_back();
    for (const auto& entry : yaml_entries(item, {name, ""})) {
      if (entry.name == "product") {
        one.product = "(" + yaml_text(entry.value, {name, entry.name}) + ")";
      } else {
        one.by_kind[entry.name] = yaml_number(entry.value, {name, entry.name}, 0.1, 1e6);
      }
    }
  }
  return all;
}

std::string kind_of(const std::string& figure) {
  if (figure.starts_with("gemm_")) return figure.substr(5);
  if (figure == "copy" || figure == "scale" || figure == "add" || figure == "triad") return "memory";
  if (figure == "h2d" || figure == "d2h") return "link";
  return "";
}

std::optional<double> peak_of_kind(const std::string& model, const std::string& kind) {
  static const auto all = read_peaks();
  for (const auto& one : all) {
    if (!RegexPattern(one.product).first_group(model)) continue;
    const auto found = one.by_kind.find(kind);
    return found == one.by_kind.end() ? std::nullopt : std::optional(found->second);
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> peak_of(const std::string& model, const std::string& figure) {
  return peak_of_kind(model, kind_of(figure));
}

std::optional<double> peak_of_products(const std::string& model, const std::string& type) {
  return peak_of_kind(model, type);
}

}  // namespace rv::accept
