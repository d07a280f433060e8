#include "reports/accept/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/documents/json_members.h"
#include "reports/accept/advice.h"
#include "reports/accept/agreement.h"
#include "reports/accept/completeness.h"
#include "reports/accept/outliers.h"
#include "reports/accept/product_bits.h"
#include "reports/accept/small_message.h"
#include "shared/documents/json_integer.h"
#include "shared/median.h"

namespace rv::accept {
namespace {

using Json = nlohmann::ordered_json;

bool unreadable(const Figure& figure) {
  return figure.verdict == Verdict::skip && figure.reason == "not_available";
}

/// The reason and, where the worker gave one, the sentence that explains it.
std::string explained(const Figure& figure) {
  const auto detail = figure.params.find("detail");
  if (detail == figure.params.end() || !detail->is_string()) return figure.reason;
  return fmt::format("{} ({})", figure.reason, detail->get<std::string>());
}

std::string number_text(double value) {
  if (value >= 1000) return fmt::format("{:.0f}", value);
  return value >= 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.3g}", value);
}

/// How the GPUs of a node are connected, as its driver says.
std::string fabric_of(const NodeEvidence& node) {
  for (const auto& step : node.steps) {
    for (const auto& report : step.reports) {
      if (!report.environment.is_object() || !report.environment.contains("readings")) continue;
      for (const auto& gpu : report.environment["readings"]) {
        const auto numbers = gpu.value("numbers", Json::object());
        if (numbers.contains("nvlinks_active")) return numbers["nvlinks_active"] > 0 ? "nvlink" : "pcie";
      }
    }
  }
  return "";
}

std::string model_of(const NodeEvidence& node) {
  for (const auto& step : node.steps) {
    for (const auto& report : step.reports) {
      if (!report.environment.is_object()) continue;
      for (const char* const key : {"gpus", "readings", "ranks"}) {
        const auto gpus = report.environment.find(key);
        if (gpus != report.environment.end() && !gpus->empty()) return gpus->front().value("model", "");
      }
    }
  }
  return "";
}

/// The node of a rank, as its report says; empty: it does not.
std::string host_of(const WorkerReport& report, int rank) {
  for (const auto& place : member_of(report.environment, "ranks")) {
    if (integer_or(place, "rank", -1) == rank) return place.value("host", "");
  }
  return "";
}

class Judge {
 public:
  Judge(const Order& order, const std::vector<NodeEvidence>& evidence, const std::vector<Baseline>& baselines,
        bool strict, const KnownBits& known)
      : order_(order), evidence_(evidence), baselines_(baselines), strict_(strict), known_(known) {}

  Judgement judge() {
    take(find_gaps(order_, evidence_));
    gaps_ = !out_.findings.empty();
    take(find_disagreements(order_, evidence_));
    take(find_other_bits(bits_of(evidence_), known_));
    for (const auto& node : evidence_) {
      const auto model = model_of(node);
      const auto fabric = fabric_of(node);
      for (const auto& step : steps_of(order_)) {
        const auto* const done = node.find(step.name);
        if (done == nullptr) continue;
        if (done->exit_code) out_.nodes.insert(node.node);
        if (order_.fabric && uses_nccl(step)) prove_fabric(node.node, step, *done);
        for (const auto& report : done->reports) read(node.node, step, report, model, fabric);
      }
    }
    compare_equals();
    judge_suites();
    return std::move(out_);
  }

 private:
  void take(std::vector<Finding> findings) {
    for (auto& finding : findings) out_.findings.push_back(std::move(finding));
  }

