#include "reports/stress/judgement.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace rv::stress {

namespace {

constexpr int exit_does_not_fit = 4;

const char* advice_for(const Worker& worker) {
  if (worker.end == "did not fit") return "use less --memory or fewer --workers; rv gpu shows what else uses the GPU";
  if (worker.end == "killed") return "check the kernel log and the job's memory limit (--mem)";
  if (worker.end == "hung") return "check the GPU's health: rv accept --suite health,compute";
  if (worker.end == "late") return "check with nvidia-smi for a GPU that responds slowly";
  if (worker.cause == "leak") return "the driver or CUDA version is a likely cause: compare with another node";
  if (worker.cause == "wrong_result") return "the GPU computes wrong results: rv accept --suite compute,memory";
  return "run it again; if it fails again, check the GPU with rv accept";
}

std::string percent_text(const PassCount& count) {
  return fmt::format("{} of {} ({:.0f} %)", count.passed, count.of, count.percent());
}

void judge_workers(Judgement& all) {
  for (const auto& node : all.nodes) {
    all.workers.of += node.evidence.stressed && node.evidence.skipped.empty() ? node.evidence.asked : 0;
    for (const auto& worker : node.evidence.workers) all.workers.passed += worker.verdict == Verdict::pass ? 1 : 0;
  }
  const bool enough = all.workers.percent() >= all.limits.min_success;
  bool memory = false, else_wrong = false;
  for (const auto& node : all.nodes) {
    for (const auto& worker : node.evidence.workers) {
      if (worker.verdict == Verdict::pass) continue;
      (worker.end == "did not fit" ? memory : else_wrong) = true;
      all.findings.push_back({worker.verdict == Verdict::error ? Verdict::error
                              : enough                         ? Verdict::pass
                                                               : Verdict::fail,
                              place_of(node.evidence, worker), worker.reason, advice_for(worker)});
    }
  }
  if (all.workers.of == 0 || enough) return;
  all.did_not_fit = memory && !else_wrong;
  all.findings.push_back(
      {Verdict::fail, "all",
       fmt::format("{} workers passed; at least {:.0f} % must pass", percent_text(all.workers), all.limits.min_success),
       "the findings of the workers give the reasons"});
}

void judge_checks(Judgement& all, const NodeEvidence& node) {
  for (const auto& check : node.checks) {
    const auto where = fmt::format("{}{}", node.node, check.uuid.empty() ? "" : " " + check.uuid);
    if (check.verdict == Verdict::skip) {
      all.not_available.push_back(fmt::format("{} {} ({})", where, check.name, check.detail));
    } else if (check.verdict != Verdict::pass) {
      all.findings.push_back({check.verdict, where, fmt::format("{} afterwards: {}", check.name, check.reason),
                              "leftovers disturb the next job: check the node's epilog"});
    }
  }
}

void judge_balance(Judgement& all, const JudgedNode& node) {
  const auto& gpus = node.gpus;
  if (gpus.of < 2) return;
  const bool nobody_worked = !gpus.most_to_least && gpus.variation == 0;
  if (nobody_worked || (gpus.most_to_least && *gpus.most_to_least <= all.limits.max_imbalance)) return;
  const auto how = gpus.most_to_least ? fmt::format(
                                            "the GPU with the most operations did {:.2f} times as many as the one "
                                            "with the fewest; the limit is {}",
                                            *gpus.most_to_least, all.limits.max_imbalance)
                                      : std::string("one GPU did no operations, and others did");
  all.findings.push_back({Verdict::fail, node.evidence.node, how,
                          "check the slow GPU for throttling or other work: rv accept --suite health,compute"});
}

JudgedLaunch judged(const Launch& launch, const std::map<std::string, LauncherLog>& logs, const MessageTable& table) {
  JudgedLaunch out{.launch = launch, .messages = {}, .verdict = launch.verdict, .reason = launch.reason};
  if (const auto log = logs.find(launch.log); log != logs.end()) out.messages = classify(log->second.text, table);
  const auto critical = std::find_if(out.messages.begin(), out.messages.end(),
                                     [](const auto& one) { return one.kind == MessageClass::critical; });
  if (out.verdict == Verdict::pass && critical != out.messages.end()) {
    out.verdict = Verdict::fail;
    out.reason = fmt::format("its output has, in line {}: {}", critical->line, critical->text);
  }
  return out;
}

std::string where_its_words_are(const Launch& launch, const std::map<std::string, LauncherLog>& logs) {
  const auto log = logs.find(launch.log);
  if (log == logs.end()) return "its log is missing: " + launch.log;
  const auto lines = last_lines(log->second.text, 10);
  if (lines.empty()) return "it printed nothing";
  if (!log->second.path.empty()) return "its output is in " + log->second.path;
  std::string out = "its last output:";
  for (const auto line : lines) out += "\n" + one_line(line);
  return out;
}

void judge_launches(Judgement& all, const std::map<std::string, LauncherLog>& logs, const MessageTable& table) {
  for (auto& node : all.nodes) {
    for (const auto& launch : node.evidence.launches) node.launches.push_back(judged(launch, logs, table));
    for (const auto& one : node.launches) all.launches.passed += one.verdict == Verdict::pass ? 1 : 0;
    all.launches.of += static_cast<int>(node.launches.size());
  }
  const bool enough = all.launches.percent() >= all.limits.min_launch;
  for (const auto& node : all.nodes) {
    for (const auto& one : node.launches) {
      const auto where = fmt::format("{} launch {}", node.evidence.node, one.launch.name);
      if (one.verdict != Verdict::pass) {
        all.findings.push_back(
            {enough ? Verdict::pass : Verdict::fail, where, one.reason, where_its_words_are(one.launch, logs)});
      } else if (one.launch.used && one.launch.used->size() < one.launch.given.size()) {
        all.findings.push_back(
            {Verdict::pass, where,
             fmt::format("it had {} and used {}", counted(static_cast<long long>(one.launch.given.size()), "GPU"),
                         one.launch.used->size()),
             "check that it reads CUDA_VISIBLE_DEVICES and can see the GPUs; " +
                 where_its_words_are(one.launch, logs)});
      }
    }
  }
  if (all.launches.of == 0 || enough) return;
  all.findings.push_back({Verdict::fail, "all",
                          fmt::format("{} configurations of the launcher passed; at least {:.0f} % must pass",
                                      percent_text(all.launches), all.limits.min_launch),
                          "the findings of the configurations give the reasons"});
}

/// What must be there to be judged at all.
void judge_completeness(Judgement& all) {
  int expected = 1;
  for (const auto& node : all.nodes) expected = std::max(expected, node.evidence.nodes);
  const auto missing = expected - static_cast<int>(all.nodes.size());
  if (missing > 0) {
    all.findings.push_back({Verdict::error, "all",
                            fmt::format("{} of {} left no report", missing, counted(expected, "node")),
                            "rv logs shows the run's output"});
  }
  for (const auto& [node, workers, gpus, launches] : all.nodes) {
    const bool nothing = node.stressed && static_cast<int>(node.workers.size()) < node.asked;
    const bool no_launch = node.launches_asked && node.launches.empty();
    if (!node.skipped.empty()) {
      all.findings.push_back({Verdict::skip, node.node, "no GPU: " + node.skipped,
                              node.driver.empty()
                                  ? "check that nvidia-smi works there; --device cpu tests on the processor instead"
                                  : "check CUDA_VISIBLE_DEVICES there; --device cpu tests on the processor "
                                    "instead"});
    } else if (!node.trouble.empty()) {
      all.findings.push_back({Verdict::error, node.node, node.trouble, "run it again"});
    } else if (!node.whole || nothing || no_launch) {
      all.findings.push_back({Verdict::error, node.node, "the report is incomplete",
                              "the job may have been interrupted; rv logs shows the run's output"});
    }
  }
}

/// A GPU whose workers were counted twice, and shared it.
void judge_owners(Judgement& all) {
  std::map<std::string, std::string> owners;
  for (const auto& node : all.nodes) {
    for (const auto& uuid : node.evidence.uuids) {
      const auto [first, fresh] = owners.emplace(uuid, node.evidence.node);
      if (fresh) continue;
      all.findings.push_back({Verdict::fail, node.evidence.node,
                              fmt::format("{} is also shown by {}", uuid, first->second),
                              "check for one host under two names (--hosts); if Slurm allocates one GPU twice, check "
                              "gres.conf"});
    }
  }
}

}  // namespace

