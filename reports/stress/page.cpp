#include "reports/stress/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "base/text.h"
#include "base/version.h"
#include "base/walltime.h"
#include "reports/pages/html.h"
#include "reports/pages/line_chart.h"
#include "reports/pages/live_chart.h"
#include "shared/time_text.h"

namespace rv::stress {

using pages::escape_html;

namespace {

constexpr auto style = R"(
td.why:not(:empty), td.words:not(:empty) { white-space: normal; overflow-wrap: anywhere; min-width: 12rem; } .critical { color: var(--fail); font-weight: 600; }
.warning { color: var(--skip); } .good { color: var(--pass); }
)";

constexpr std::size_t most_messages = 200;
/// More workers than these are folded, and more nodes than these that did well.
constexpr std::size_t most_rows = 16, most_nodes = 4;

std::string badge(Verdict verdict) {
  return fmt::format("<span class=\"verdict {0}\">{0}</span>", to_string(verdict));
}

std::string table(const std::string& titles, const std::string& rows) {
  return rows.empty() ? "" : "<div class=\"scroll\"><table>\n<tr>" + titles + "</tr>\n" + rows + "</table></div>\n";
}

std::string cell(double value, int decimals) {
  return fmt::format("<td class=\"n\">{:.{}f}</td>", value, decimals);
}

std::string mib_cell(const std::optional<double>& bytes) {
  return bytes ? cell(*bytes / (1 << 20), 0) : "<td class=\"n\">—</td>";
}

std::string finding_html(const Finding& finding) {
  const auto word = finding.verdict == Verdict::pass ? "<span class=\"dim\">tolerated</span>" : badge(finding.verdict);
  return fmt::format("{} <strong>{}</strong>: {}", word, escape_html(finding.where), escape_html(finding.what));
}

/// Those with one advice have one cause, as far as anybody can tell: the worst is seen, the others are folded.
std::string cause_html(const std::vector<const Finding*>& findings) {
  std::string others;
  for (std::size_t i = 1; i < findings.size(); ++i) others += "<li>" + finding_html(*findings[i]) + "</li>\n";
  return fmt::format("<div class=\"cause {}\"><p>{}</p>\n{}<p class=\"advice\">{}</p></div>\n",
                     to_string(findings.front()->verdict), finding_html(*findings.front()),
                     pages::folded(fmt::format("and {} more", findings.size() - 1),
                                   others.empty() ? "" : "<ul class=\"findings\">" + others + "</ul>"),
                     escape_html(findings.front()->advice));
}

std::string findings_html(const Judgement& judgement) {
  if (judgement.findings.empty()) return "<p>No findings.</p>\n";
  std::vector<std::vector<const Finding*>> causes;
  for (const auto& one : judgement.findings) {
    auto same = std::find_if(causes.begin(), causes.end(), [&](const auto& cause) {
      return cause.front()->advice == one.advice && cause.front()->verdict == one.verdict;
    });
    if (same == causes.end()) same = causes.emplace(causes.end());
    same->push_back(&one);
  }
  std::string out;
  for (const auto& cause : causes) out += cause_html(cause);
  std::string open;
  for (const auto& one : judgement.not_available) open += fmt::format("<li>{}</li>\n", escape_html(one));
  if (open.empty()) return out;
  return out + pages::folded(counted(static_cast<long long>(judgement.not_available.size()), "check") +
                                 " not available, so not judged",
                             "<ul>" + open + "</ul>");
}

std::string gpus_html(const JudgedNode& node) {
  std::string rows;
  for (const auto& one : node.evidence.together) {
    rows += fmt::format("<tr><td>{}</td><td>{}</td>", one.gpu < 0 ? "processor" : fmt::format("gpu {}", one.gpu),
                        escape_html(one.model));
    rows += cell(one.workers, 0) + cell(static_cast<double>(one.operations), 0) + cell(one.rate, 1);
    rows += one.utilisation_percent ? cell(*one.utilisation_percent, 0) : "<td class=\"n\">—</td>";
    rows += mib_cell(one.memory_peak_bytes) + "</tr>\n";
  }
  auto out = table(
      "<th>device</th><th>model</th><th class=\"n\">workers</th><th class=\"n\">operations</th>"
      "<th class=\"n\">ops/s</th><th class=\"n\">busy %</th><th class=\"n\">peak MiB</th>",
      rows);
  const auto sentence = [&](const char* what, const Balance& balance) {
    if (balance.of < 2) return std::string();
    return fmt::format("<p>Balance of {} {}: maximum to minimum {}, coefficient of variation {:.3f}</p>\n", balance.of,
                       what, balance.most_to_least ? fmt::format("{:.2f}", *balance.most_to_least) : "infinite",
                       balance.variation);
  };
  out += sentence("GPUs", node.gpus) + sentence("workers", node.workers);
  if (const auto& scaling = node.evidence.scaling) {
    out += fmt::format("<p>{:.2f} times {} by itself: {:.1f} and {:.1f} ops/s</p>\n", scaling->factor,
                       escape_html(scaling->over), scaling->together, scaling->alone);
  }
  return out;
}

std::string shares_chart(const JudgedNode& node) {
  pages::LineChart chart{.x_name = "worker", .unit = "operations", .dots = true, .axis = pages::Axis::names};
  pages::Line line{"operations", {}};
  for (const auto& worker : node.evidence.workers) {
    line.points.emplace_back(static_cast<double>(chart.x_names.size()), static_cast<double>(worker.operations));
    chart.x_names.push_back(std::to_string(worker.number));
  }
  if (line.points.size() < 2) return "";
  chart.lines.push_back(std::move(line));
  return live_chart(chart);
}

std::string worker_row(const Worker& one) {
  auto row = fmt::format("<tr><td>{}</td><td>{}</td>", one.number,
                         one.gpu < 0 ? std::string("processor") : fmt::format("gpu {}", one.gpu));
  row += cell(static_cast<double>(one.operations), 0) + cell(one.rate, 1) + mib_cell(one.gpu_peak_bytes) +
         mib_cell(one.rss_peak_bytes);
  return row + fmt::format("<td>{}</td><td>{}</td><td class=\"why\">{}</td></tr>\n", badge(one.verdict),
                           escape_html(one.end), escape_html(one.reason));
}

/// Those that did not do well first; of many all others are folded.
std::string workers_html(const JudgedNode& node) {
  constexpr auto titles =
      "<th>worker</th><th>device</th><th class=\"n\">operations</th><th class=\"n\">ops/s</th>"
      "<th class=\"n\">GPU MiB</th><th class=\"n\">RAM MiB</th><th>verdict</th><th>end</th><th>why</th>";
  std::string bad, good;
  std::size_t well = 0;
  for (const auto& one : node.evidence.workers) {
    const bool passed = one.verdict == Verdict::pass;
    well += passed ? 1 : 0;
    (passed ? good : bad) += worker_row(one);
  }
  const auto chart = shares_chart(node);
  if (node.evidence.workers.size() <= most_rows) return chart + table(titles, bad + good);
  return chart + table(titles, bad) +
         pages::folded(counted(static_cast<long long>(well), "worker") + " that passed", table(titles, good));
}

std::string after_html(const JudgedNode& node) {
  std::string rows;
  for (const auto& one : node.evidence.checks) {
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"why\">{}</td></tr>\n", escape_html(one.name),
                        escape_html(one.uuid), badge(one.verdict),
                        escape_html(one.verdict == Verdict::skip ? one.detail : one.reason));
  }
  return table("<th>check</th><th>GPU</th><th>verdict</th><th>why</th>", rows);
}