  void read(const std::string& node, const Step& step, const WorkerReport& report, const std::string& model,
            const std::string& fabric) {
    for (const auto& place : member_of(report.environment, "ranks")) {
      if (auto uuid = member_text(place, "uuid"); !uuid.empty()) out_.gpus.insert(std::move(uuid));
    }
    for (const auto& figure : report.figures) {
      if (!figure.gpu_uuid.empty()) out_.gpus.insert(figure.gpu_uuid);
      JudgedFigure judged;
      judged.subject = {.node = step.together ? "" : node,
                        .gpu_index = figure.gpu_index,
                        .gpu_uuid = figure.gpu_uuid,
                        .model = !is_io(figure) && (figure.all_ranks || figure.model.empty()) ? model : figure.model};
      // Of all nodes' step, what one of them measured alone.
      if (step.together && !figure.all_ranks && figure.rank) {
        judged.subject.node = host_of(report, *figure.rank);
      }
      judged.step = step.name;
      judged.figure = figure;
      judged.verdict = figure.verdict;
      const int nodes = step.together ? order_.nodes : 1;
      const auto chosen = step.together ? "network" : fabric;
      judged.key = key_of(figure, judged.subject.model, order_.gpus_per_node * nodes, nodes,
                          order_.fabric && uses_nccl(step) ? std::string(to_string(*order_.fabric)) : chosen);
      if (is_small_message(judged.key)) judged.figure = by_latency(figure);
      if (figure.verdict != Verdict::pass && (strict_ || !unreadable(figure)))
        suites_with_a_finding_.insert(step.suite);
      if (unreadable(figure)) {
        out_.not_available.push_back(fmt::format("{} {}", to_string(judged.subject), figure.name));
        if (strict_) add_finding(judged, Verdict::skip, figure.name + " is not available", report);
      } else if (figure.verdict != Verdict::pass) {
        // One library may be missing to a dozen figures.
        const bool of_many = member_text(figure.params, "cause") == missing_library;
        add_finding(judged, figure.verdict,
                    of_many ? explained(figure) : fmt::format("{}: {}", figure.name, explained(figure)), report);
      } else {
        suites_with_a_pass_.insert(step.suite);
        against_baseline(judged, report);
      }
      out_.figures.push_back(std::move(judged));
    }
  }

  /// A figure of another fabric is not a measurement of this one; one of which nobody knows is none either.
  void prove_fabric(const std::string& node, const Step& step, const StepEvidence& done) {
    // Without a figure that passed, what went wrong is said elsewhere, and no GPU has no NCCL.
    const bool measured = std::any_of(done.reports.begin(), done.reports.end(), [](const auto& report) {
      return report.result == Verdict::pass && report.environment.is_object() &&
             !report.environment.value("gpus", Json::array()).empty();
    });
    const bool elsewhere = step.together && done.exit_code == 0 && done.reports.empty();
    if (!measured && !elsewhere && done.channels.ways.empty()) return;
    const auto answer = used(*order_.fabric, done.channels);
    out_.fabric.push_back({node, step.name, answer, ways_text(done.channels)});
    if (answer == Used::yes) return;
    const auto name = to_string(*order_.fabric);
    const bool other = answer == Used::no;
    out_.findings.push_back(
        {.verdict = other ? Verdict::error : Verdict::skip,
         .subject = {.node = node, .gpu_index = std::nullopt, .gpu_uuid = {}, .model = {}},
         .rank = std::nullopt,
         .what = other ? fmt::format("{}: NCCL did not use only {}: {}", step.name, name, ways_text(done.channels))
                       : fmt::format("{}: it is not known whether NCCL used {}: {}", step.name, name,
                                     ways_text(done.channels)),
         .advice =
             other ? "its figures measure another fabric: docs/bare-metal.md lists the hardware that each fabric needs"
                   : "see nccl.*.log beside the step's reports"});
  }