std::string place_of(const NodeEvidence& node, const Worker& worker) {
  const auto gpu = worker.gpu < 0 ? std::string() : fmt::format(" (gpu {})", worker.gpu);
  return fmt::format("{} worker {}{}", node.node, worker.number, gpu);
}

Judgement judge(std::vector<NodeEvidence> nodes, const std::map<std::string, LauncherLog>& logs,
                const MessageTable& table, const Limits& limits) {
  Judgement all;
  all.limits = limits;
  for (auto& node : nodes) {
    all.nodes.push_back({.evidence = std::move(node), .workers = {}, .gpus = {}, .launches = {}});
    all.nodes.back().workers = balance_of_workers(all.nodes.back().evidence);
    all.nodes.back().gpus = balance_of_gpus(all.nodes.back().evidence);
  }
  judge_completeness(all);
  judge_owners(all);
  judge_workers(all);
  for (const auto& node : all.nodes) {
    judge_checks(all, node.evidence);
    judge_balance(all, node);
  }
  judge_launches(all, logs, table);
  std::stable_sort(all.findings.begin(), all.findings.end(),
                   [](const auto& a, const auto& b) { return severity(a.verdict) < severity(b.verdict); });
  std::vector<Verdict> verdicts;
  for (const auto& finding : all.findings) verdicts.push_back(finding.verdict);
  if (all.workers.passed > 0 || all.launches.passed > 0) verdicts.push_back(Verdict::pass);
  all.verdict = fold(verdicts);
  return all;
}

int exit_code(const Judgement& judgement) {
  if (judgement.verdict == Verdict::fail && judgement.did_not_fit) return exit_does_not_fit;
  return exit_code(judgement.verdict, false);
}

}  // namespace rv::stress
