#include "reports/accept/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/documents/json_members.h"
#include "base/text.h"
#include "reports/accept/step_name.h"
#include "reports/accept/training_details.h"

namespace rv::accept {
namespace {

bool is_sweep(const JudgedFigure& judged) {
  return judged.figure.suite == "collective" && judged.figure.params.contains("bytes");
}

bool not_available(const JudgedFigure& judged) {
  return judged.verdict == Verdict::skip && judged.figure.reason == "not_available";
}

/// The table that a figure stands in, without its rows.
SummaryTable table_of(const JudgedFigure& judged, bool on_gpus) {
  const auto& subject = judged.subject;
  const auto place = place_of(subject);
  if (subject.node.empty()) return {place, place, PlaceKind::all_nodes, {}};
  if (judged.figure.all_ranks) {
    return {
        fmt::format("{}, its {} together", place, on_gpus ? "GPUs" : "ranks"), place, PlaceKind::ranks_together, {}};
  }
  if (!subject.gpu_index && subject.gpu_uuid.empty()) return {place + ", host", place, PlaceKind::host, {}};
  const auto model = subject.model.empty() ? "" : ", " + subject.model;
  const auto gpu = subject.gpu_index ? fmt::format("gpu {}", *subject.gpu_index) : subject.gpu_uuid;
  return {to_string(subject) + model, place + " " + gpu, PlaceKind::gpu, {}};
}

/// Rows that share this are one row.
std::string row_key(const JudgedFigure& judged) {
  if (is_sweep(judged)) {
    return judged.step +
           fmt::format(" {} {}{}", judged.key.figure, judged.key.type, judged.key.in_place ? " in place" : "");
  }
  if (judged.figure.suite == "health") return judged.step;
  return judged.step + "\n" + judged.figure.name;
}

class Row {
 public:
  void add(const JudgedFigure& judged) { members_.push_back(&judged); }

  std::vector<SummaryRow> rows() const {
    const auto& first = *members_.front();
    if (is_sweep(first)) return sweep();
    SummaryRow row;
    std::vector<Verdict> verdicts;
    for (const auto* const one : members_) {
      if (!not_available(*one)) verdicts.push_back(one->verdict);
    }
    row.verdict = verdicts.empty() ? Verdict::skip : fold(verdicts);
    if (first.figure.suite == "health") {
      row.name = fmt::format("{}, {}", first.step, counted(static_cast<long long>(verdicts.size()), "reading"));
    } else {
      const bool again = first.figure.suite == "alone" && step_name::is_of_all_nodes(first.step);
      const bool plain =
          (step_name::gives_plain_figures(first.step) || !step_name::is_of(Suite::compute, first.step)) && !again;
      row.name = plain ? first.figure.name : fmt::format("{}, {}", first.figure.name, first.step);
      const auto* shown = &first;
      // Ranks that share a host's processor share a row: the slowest one's.
      for (const auto* const one : members_) {
        if (first.figure.suite == "alone" && one->figure.value < shown->figure.value) shown = one;
      }
      take(row, *shown);
    }
    std::vector<SummaryRow> all{row};
    for (auto& detail : training_details(first)) {
      auto& more = all.emplace_back();
      more.name = row.name + " " + detail.name;
      more.value = detail.value;
      more.unit = unit_text(detail.unit);
      more.verdict = row.verdict;
      more.judged = false;
    }
    return all;
  }

 private:
  static void take(SummaryRow& row, const JudgedFigure& judged) {
    row.value = judged.figure.value;
    row.spread = judged.figure.spread;
    row.unit = unit_text(judged.figure.unit);
    row.ratio = judged.ratio;
    if (judged.baseline != nullptr) row.baseline = judged.baseline->value, row.at_least = judged.baseline->at_least;
  }

  static SummaryRow of_size(const JudgedFigure& judged) {
    SummaryRow row;
    take(row, judged);
    row.verdict = not_available(judged) ? Verdict::skip : judged.verdict;
    row.name = fmt::format("{} {}{} {}", judged.key.figure, judged.key.type, judged.key.in_place ? " in place" : "",
                           size_text(judged.key.bytes.value_or(0)));
    return row;
  }

