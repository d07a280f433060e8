#include "reports/accept/page/html_report.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "reports/accept/causes.h"
#include "reports/accept/page/collective_charts.h"
#include "reports/accept/page/each_gpu.h"
#include "reports/accept/page/figure_tables.h"
#include "reports/accept/page/node_grid.h"
#include "reports/accept/page/pair_map.h"
#include "reports/accept/page/trainings.h"
#include "reports/pages/html.h"

namespace rv::accept {

using pages::escape_html;

namespace {

constexpr auto style = R"(
table.grid td { padding: .12rem 1rem .12rem 0; line-height: 1.2; }
table.grid td:first-child, table.grid th:first-child { position: sticky; left: 0; background: var(--paper); }
i.pass, i.fail, i.error, i.skip { display: inline-block; width: .7rem; height: .7rem; margin-right: 2px; border-radius: 2px; }
i.wide { width: 1.5rem; } i.pass { background: var(--pass); } i.fail, i.error { background: var(--fail); } i.skip { background: var(--skip); }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); gap: .1rem .8rem; margin: .7rem 0; font-size: .85rem; }
.tiles span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .tiles i, .legend i { margin-right: .35rem; }
.legend span { margin-right: 1rem; white-space: nowrap; } .legend span:last-child { white-space: normal; }
.bars { display: grid; grid-template-columns: minmax(5rem, max-content) minmax(4rem, 1fr) max-content max-content; gap: .3rem .9rem; max-width: 60rem; align-items: center; }
.bars > span { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; } .bars .n { text-align: right; }
.track { position: relative; height: 1.15rem; } .track.of-peak { background: var(--soft); box-shadow: inset -1px 0 0 var(--dim); }
.track b { position: absolute; top: .15rem; height: .6rem; border-radius: 2px; } .track b.good { background: var(--c0); } .track b.bad { background: var(--fail); }
.track u { position: absolute; bottom: 0; height: .3rem; margin-left: -1px; border-left: 2px solid var(--ink); }
table.matrix td, table.matrix th { padding-right: .8rem; } table.matrix th { white-space: nowrap; }
table.matrix td:first-child, table.matrix th:first-child { position: sticky; left: 0; background: var(--paper); }
@media (max-width: 480px) { .bars { grid-template-columns: minmax(4.5rem, 7rem) minmax(3rem, 1fr) max-content; } .bars .dim { display: none; } }
)";

/// More causes than these are folded.
constexpr std::size_t most_causes = 12;

std::string badge(Verdict verdict) {
  return fmt::format("<span class=\"verdict {0}\">{0}</span>", to_string(verdict));
}

std::string finding_html(const Finding& finding) {
  const auto rank = finding.rank ? fmt::format(", rank {}", *finding.rank) : std::string();
  return fmt::format("<li>{} {}{}: {}</li>\n", badge(finding.verdict), escape_html(to_string(finding.subject)), rank,
                     escape_html(finding.what));
}

std::string cause_html(const Cause& cause) {
  const auto more = cause.findings.size() - 1;
  auto out = fmt::format(
      "<div class=\"cause {}\"><details><summary>{} <strong>{}</strong>: {}{}</summary>\n"
      "<ul class=\"findings\">\n",
      to_string(cause.verdict), badge(cause.verdict), escape_html(cause.title), escape_html(cause.findings[0]->what),
      more == 0 ? "" : fmt::format(" <span class=\"dim\">and {} more</span>", more));
  for (const auto* finding : cause.findings) out += finding_html(*finding);
  return out + fmt::format("</ul></details>\n<p class=\"advice\">{}</p></div>\n", escape_html(cause.advice));
}

std::string findings_html(const Judgement& judgement) {
  if (judgement.findings.empty()) return "<p>No findings.</p>\n";
  std::string first, others;
  std::size_t shown = 0;
  for (const auto& cause : causes_of(judgement.findings)) (shown++ < most_causes ? first : others) += cause_html(cause);
  if (others.empty()) return first;
  return first +
         pages::folded(fmt::format("{} more", counted(static_cast<long long>(shown - most_causes), "cause")), others);
}

std::string not_available_html(const Judgement& judgement) {
  std::string list;
  for (const auto& one : judgement.not_available) list += (list.empty() ? "" : ", ") + escape_html(one);
  if (list.empty()) return "";
  return pages::folded(fmt::format("{} not available, so not judged",
                                   counted(static_cast<long long>(judgement.not_available.size()), "reading")),
                       fmt::format("<p class=\"dim\">{}</p>\n", list));
}

/// "vm · 1× NVIDIA H100 80GB HBM3 · pass": the machine and what was judged.
std::string title_of(const Order& order, const std::set<std::string>& models, const Judgement& judgement,
                     const std::string& host) {
  const int each = order.nodes * order.gpus_per_node;
  const auto place = order.nodes > 1 ? counted(order.nodes, "node") : host;
  const auto gear = order.device == "cpu" ? counted(each, "rank") + " on CPUs"
                    : models.empty()      ? counted(each, "GPU")
                                          : fmt::format("{}× {}", each, joined({models.begin(), models.end()}));
  return fmt::format("{} · {} · {}", place, gear, to_string(judgement.verdict));
}

}  // namespace

std::string html_report(const Order& order, const Judgement& judgement, const std::string& where,
                        const pages::About& about) {
  std::string suites;
  std::set<std::string> models;
  for (const auto& judged : judgement.figures) {
    if (judged.subject.gpu_index && !judged.subject.model.empty()) models.insert(judged.subject.model);
  }
  const auto model = models.empty() ? "" : " (" + escape_html(joined({models.begin(), models.end()})) + ")";
  for (const auto suite : order.suites) suites += (suites.empty() ? "" : ", ") + std::string(to_string(suite));
  const auto title = title_of(order, models, judgement, about.host.empty() ? where : about.host);
  pages::Page page(title, style);
  page.heading(fmt::format("{} {}", escape_html(title.substr(0, title.rfind(" · "))), badge(judgement.verdict)));
  page.lead(fmt::format("<p>Acceptance {}: {} with {}{} each, {}: {}</p>\n", escape_html(where),
                        counted(order.nodes, "node"),
                        counted(order.gpus_per_node, order.device == "cpu" ? "rank" : "GPU"), model,
                        order.full ? "full" : "quick", escape_html(suites)));
  page.section("Nodes", node_grid_html(order, judgement));
  page.section("Findings", findings_html(judgement) + not_available_html(judgement));
  page.section("Each GPU", each_gpu_html(judgement));
  page.section("Bandwidth of large messages", bandwidth_html(judgement));
  page.section("Latency of small messages", latency_html(judgement));
  page.section("Between two ranks", pairs_html(judgement));
  page.section("Training", trainings_html(judgement));
  page.section("Figures", figure_tables_html(judgement));
  return page.html(about);
}

}  // namespace rv::accept