std::string messages_html(const JudgedLaunch& judged) {
  std::string out;
  std::size_t shown = 0;
  for (const auto& one : judged.messages) {
    if (++shown > most_messages) break;
    out += fmt::format("<li class=\"{0}\">{0}, line {1}: {2}</li>\n", to_string(one.kind), one.line,
                       escape_html(one.text));
  }
  return out.empty() ? ""
                     : pages::folded(counted(static_cast<long long>(judged.messages.size()), "message"),
                                     "<ul>" + out + "</ul>");
}

std::string launches_html(const JudgedNode& node) {
  std::string rows;
  for (const auto& judged : node.launches) {
    const auto& one = judged.launch;
    rows += fmt::format("<tr><td>{}</td><td>{}</td>", escape_html(one.name), escape_html(one.visible));
    rows += cell(static_cast<double>(one.given.size()), 0) +
            (one.used ? cell(static_cast<double>(one.used->size()), 0) : "<td class=\"n\">unknown</td>");
    rows += cell(one.exit_code, 0) + cell(one.seconds, 1);
    rows += fmt::format("<td>{}</td><td class=\"why\">{}</td><td class=\"words\">{}</td></tr>\n", badge(judged.verdict),
                        escape_html(judged.reason), messages_html(judged));
  }
  return table(
      "<th>configuration</th><th>CUDA_VISIBLE_DEVICES</th><th class=\"n\">given</th><th class=\"n\">used</th>"
      "<th class=\"n\">exit code</th><th class=\"n\">seconds</th><th>verdict</th><th>why</th><th>output</th>",
      rows);
}

