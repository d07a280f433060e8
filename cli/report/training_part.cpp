#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/text.h"
#include "cli/report/parts.h"
#include "reports/pages/html.h"
#include "reports/pages/training_curves.h"

namespace rv::cli {
namespace {

std::string facts_html(const std::string& file, const nlohmann::ordered_json& results) {
  std::string out = fmt::format("<p class=\"dim\">{}</p>\n<dl class=\"facts\">\n", pages::escape_html(file));
  const auto fact = [&](const char* name, const char* key) {
    const auto found = results.find(key);
    if (found == results.end() || found->is_null() || found->is_structured()) return;
    const auto text = found->is_string()         ? found->get<std::string>()
                      : found->is_number_float() ? fmt::format("{:.4g}", found->get<double>())
                                                 : found->dump();
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, pages::escape_html(one_line(text)));
  };
  fact("model", "model");
  fact("ranks", "world_size");
  fact("precision", "precision");
  fact("samples a step", "global_batch_size");
  fact("samples a second", "throughput_samples_per_second");
  fact("seconds a step", "average_step_time_seconds");
  fact("over", "backend");
  return out + "</dl>\n";
}

}  // namespace

std::string training_html(const RunStory& story) {
  std::string out;
  for (const auto& [file, text] : story.results) {
    const auto results = parse_json_or_discard<nlohmann::ordered_json>(text);
    auto training = pages::training_of_results(results);
    if (training) out += facts_html(file, results) + pages::training_html({std::move(*training)});
  }
  return out;
}

}  // namespace rv::cli