  void against_baseline(JudgedFigure& judged, const WorkerReport& report) {
    const auto& value = judged.figure.value;
    // What is run in turn or for long has no other baseline than what is run at once: the same figure of the same GPU.
    judged.baseline = find_baseline(baselines_, judged.key);
    if (judged.baseline == nullptr || !value || !(*value > 0)) return;
    if (judged.baseline->unit != judged.figure.unit) {  // of a message without a time
      judged.baseline = nullptr;
      return;
    }
    judged.ratio = ratio_to(*judged.baseline, *value);
    if (std::isfinite(*judged.ratio) && *judged.ratio >= judged.baseline->at_least) return;
    judged.verdict = Verdict::fail;
    add_finding(judged, Verdict::fail,
                fmt::format("{} {} {} is {:.2f} of the baseline {} ({}); at least {:.2f} is required",
                            judged.figure.name, number_text(*value), judged.figure.unit, *judged.ratio,
                            number_text(judged.baseline->value), judged.baseline->source, judged.baseline->at_least),
                report);
  }

  // GPUs of one model at the same figure, over all nodes; nodes at what their GPUs do together. The host's processor is
  // shared by all ranks, so there is nothing to compare.
  void compare_equals() {
    std::map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < out_.figures.size(); ++i) {
      const auto& judged = out_.figures[i];
      const bool of_gpus = judged.figure.gpu_index || is_io(judged.figure) ||
                           (judged.figure.all_ranks && order_.device != "cpu" && on_gpus());
      if (!of_gpus || judged.subject.node.empty() || !judged.figure.value || judged.figure.verdict != Verdict::pass)
        continue;
      if (judged.figure.suite == "train" || judged.figure.suite == "ddp" || judged.figure.suite == "health") continue;
      // Of a sweep only the bandwidth of its largest size and the latency of its smallest.
      const bool sweep = judged.figure.suite == "collective";
      auto& group = groups[judged.step + '\n' + (sweep ? operation_of(judged) : judged.figure.name) + '\n' +
                           judged.subject.model + '\n' + judged.figure.unit];
      if (sweep) std::erase_if(group, [&](std::size_t other) { return less_telling(other, i); });
      const bool stays =
          !sweep || std::none_of(group.begin(), group.end(), [&](std::size_t other) { return less_telling(i, other); });
      if (stays) group.push_back(i);
    }
    for (const auto& [name, members] : groups) {
      std::vector<double> values, spreads;
      for (const auto i : members) {
        values.push_back(*out_.figures[i].figure.value);
        spreads.push_back(out_.figures[i].figure.spread.value_or(0));
      }
      const auto& unit = out_.figures[members[0]].figure.unit;
      // Others use the same file system meanwhile: two or three nodes tell nothing, and a half is little.
      const bool io = is_io(out_.figures[members[0]].figure);
      if (io && values.size() < 4) continue;
      const bool loose = unit == "us" || io || is_tail(out_.figures[members[0]].figure);
      for (const auto worse : worse_than_the_others(values, smaller_is_better(unit), loose, spreads)) {
        auto& judged = out_.figures[members[worse]];
        // Below the baseline it is named already.
        if (judged.verdict == Verdict::fail) continue;
        judged.verdict = Verdict::fail;
        add_finding(
            judged, Verdict::fail,
            fmt::format("{} {} {} is an outlier: the median of {} is {}", judged.figure.name,
                        number_text(values[worse]), judged.figure.unit, values.size(), number_text(median(values))),
            {});
      }
    }
  }

  static std::string operation_of(const JudgedFigure& judged) {
    return judged.key.figure + " " + judged.key.type + (judged.key.in_place ? " in place" : "");
  }

  /// Of two sizes on one node.
  bool less_telling(std::size_t one, std::size_t other) const {
    const auto &a = out_.figures[one], &b = out_.figures[other];
    if (a.subject.node != b.subject.node) return false;
    const auto mine = a.key.bytes.value_or(0), theirs = b.key.bytes.value_or(0);
    return smaller_is_better(a.figure.unit) ? mine > theirs : mine < theirs;
  }

  bool on_gpus() const {
    return std::any_of(out_.figures.begin(), out_.figures.end(), [](const auto& j) { return j.figure.gpu_index; });
  }

