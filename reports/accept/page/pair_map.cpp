#include "reports/accept/page/pair_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "reports/accept/summary.h"
#include "reports/pages/html.h"
#include "reports/pages/svg.h"
#include "shared/median.h"

namespace rv::accept {

using pages::escape_html;
using pages::scrolling;
using pages::svg_begin;
using pages::svg_text;

namespace {

using Matrix = std::vector<std::vector<std::optional<double>>>;

/// More nodes' maps than these are folded into one.
constexpr std::size_t most_places = 4;

Matrix matrix_of(const nlohmann::ordered_json& rows) {
  Matrix cells;
  for (const auto& row : rows) {
    auto& line = cells.emplace_back();
    for (const auto& cell : row) line.push_back(cell.is_number() ? std::optional(cell.get<double>()) : std::nullopt);
  }
  return cells;
}

Matrix median_of(const std::vector<const Matrix*>& all) {
  Matrix out = *all.front();
  for (std::size_t from = 0; from < out.size(); ++from) {
    for (std::size_t to = 0; to < out[from].size(); ++to) {
      std::vector<double> values;
      for (const auto* one : all) {
        if (from < one->size() && to < (*one)[from].size() && (*one)[from][to]) values.push_back(*(*one)[from][to]);
      }
      out[from][to] = values.empty() ? std::nullopt : std::optional(median(values));
    }
  }
  return out;
}

struct PairMap {
  std::string place, unit;
  bool node = false, bad = false;
  Matrix matrix;
};

std::string figure_html(const std::string& figure, const std::vector<PairMap>& maps) {
  const auto nodes = std::count_if(maps.begin(), maps.end(), [](const auto& one) { return one.node; });
  std::vector<const Matrix*> folded;
  std::string out;
  std::size_t shown = 0;
  for (const auto& one : maps) {
    const bool alone =
        !one.node || static_cast<std::size_t>(nodes) <= most_places || (one.bad && shown < 2 * most_places);
    if (!alone) {
      folded.push_back(&one.matrix);
      continue;
    }
    ++shown;
    out += fmt::format("<h3>{}, {}, {}</h3>\n{}", escape_html(one.place), escape_html(figure), escape_html(one.unit),
                       scrolling(pair_map_svg(one.matrix, one.unit)));
  }
  if (folded.empty()) return out;
  return out + fmt::format("<h3>{} each, their medians, {}, {}</h3>\n{}",
                           counted(static_cast<long long>(folded.size()), "node"), escape_html(figure),
                           escape_html(maps.front().unit),
                           scrolling(pair_map_svg(median_of(folded), maps.front().unit)));
}

}  // namespace

std::string pair_map_svg(const Matrix& matrix, const std::string& unit) {
  const auto size = static_cast<int>(matrix.size());
  if (size == 0) return "";
  const bool numbers = size <= 16;
  const int cell = numbers ? 52 : size <= 64 ? 16 : 4, margin = 44, each = std::max(1, 20 / cell);
  double most = 0;
  for (const auto& cells : matrix) {
    for (const auto& value : cells) most = std::max(most, value.value_or(0));
  }
  std::string out = svg_begin(margin + size * cell + 4, margin + size * cell + 4, "heat");
  out += svg_text(4, 14, "start", "from \\ to");
  for (int i = 0; i < size; i += each) {
    out += svg_text(margin + (i + 0.5) * cell, margin - 8, "middle", std::to_string(i));
    out += svg_text(margin - 8, margin + (i + 0.5) * cell + 4, "end", std::to_string(i));
  }
  // Of hundreds of ranks a path for each shade: a rectangle for each pair would be most of the page.
  constexpr int levels = 10;
  std::vector<std::string> shades(levels);
  for (int from = 0; from < size; ++from) {
    const auto& cells = matrix[static_cast<std::size_t>(from)];
    for (int to = 0; to < size && to < static_cast<int>(cells.size()); ++to) {
      const auto& value = cells[static_cast<std::size_t>(to)];
      if (!value) continue;
      const double share = most > 0 ? *value / most : 0;
      if (!numbers) {
        shades[static_cast<std::size_t>(std::clamp(static_cast<int>(share * levels), 0, levels - 1))] +=
            fmt::format("M{},{}h{}v{}h-{}z", margin + to * cell, margin + from * cell, cell - 1, cell - 1, cell - 1);
        continue;
      }
      out += fmt::format(
          "<rect class=\"cell\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" style=\"fill-opacity:{:.2f}\">"
          "<title>{} to {}: {} {}</title></rect>\n",
          margin + to * cell + 1, margin + from * cell + 1, cell - 2, cell - 2, 0.08 + 0.92 * share, from, to,
          figure_text(*value), escape_html(unit));
      // Light letters on what is dark.
      out += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                         share > 0.55 ? "on" : "off", margin + (to + 0.5) * cell, margin + (from + 0.5) * cell + 4,
                         figure_text(*value));
    }
  }
  for (std::size_t level = 0; level < levels; ++level) {
    if (shades[level].empty()) continue;
    out += fmt::format("<path class=\"cell\" style=\"fill-opacity:{:.2f}\" d=\"{}\"/>\n",
                       0.08 + 0.92 * static_cast<double>(level) / (levels - 1), shades[level]);
  }
  return out + "</svg>\n";
}

std::string pairs_html(const Judgement& judgement) {
  std::vector<std::pair<std::string, std::vector<PairMap>>> by_figure;
  for (const auto& judged : judgement.figures) {
    const auto matrix = judged.figure.params.find("matrix");
    const bool pairs = judged.figure.suite == "p2p" || judged.figure.suite == "network";
    if (!pairs || matrix == judged.figure.params.end() || !matrix->is_array()) continue;
    auto found = std::find_if(by_figure.begin(), by_figure.end(),
                              [&](const auto& one) { return one.first == judged.figure.name; });
    if (found == by_figure.end()) found = by_figure.insert(by_figure.end(), {judged.figure.name, {}});
    found->second.push_back({place_of(judged.subject), unit_text(judged.figure.unit), !judged.subject.node.empty(),
                             judged.verdict != Verdict::pass, matrix_of(*matrix)});
  }
  std::string out;
  for (const auto& [figure, maps] : by_figure) out += figure_html(figure, maps);
  return out;
}

}  // namespace rv::accept