std::vector<std::pair<std::string, std::string>> parts_of(const JudgedNode& node) {
  return {{"GPUs", gpus_html(node)},
          {"Workers", workers_html(node)},
          {"Afterwards", after_html(node)},
          {"The launcher", launches_html(node)}};
}

bool did_well(const JudgedNode& node) {
  const auto fine = [](Verdict verdict) { return verdict == Verdict::pass || verdict == Verdict::skip; };
  const auto& evidence = node.evidence;
  return evidence.whole && evidence.trouble.empty() && !evidence.refusal &&
         std::all_of(evidence.workers.begin(), evidence.workers.end(),
                     [&](const auto& w) { return fine(w.verdict); }) &&
         std::all_of(evidence.checks.begin(), evidence.checks.end(), [&](const auto& c) { return fine(c.verdict); }) &&
         std::all_of(node.launches.begin(), node.launches.end(), [&](const auto& l) { return fine(l.verdict); });
}

void complete(pages::About& about, const Judgement& judgement) {
  std::set<std::string> nodes, drivers;
  for (const auto& node : judgement.nodes) {
    nodes.insert(node.evidence.node);
    if (!node.evidence.driver.empty()) drivers.insert(node.evidence.driver);
  }
  if (about.host.empty()) about.host = fmt::format("{}", fmt::join(nodes, ", "));
  if (about.driver.empty()) about.driver = fmt::format("{}", fmt::join(drivers, ", "));
  double began = 0, seconds = 0;
  for (const auto& node : judgement.nodes) {
    const auto& evidence = node.evidence;
    if (evidence.began > 0) began = began > 0 ? std::min(began, evidence.began) : evidence.began;
    seconds = std::max(seconds, evidence.seconds);
  }
  // When it was run, not when it was judged.
  if (began > 0) {
    const std::chrono::sys_seconds when{std::chrono::seconds(static_cast<long long>(began))};
    about.when = utc_time(when);
  }
  if (seconds > 0 && about.duration.empty()) {
    about.duration = format_duration(std::chrono::seconds(std::llround(std::max(seconds, 1.0))));
  }
  if (about.versions.empty()) about.versions = fmt::format("rv {}", version);
}

std::string rate_text(const char* what, const PassCount& count, double least) {
  if (count.of == 0) return "";
  return fmt::format("<p>{}: {} of {} ({:.0f} %); at least {:.0f} % required</p>\n", what, count.passed, count.of,
                     count.percent(), least);
}

}  // namespace

std::string page(const Judgement& judgement, const std::string& where, pages::About about) {
  pages::Page page(fmt::format("{} · stress · {}", where, to_string(judgement.verdict)), style);
  page.heading(fmt::format("Stress {} {}", escape_html(where), badge(judgement.verdict)));
  page.lead(rate_text("Workers that passed", judgement.workers, judgement.limits.min_success) +
            rate_text("Configurations of the launcher that passed", judgement.launches, judgement.limits.min_launch));
  page.section("Findings", findings_html(judgement));
  // Of many nodes those that did not do well have parts of their own.
  std::string folded;
  std::size_t well = 0;
  for (const auto& node : judgement.nodes) {
    const auto parts = parts_of(node);
    if (judgement.nodes.size() > most_nodes && did_well(node)) {
      ++well;
      std::string html;
      for (const auto& [title, part] : parts) {
        if (!part.empty()) html += fmt::format("<h3>{}</h3>\n{}", title, part);
      }
      folded += pages::folded(escape_html(node.evidence.node), html);
      continue;
    }
    const auto behind = judgement.nodes.size() > 1 ? ", " + node.evidence.node : "";
    for (const auto& [title, part] : parts) page.section(title + behind, part);
  }
  page.section(counted(static_cast<long long>(well), "node") + " that passed", folded);
  complete(about, judgement);
  return page.html(about);
}

}  // namespace rv::stress