  void add_finding(const JudgedFigure& judged, Verdict verdict, std::string what, const WorkerReport& report) {
    auto advice = advice_for(judged.figure);
    if (const auto own = "; " + advice; what.ends_with(own)) what.resize(what.size() - own.size());
    Finding finding{.verdict = verdict,
                    .subject = judged.subject,
                    .rank = std::nullopt,
                    .what = std::move(what),
                    .advice = std::move(advice),
                    .step = judged.step};
    if (judged.figure.all_ranks || is_of_model(judged.figure)) {
      finding.rank = judged.figure.rank;
      if (finding.rank) {
        for (const auto& place : member_of(report.environment, "ranks")) {
          if (integer_or(place, "rank", -1) != *finding.rank) continue;
          finding.subject.gpu_uuid = place.value("uuid", "");
          if (finding.subject.node.empty()) finding.subject.node = place.value("host", "");
          if (const auto gpu = integer_in<int>(place["gpu"])) finding.subject.gpu_index = *gpu;
        }
      }
    }
    // What is so before the other steps and after them is said once.
    const bool said = std::any_of(out_.findings.begin(), out_.findings.end(), [&](const Finding& one) {
      return one.verdict == finding.verdict && one.subject == finding.subject && one.rank == finding.rank &&
             one.what == finding.what;
    });
    if (!said) out_.findings.push_back(std::move(finding));
  }

  void judge_suites() {
    std::vector<Verdict> verdicts;
    for (const auto& finding : out_.findings) verdicts.push_back(finding.verdict);
    std::set<Suite> planned, found_wanting;
    for (const auto& step : steps_of(order_)) {
      planned.insert(step.suite);
      const bool found = std::any_of(out_.findings.begin(), out_.findings.end(),
                                     [&](const Finding& one) { return one.step == step.name; });
      if (found) found_wanting.insert(step.suite);
    }
    for (const auto suite : order_.suites) {
      if (suites_with_a_pass_.contains(suite)) {
        if (!found_wanting.contains(suite)) out_.suites_passed.emplace_back(to_string(suite));
        verdicts.push_back(Verdict::pass);
        continue;
      }
      // A suite of which nothing passed and nothing was found either must not slip through.
      if (!gaps_ && !suites_with_a_finding_.contains(suite)) {
        const bool possible = planned.contains(suite);
        out_.findings.push_back(
            {.verdict = Verdict::skip,
             .subject = {},
             .rank = std::nullopt,
             .what = possible ? fmt::format("{}: no value could be read", to_string(suite))
                              : fmt::format("{} needs two GPUs, but one was requested", to_string(suite)),
             .advice = possible ? "give the job permission to read the driver's counters"
                                : "leave the suite out, or ask for more GPUs"});
      }
      verdicts.push_back(Verdict::skip);
    }
    out_.verdict = fold(verdicts);
    std::stable_sort(out_.findings.begin(), out_.findings.end(),
                     [](const auto& a, const auto& b) { return severity(a.verdict) < severity(b.verdict); });
  }

  const Order& order_;
  const std::vector<NodeEvidence>& evidence_;
  const std::vector<Baseline>& baselines_;
  bool strict_;
  const KnownBits& known_;
  bool gaps_ = false;  // something of the order did not run to its end
  std::set<Suite> suites_with_a_pass_, suites_with_a_finding_;
  Judgement out_;
};

}  // namespace

std::string to_string(const Subject& subject) {
  std::string text = subject.node.empty() ? "all nodes" : subject.node;
  if (subject.gpu_index) text += fmt::format(" gpu {}", *subject.gpu_index);
  if (!subject.gpu_uuid.empty()) text += fmt::format(" ({})", subject.gpu_uuid);
  return text;
}

std::string place_of(const Subject& subject) {
  return subject.node.empty() ? "all nodes together" : subject.node;
}

Judgement judge(const Order& order, const std::vector<NodeEvidence>& evidence, const std::vector<Baseline>& baselines,
                bool strict, const KnownBits& known) {
  return Judge(order, evidence, baselines, strict, known).judge();
}

}  // namespace rv::accept
