#include "reports/accept/page/node_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/natural_order.h"
#include "base/text.h"
#include "reports/pages/html.h"

namespace rv::accept {

using pages::escape_html;
namespace {

constexpr int together = -1;
/// More rows than these of nodes that passed are folded.
constexpr std::size_t most_rows = 16;

// Verdicts by GPU, or `together`.
using Cell = std::map<int, std::vector<Verdict>>;
using Row = std::map<Suite, Cell>;
using Nodes = std::map<std::string, Row, NaturalOrder>;
using Rows = std::vector<const Nodes::value_type*>;

std::string square(const std::string& title, Verdict verdict, bool wide) {
  return fmt::format("<i class=\"{}{}\" title=\"{}: {}\"></i>", to_string(verdict), wide ? " wide" : "",
                     escape_html(title), to_string(verdict));
}

std::string cell_html(const Cell& cell) {
  std::string out;
  for (const auto& [gpu, verdicts] : cell) {
    const bool all = gpu == together;
    out += square(all ? std::string("together") : fmt::format("gpu {}", gpu), fold(verdicts), all);
  }
  return out;
}

/// Whether a finding is about a skipped figure's place and step: under --strict one is about each.
bool is_found(const JudgedFigure& judged, const Judgement& judgement) {
  return std::any_of(judgement.findings.begin(), judgement.findings.end(), [&](const Finding& finding) {
    return finding.verdict == Verdict::skip && finding.step == judged.step && finding.subject == judged.subject;
  });
}

Nodes nodes_of(const Order& order, const Judgement& judgement) {
  Nodes nodes;
  std::map<std::string, Suite> suites;
  for (const auto& step : steps_of(order)) suites.emplace(step.name, step.suite);
  for (const auto& judged : judgement.figures) {
    const auto suite = suites.find(judged.step);
    if (judged.subject.node.empty() || suite == suites.end()) continue;
    // A reading that nobody could take is neither good nor bad, as in the verdict.
    if (judged.figure.reason == "not_available" && !is_found(judged, judgement)) continue;
    nodes[judged.subject.node][suite->second][judged.subject.gpu_index.value_or(together)].push_back(judged.verdict);
  }
  // What was found about a GPU when ranks worked together, on one node or on many, is in no figure of its own.
  for (const auto& finding : judgement.findings) {
    const auto node = nodes.find(finding.subject.node);
    if (node == nodes.end() || !finding.subject.gpu_index || !finding.rank) continue;
    // A model's findings are its own; what is slow between ranks or at work shows in what all of them do together.
    const auto own = suites.find(finding.step);
    if (own != suites.end() && times_a_model(own->second)) {
      node->second[own->second][*finding.subject.gpu_index].push_back(finding.verdict);
      continue;
    }
    for (const auto suite : {Suite::collective, Suite::ddp}) {
      if (order.has(suite)) node->second[suite][*finding.subject.gpu_index].push_back(finding.verdict);
    }
  }
  return nodes;
}

bool passed(const Row& row) {
  for (const auto& [suite, cell] : row) {
    for (const auto& [gpu, verdicts] : cell) {
      if (fold(verdicts) != Verdict::pass) return false;
    }
  }
  return true;
}

std::string table_html(const Order& order, const Rows& rows) {
  if (rows.empty()) return "";
  std::string out = "<div class=\"scroll\"><table class=\"grid\">\n<tr><th>node</th>";
  for (const auto suite : order.suites) out += fmt::format("<th>{}</th>", to_string(suite));
  out += "</tr>\n";
  for (const auto* row : rows) {
    out += fmt::format("<tr><td>{}</td>", escape_html(row->first));
    for (const auto suite : order.suites) {
      const auto cell = row->second.find(suite);
      out += fmt::format("<td>{}</td>", cell == row->second.end() ? "" : cell_html(cell->second));
    }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string tiles_html(const Rows& rows) {
  std::string out = "<div class=\"tiles\">\n";
  for (const auto* row : rows) out += fmt::format("<span><i class=\"pass\"></i>{}</span>\n", escape_html(row->first));
  return out + "</div>\n";
}

}  // namespace

std::string node_grid_html(const Order& order, const Judgement& judgement) {
  const auto nodes = nodes_of(order, judgement);
  if (nodes.empty()) return "";
  Rows good, bad;
  for (const auto& node : nodes) (passed(node.second) ? good : bad).push_back(&node);
  constexpr auto legend =
      "<p class=\"dim legend\"><span><i class=\"pass\"></i>pass</span> <span><i class=\"fail\"></i>fail, error</span> "
      "<span><i class=\"skip\"></i>skip</span> <span>a square is one GPU, a wide field is all GPUs "
      "together</span></p>\n";
  const auto all = static_cast<long long>(nodes.size());
  const auto words = fmt::format("<p>{} of {} passed every suite.</p>\n", good.size(), counted(all, "node"));
  if (good.size() <= most_rows) {
    Rows rows = bad;
    rows.insert(rows.end(), good.begin(), good.end());
    return words + table_html(order, rows) + legend;
  }
  return words + table_html(order, bad) + tiles_html(good) + legend +
         pages::folded(
             fmt::format("{} that passed, suite by suite", counted(static_cast<long long>(good.size()), "node")),
             table_html(order, good));
}

}  // namespace rv::accept
