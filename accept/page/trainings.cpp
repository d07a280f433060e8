#include "accept/page/trainings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "pages/html.h"
#include "pages/training_curves.h"

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

std::string suite_html(const std::string& title, std::vector<Trained> all) {
  if (all.empty()) return "";
  std::string more;
  const auto count = all.size();
  const bool passed = std::all_of(all.begin(), all.end(), [](const auto& one) { return one.passed; });
  if (all.size() > most_lines) {
    std::stable_partition(all.begin(), all.end(), [](const auto& one) { return !one.passed; });
    const auto bad = std::count_if(all.begin(), all.end(), [](const auto& one) { return !one.passed; });
    const auto shown = std::min(static_cast<std::size_t>(bad) + 1, most_lines);
    more = fmt::format("<p class=\"dim\">{} of {}: those that did not pass, and one that did</p>\n", shown, all.size());
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
  std::string out;
  for (auto& [title, trained] : groups) out += suite_html(title, std::move(trained));
  return out;
}

}  // namespace rv::accept
