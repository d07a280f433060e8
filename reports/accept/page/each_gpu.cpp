#include "reports/accept/page/each_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text.h"
#include "reports/accept/page/bar_list.h"
#include "reports/accept/peak.h"
#include "reports/accept/step_name.h"
#include "reports/accept/summary.h"
#include "reports/pages/cell_table.h"
#include "reports/pages/html.h"
#include "reports/pages/live_chart.h"
#include "shared/median.h"

namespace rv::accept {

using pages::escape_html;

namespace {

/// More bars than these nobody reads.
constexpr std::size_t most_bars = 16;
constexpr std::size_t most_outliers = 24;

/// One figure of all GPUs that are of one model.
struct Group {
  std::string name, unit, model;
  Beside beside;
  std::vector<Bar> bars;
};

std::vector<Group> groups_of(const Judgement& judgement) {
  std::vector<Group> groups;
  for (const auto& judged : judgement.figures) {
    const bool model = is_of_model(judged.figure) && judged.figure.unit == "samples/s";
    const bool shown = step_name::is_of(Suite::compute, judged.step) || model;
    if (judged.figure.all_ranks || !judged.figure.value || !shown) continue;
    const bool plain = model ? !step_name::is_of_all_nodes(judged.step) : step_name::gives_plain_figures(judged.step);
    const auto name = plain ? judged.figure.name : judged.figure.name + ", " + judged.step;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& g) { return g.name == name && g.model == judged.subject.model; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {name, judged.figure.unit, judged.subject.model, {}, {}});
      group->beside.peak = peak_of(judged.subject.model, judged.figure.name);
    }
    auto label = judged.subject.node;
    if (judged.subject.gpu_index) label += fmt::format(" gpu {}", *judged.subject.gpu_index);
    if (model && !judged.subject.gpu_index && judged.figure.rank) label += fmt::format(" rank {}", *judged.figure.rank);
    group->bars.push_back({label, *judged.figure.value, judged.verdict == Verdict::pass});
    if (judged.baseline != nullptr) {
      group->beside.baseline = judged.baseline->value;
      group->beside.at_least = judged.baseline->at_least;
    }
  }
  return groups;
}

/// What the bars are long beside, in words.
std::string beside_text(const Group& group) {
  std::string out;
  if (group.beside.baseline) out += fmt::format("baseline {}", figure_text(*group.beside.baseline));
  if (group.beside.at_least) out += fmt::format(", at least {:.2f} of it", *group.beside.at_least);
  if (group.beside.peak) {
    out += fmt::format("{}peak of the model {}", out.empty() ? "" : ", ", figure_text(*group.beside.peak));
  }
  return out.empty() ? "" : fmt::format(" <span class=\"dim\">{} {}</span>", out, escape_html(group.unit));
}

std::string many_html(const Group& group) {
  std::vector<double> values;
  std::vector<Bar> bad;
  pages::LineChart chart{.x_name = "GPU", .unit = group.unit, .axis = pages::Axis::names};
  pages::Line line{.name = group.name}, baseline{.name = "baseline", .baseline_of = 0};
  for (const auto& bar : group.bars) {
    const auto x = static_cast<double>(values.size());
    line.points.emplace_back(x, bar.value);
    if (group.beside.baseline) baseline.points.emplace_back(x, *group.beside.baseline);
    values.push_back(bar.value);
    chart.x_names.push_back(bar.label);
    if (!bar.good) bad.push_back(bar);
  }
  chart.lines.push_back(std::move(line));
  // Its two ends are enough of a straight line.
  if (baseline.points.size() > 2) baseline.points.erase(baseline.points.begin() + 1, baseline.points.end() - 1);
  if (!baseline.points.empty()) chart.lines.push_back(std::move(baseline));
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  std::string out = fmt::format("<p>{} GPUs from {} to {} {}, median {}; {} did not pass</p>\n", values.size(),
                                figure_text(*least), figure_text(*most), escape_html(group.unit),
                                figure_text(median(values)), bad.empty() ? "none" : std::to_string(bad.size()));
  std::sort(bad.begin(), bad.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  const auto left_out = bad.size() > most_outliers ? bad.size() - most_outliers : 0;
  bad.resize(bad.size() - left_out);
  out += bars_html(bad, group.unit, group.beside);
  if (left_out > 0) out += fmt::format("<p class=\"dim\">and {} more, in the chart</p>\n", left_out);
  return out + pages::folded(fmt::format("all {} GPUs", values.size()), live_chart(chart));
}

/// One row for what all GPUs of a model passed.
std::string even_table(const std::vector<const Group*>& groups) {
  std::string out =
      "<div class=\"scroll\"><table>\n<tr><th>figure</th><th class=\"n\">least</th><th class=\"n\">median</th>"
      "<th class=\"n\">most</th><th>unit</th><th class=\"n\">baseline</th><th class=\"n\">peak</th>"
      "<th class=\"n\">of the peak</th></tr>\n";
  for (const auto* group : groups) {
    std::vector<double> values;
    for (const auto& bar : group->bars) values.push_back(bar.value);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const auto or_empty = [](const std::optional<double>& value) {
      return value ? figure_text(*value) : std::string();
    };
    const double middle = median(values);
    out += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
        escape_html(group->name), figure_text(*least), figure_text(middle), figure_text(*most),
        escape_html(group->unit), or_empty(group->beside.baseline), or_empty(group->beside.peak),
        group->beside.peak ? fmt::format("{:.0f} %", 100 * middle / *group->beside.peak) : "");
  }
  return out + "</table></div>\n";
}