  // A row is one size's, with all that stands in it: the largest's, and the worst one's where that did not pass.
  std::vector<SummaryRow> sweep() const {
    const auto by_size = [](const auto* a, const auto* b) {
      return a->key.bytes.value_or(0) < b->key.bytes.value_or(0);
    };
    const auto [smallest, largest] = std::minmax_element(members_.begin(), members_.end(), by_size);
    std::vector<SummaryRow> rows{of_size(**largest)};
    const auto time = (*smallest)->figure.params.find("time_us");
    if (time != (*smallest)->figure.params.end() && time->is_number())
      rows.front().small_us = time->template get<double>();
    const JudgedFigure* worst = *largest;
    for (const auto* const one : members_) {
      if (not_available(*one)) continue;
      const bool worse = one->verdict != worst->verdict && fold({one->verdict, worst->verdict}) == one->verdict;
      const bool slower = one->verdict == worst->verdict && one->ratio && worst->ratio && *one->ratio < *worst->ratio;
      if (worse || (slower && one->verdict != Verdict::pass)) worst = one;
    }
    if (worst == *largest) return rows;
    rows.push_back(of_size(*worst));
    rows.back().name += fmt::format(", the worst of {} sizes", members_.size());
    return rows;
  }

  std::vector<const JudgedFigure*> members_;
};

struct Table {
  SummaryTable summary;
  std::vector<std::pair<std::string, Row>> rows;
};

}  // namespace

std::vector<SummaryTable> summarize(const Judgement& judgement) {
  std::vector<Table> tables;
  for (const auto& judged : judgement.figures) {
    auto own = table_of(judged, !judgement.gpus.empty());
    auto table =
        std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.summary.title == own.title; });
    if (table == tables.end()) table = tables.insert(tables.end(), Table{std::move(own), {}});
    const auto key = row_key(judged);
    auto row = std::find_if(table->rows.begin(), table->rows.end(), [&](const auto& r) { return r.first == key; });
    if (row == table->rows.end()) row = table->rows.insert(table->rows.end(), {key, Row{}});
    row->second.add(judged);
  }
  std::vector<SummaryTable> out;
  for (auto& table : tables) {
    for (const auto& [key, row] : table.rows) {
      for (auto& one : row.rows()) table.summary.rows.push_back(std::move(one));
    }
    out.push_back(std::move(table.summary));
  }
  return out;
}

std::vector<AdvisedSetting> settings_of(const Judgement& judgement) {
  std::vector<AdvisedSetting> all;
  for (const auto& judged : judgement.figures) {
    const auto line = judged.figure.params.find("setting"), why = judged.figure.params.find("setting_why");
    const auto end = judged.figure.params.end();
    if (line == end || why == end || !line->is_string() || !why->is_string()) continue;
    all.push_back({line->get<std::string>(), why->get<std::string>()});
  }
  return all;
}

std::vector<std::string> beside_others(const Judgement& judgement) {
  std::map<std::string, std::vector<std::string>> by;
  for (const auto& judged : judgement.figures) {
    const auto& params = judged.figure.params;
    const auto who = params.find("by"), ratio = params.find("ratio");
    if (who == params.end() || ratio == params.end() || !who->is_string() || !ratio->is_number()) continue;
    const auto of = member_text(params, "of");
    by[who->get<std::string>()].push_back(
        fmt::format("{} {:.2f}", of.empty() ? judged.figure.name : of, ratio->get<double>()));
  }
  std::vector<std::string> lines;
  lines.reserve(by.size());
  for (const auto& [who, ratios] : by) {
    lines.push_back(fmt::format("compared with {0} (rv's figure / {0}'s): {1}", who, fmt::join(ratios, "; ")));
  }
  return lines;
}

std::vector<std::string> notes_of(const Judgement& judgement) {
  std::vector<std::string> lines;
  for (const auto& judged : judgement.figures) {
    const auto note = member_text(judged.figure.params, "note");
    if (note.empty()) continue;
    auto line = fmt::format("{}: {}: {}", to_string(judged.subject), judged.figure.name, note);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

std::string size_text(std::uint64_t bytes) {
  for (const auto& [shift, unit] : {std::pair{30U, 'G'}, {20U, 'M'}, {10U, 'K'}}) {
    if (bytes >= (std::uint64_t{1} << shift) && bytes % (std::uint64_t{1} << shift) == 0) {
      return fmt::format("{}{}", bytes >> shift, unit);
    }
  }
  return std::to_string(bytes);
}

std::string unit_text(const std::string& unit) {
  return unit == "us" ? "µs" : unit;
}

std::string figure_text(double value) {
  const double size = value < 0 ? -value : value;
  if (size >= 100) return fmt::format("{:.0f}", value);
  if (size >= 10) return fmt::format("{:.1f}", value);
  return fmt::format("{:.3g}", value);
}

}  // namespace rv::accept
