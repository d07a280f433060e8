#include "reports/accept/page/trainings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "reports/accept/summary.h"
#include "reports/accept/training_details.h"
#include "reports/pages/html.h"
#include "reports/pages/training_curves.h"

namespace rv::accept {
namespace {

/// More lines than these nobody tells apart.
constexpr std::size_t most_lines = 6;

struct Trained {
  pages::Training training;
  bool passed = true;
};

std::string place_of(const JudgedFigure& judged) {
  if (judged.subject.node.empty()) return "all nodes together";
  if (judged.subject.gpu_index) return fmt::format("{} gpu {}", judged.subject.node, *judged.subject.gpu_index);
  return judged.subject.node;
}

/// More trainings than these are folded.
constexpr std::size_t most_rows = 12;

/// A row for each training: where the time of a step goes, and what it took.
std::string details_html(const Judgement& judgement) {
  std::vector<std::string> columns;
  std::vector<std::pair<const JudgedFigure*, std::vector<TrainingDetail>>> rows;
  for (const auto& judged : judgement.figures) {
    auto details = training_details(judged);
    if (details.empty()) continue;
    for (const auto& one : details) {
      if (std::find(columns.begin(), columns.end(), one.name) == columns.end()) columns.push_back(one.name);
    }
    rows.emplace_back(&judged, std::move(details));
  }
  if (rows.empty()) return "";
  std::string html = "<div class=\"scroll\"><table>\n<tr><th>training</th><th>place</th>";
  for (const auto& column : columns) html += fmt::format("<th class=\"n\">{}</th>", pages::escape_html(column));
  html += "</tr>\n";
  for (const auto& [judged, details] : rows) {
    html += fmt::format("<tr><td>{}</td><td>{}</td>", pages::escape_html(judged->figure.name),
                        pages::escape_html(place_of(*judged)));
    for (const auto& column : columns) {
      const auto one = std::find_if(details.begin(), details.end(), [&](const auto& d) { return d.name == column; });
      html += one == details.end() ? "<td></td>"
                                   : fmt::format("<td class=\"n\">{} {}</td>", figure_text(one->value),
                                                 pages::escape_html(unit_text(one->unit)));
    }
    html += "</tr>\n";
  }
  html += "</table></div>\n";
  const auto count = counted(static_cast<long long>(rows.size()), "training");
  return rows.size() <= most_rows ? html : pages::folded(count + ": where the time of a step goes", html);
}

std::string suite_html(const std::string& title, std::vector<Trained> all) {
  if (all.empty()) return "";
  std::string more;
  const auto count = all.size();
  const bool passed = std::all_of(all.begin(), all.end(), [](const auto& one) { return one.passed; });
  if (all.size() > most_lines) {
    std::stable_partition(all.begin(), all.end(), [](const auto& one) { return !one.passed; });
    const auto bad = std::count_if(all.begin(), all.end(), [](const auto& one) { return !one.passed; });
    const auto shown = std::min(static_cast<std::size_t>(bad) + 1, most_lines);
    more = fmt::format("<p class=\"dim\">{} of {}: those that failed, and one that passed</p>\n", shown, all.size());
    all.resize(shown);
  }
  std::vector<pages::Training> shown;
  shown.reserve(all.size());
  for (auto& one : all) shown.push_back(std::move(one.training));
  const auto charts = pages::training_html(shown, "h4");
  if (charts.empty()) return "";
  if (passed && count > most_lines) {
    return pages::folded(fmt::format("{}: {} that passed", title, counted(static_cast<long long>(count), "training")),
                         more + charts);
  }
  return fmt::format("<h3>{}</h3>\n{}{}", pages::escape_html(title), more, charts);
}

}  // namespace

std::string trainings_html(const Judgement& judgement) {
  std::vector<std::pair<std::string, std::vector<Trained>>> groups{{"Alone", {}}, {"Data-parallel", {}}};
  for (const auto& judged : judgement.figures) {
    const auto& suite = judged.figure.suite;
    if (suite != "train" && suite != "ddp" && suite != "model") continue;
    auto training = pages::training_of_params(judged.figure.params);
    if (!training) continue;
    training->name = place_of(judged);
    const auto title = suite == "train" ? "Alone" : suite == "ddp" ? "Data-parallel" : judged.figure.name;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == title; });
    if (group == groups.end()) group = groups.insert(groups.end(), {title, {}});
    group->second.push_back({std::move(*training), judged.verdict == Verdict::pass});
  }
  std::string out = details_html(judgement);
  for (auto& [title, trained] : groups) out += suite_html(title, std::move(trained));
  return out;
}

}  // namespace rv::accept
