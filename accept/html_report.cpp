#include "accept/html_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "accept/summary.h"
#include "accept/svg_chart.h"

namespace rv::accept {
namespace {

constexpr auto style = R"(
:root { color-scheme: light dark; --line: #8886; --dim: #777; --pass: #1a7f37; --fail: #cf222e; --skip: #9a6700; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; } h3 { font-size: 1rem; margin-bottom: .3rem; }
.verdict { color: #fff; border-radius: .4rem; padding: .1rem .6rem; }
.verdict.pass { background: var(--pass); } .verdict.fail, .verdict.error { background: var(--fail); }
.verdict.skip { background: var(--skip); }
td.pass { color: var(--pass); } td.fail, td.error { color: var(--fail); font-weight: 600; } td.skip { color: var(--skip); }
.dim { color: var(--dim); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .15rem .8rem .15rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
th.n, td.n { text-align: right; }
ul.findings { padding-left: 1.2rem; } ul.findings li { margin-bottom: .5rem; overflow-wrap: anywhere; }
svg.chart { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: currentColor; } svg .grid { stroke: var(--line); } svg .axis { stroke: currentColor; }
svg .reference { stroke: currentColor; stroke-dasharray: 4 3; }
svg rect.good { fill: #2f81f7; } svg rect.bad { fill: var(--fail); } svg rect.cell { fill: #1f5fbf; }
svg text.on { fill: #fff; }
svg polyline { fill: none; stroke-width: 2; }
svg polyline.c0 { stroke: #2f81f7; } svg .c0:not(polyline) { fill: #2f81f7; }
svg polyline.c1 { stroke: #e3742f; } svg .c1:not(polyline) { fill: #e3742f; }
svg polyline.c2 { stroke: #2da44e; } svg .c2:not(polyline) { fill: #2da44e; }
svg polyline.c3 { stroke: #a371f7; } svg .c3:not(polyline) { fill: #a371f7; }
svg polyline.c4 { stroke: #bf8700; } svg .c4:not(polyline) { fill: #bf8700; }
svg polyline.c5 { stroke: #d64d9c; } svg .c5:not(polyline) { fill: #d64d9c; }
)";

std::string badge(Verdict verdict) {
  return fmt::format("<span class=\"verdict {0}\">{0}</span>", to_string(verdict));
}

std::string plural(int count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string findings_html(const Judgement& judgement) {
  if (judgement.findings.empty()) return "<p>Nothing was found.</p>\n";
  std::string out = "<ul class=\"findings\">\n";
  for (const auto& finding : judgement.findings) {
    const auto rank = finding.rank ? fmt::format(", rank {}", *finding.rank) : std::string();
    out += fmt::format("<li>{} <strong>{}{}</strong>: {}<br><span class=\"dim\">{}</span></li>\n",
                       badge(finding.verdict), escape_html(to_string(finding.subject)), rank, escape_html(finding.what),
                       escape_html(finding.advice));
  }
  return out + "</ul>\n";
}

std::string bars_html(const Judgement& judgement) {
  struct Group {
    std::string unit;
    std::optional<double> reference;
    std::vector<Bar> bars;
  };
  std::vector<std::pair<std::string, Group>> groups;
  for (const auto& judged : judgement.figures) {
    const bool of_a_device = !judged.figure.all_ranks && judged.figure.value && judged.step.starts_with("compute");
    if (!of_a_device) continue;
    const auto name = gives_plain_figures(judged.step) ? judged.figure.name : judged.figure.name + ", " + judged.step;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == name; });
    if (group == groups.end()) group = groups.insert(groups.end(), {name, {judged.figure.unit, std::nullopt, {}}});
    auto label = judged.subject.node;
    if (judged.subject.gpu_index) label += fmt::format(" gpu {}", *judged.subject.gpu_index);
    group->second.bars.push_back({label, *judged.figure.value, judged.verdict == Verdict::pass});
    if (judged.baseline != nullptr) group->second.reference = judged.baseline->value;
  }
  std::string out;
  for (const auto& [name, group] : groups) {
    out += fmt::format("<h3>{}</h3>\n{}", escape_html(name), bars_svg(group.bars, group.unit, group.reference));
  }
  return out.empty() ? out : "<h2>Each GPU</h2>\n<p class=\"dim\">The dashed line is the baseline.</p>\n" + out;
}

std::string curves_html(const Judgement& judgement) {
  std::map<std::string, std::map<std::string, Curve>> by_place;
  for (const auto& judged : judgement.figures) {
    if (judged.figure.suite != "collective" || !judged.figure.value || !judged.key.bytes || judged.key.in_place)
      continue;
    const auto place = place_of(judged.subject);
    auto& curve = by_place[place][judged.key.figure + (judged.key.type == "fp32" ? "" : " " + judged.key.type)];
    curve.name = judged.key.figure;
    curve.points.emplace_back(static_cast<double>(*judged.key.bytes), *judged.figure.value);
  }
  std::string out;
  for (auto& [place, curves] : by_place) {
    std::vector<Curve> list;
    for (auto& [name, curve] : curves) {
      std::sort(curve.points.begin(), curve.points.end());
      list.push_back(std::move(curve));
    }
    out += fmt::format("<h3>{}</h3>\n{}", escape_html(place), curves_svg(list, "GB/s"));
  }
  return out.empty() ? out : "<h2>Bus bandwidth by size</h2>\n" + out;
}

std::string heat_html(const Judgement& judgement) {
  std::string out;
  for (const auto& judged : judgement.figures) {
    const auto matrix = judged.figure.params.find("matrix");
    if (judged.figure.suite != "p2p" || matrix == judged.figure.params.end() || !matrix->is_array()) continue;
    std::vector<std::vector<std::optional<double>>> cells;
    for (const auto& row : *matrix) {
      cells.emplace_back();
      for (const auto& cell : row) {
        cells.back().push_back(cell.is_number() ? std::optional(cell.get<double>()) : std::nullopt);
      }
    }
    const auto place = place_of(judged.subject);
    out += fmt::format("<h3>{}, {}, GB/s</h3>\n<div class=\"scroll\">{}</div>\n", escape_html(place),
                       escape_html(judged.figure.name), heat_map_svg(cells, "GB/s"));
  }
  return out.empty() ? out : "<h2>Between two ranks</h2>\n" + out;
}

std::string tables_html(const Judgement& judgement) {
  std::string out = "<h2>Figures</h2>\n";
  for (const auto& table : summarize(judgement)) {
    out += fmt::format(
        "<h3>{}</h3>\n<div class=\"scroll\"><table>\n<tr><th>figure</th><th class=\"n\">value</th><th>unit"
        "</th><th class=\"n\">spread</th><th class=\"n\">smallest</th><th class=\"n\">baseline</th>"
        "<th class=\"n\">ratio</th><th>verdict</th></tr>\n",
        escape_html(table.title));
    for (const auto& row : table.rows) {
      const auto number = [](const std::optional<double>& value) {
        return value ? figure_text(*value) : std::string();
      };
      out += fmt::format(
          "<tr><td>{}</td><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"{}\">{}</td></tr>\n",
          escape_html(row.name), number(row.value), row.value ? escape_html(row.unit) : "", number(row.spread),
          row.small_us ? figure_text(*row.small_us) + " us" : "", number(row.baseline),
          row.ratio ? fmt::format("{:.2f}", *row.ratio) : "", to_string(row.verdict), to_string(row.verdict));
    }
    out += "</table></div>\n";
  }
  return out;
}

}  // namespace

std::string html_report(const Order& order, const Judgement& judgement, const std::string& where,
                        std::chrono::sys_seconds time) {
  std::string suites;
  for (const auto suite : order.suites) suites += (suites.empty() ? "" : ", ") + std::string(to_string(suite));
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += fmt::format("<title>Acceptance {}: {}</title>\n<style>{}</style>\n</head>\n<body>\n", escape_html(where),
                     to_string(judgement.verdict), style);
  out += fmt::format("<h1>Acceptance {} {}</h1>\n", escape_html(where), badge(judgement.verdict));
  out += fmt::format("<p>{:%Y-%m-%d %H:%M:%S} UTC, {} with {} each, {}: {}</p>\n", time, plural(order.nodes, "node"),
                     plural(order.gpus_per_node, order.device == "cpu" ? "rank" : "GPU"), order.full ? "full" : "quick",
                     escape_html(suites));
  out += "<h2>Findings</h2>\n" + findings_html(judgement);
  if (!judgement.not_available.empty()) {
    std::string list;
    for (const auto& one : judgement.not_available) list += (list.empty() ? "" : ", ") + escape_html(one);
    out += fmt::format("<p class=\"dim\">Not available, so neither good nor bad: {}.</p>\n", list);
  }
  out += bars_html(judgement) + curves_html(judgement) + heat_html(judgement) + tables_html(judgement);
  return out + "</body>\n</html>\n";
}

}  // namespace rv::accept