/// Of a single GPU a bar is neither longer nor shorter than others: its figures are rows of one table.
std::string single_table(const std::vector<Group>& groups) {
  const std::vector<pages::Column> columns = {
      {"figure"},     {"value", true},       {"unit"}, {"baseline", true}, {"at least", true},
      {"peak", true}, {"of the peak", true}, {""}};
  std::vector<std::vector<pages::Cell>> rows;
  for (const auto& group : groups) {
    const auto& [baseline, at_least, peak] = group.beside;
    const auto& bar = group.bars.front();
    rows.push_back({{escape_html(group.name)},
                    {figure_text(bar.value), bar.good ? "" : "bad"},
                    {escape_html(group.unit)},
                    {baseline ? figure_text(*baseline) : ""},
                    {at_least ? fmt::format("{:.2f}", *at_least) : ""},
                    {peak ? figure_text(*peak) : ""},
                    {peak ? fmt::format("{:.0f} %", 100 * bar.value / *peak) : ""},
                    {bar.good ? "" : "did not pass", bar.good ? "" : "fail"}});
  }
  return pages::cell_table(columns, rows);
}

}  // namespace

std::string each_gpu_html(const Judgement& judgement) {
  const auto groups = groups_of(judgement);
  if (groups.empty()) return "";
  const bool single = std::all_of(groups.begin(), groups.end(), [&](const auto& group) {
    return group.bars.size() == 1 && group.bars.front().label == groups.front().bars.front().label;
  });
  if (single) return single_table(groups);
  const bool marked = std::any_of(groups.begin(), groups.end(), [](const auto& g) { return g.beside.baseline; });
  const bool peaks = std::any_of(groups.begin(), groups.end(), [](const auto& g) { return g.beside.peak; });
  const bool models =
      std::any_of(groups.begin(), groups.end(), [&](const auto& g) { return g.model != groups.front().model; });
  std::string bad, good;
  std::vector<const Group*> even;
  for (const auto& group : groups) {
    const bool many = group.bars.size() > most_bars;
    const bool all_passed = std::all_of(group.bars.begin(), group.bars.end(), [](const auto& bar) { return bar.good; });
    if (all_passed) even.push_back(&group);
    (all_passed ? good : bad) += fmt::format(
        "<h3>{}{}{}</h3>\n{}", escape_html(group.name), models ? ", " + escape_html(group.model) : std::string(),
        beside_text(group), many ? many_html(group) : bars_html(group.bars, group.unit, group.beside));
  }
  std::string out;
  if (peaks || marked) {
    out += fmt::format("<p class=\"dim\">{}{}</p>\n",
                       peaks ? "The full length of a track is the peak in the maker's data sheet. " : "",
                       marked ? "The mark below a bar is the baseline." : "");
  }
  const bool many = groups.front().bars.size() > most_bars;
  if (bad.empty() && !many) return out + good;
  out += bad;
  if (even.empty()) return out;
  const auto summary = counted(static_cast<long long>(even.size()), "figure") + " that every GPU passed";
  if (many) out += fmt::format("<h3>{}</h3>\n{}", summary, even_table(even));
  return out + pages::folded(many ? "GPU by GPU" : summary, good);
}

}  // namespace rv::accept
