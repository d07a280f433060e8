// Derives the verdict from the reports of the nodes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/stress/balance.h"
#include "reports/stress/evidence.h"
#include "reports/stress/message_class.h"
#include "shared/verdict.h"

namespace rv::stress {

struct Limits {
  double min_success = 80;     // percent of the workers
  double min_launch = 50;      // percent of the launcher's configurations
  double max_imbalance = 1.5;  // operations of the GPU with the most by those of the one with the least
};

struct Finding {
  Verdict verdict = Verdict::fail;  // pass: enough others succeeded
  std::string where;                // "n07 worker 3 (gpu 1)"
  std::string what, advice;
};

/// The output of one run of the launcher.
struct LauncherLog {
  std::string text;
  std::string path = {};  // where it is stored; empty: it is removed with the run
};

struct JudgedLaunch {
  Launch launch;
  std::vector<Message> messages;
  Verdict verdict = Verdict::error;
  std::string reason;
};

struct JudgedNode {
  NodeEvidence evidence;
  Balance workers, gpus;
  std::vector<JudgedLaunch> launches;
};

struct PassCount {
  int passed = 0, of = 0;  // of: in total
  double percent() const { return of == 0 ? 0 : 100.0 * passed / of; }
};

struct Judgement {
  Verdict verdict = Verdict::error;
  bool did_not_fit = false;  // all failures are for lack of memory
  std::vector<JudgedNode> nodes;
  PassCount workers, launches;
  std::vector<Finding> findings;           // worst first
  std::vector<std::string> not_available;  // checks without a result
  Limits limits;
};

/// `logs`: what the launcher said, by the names of its log files.
Judgement judge(std::vector<NodeEvidence> nodes, const std::map<std::string, LauncherLog>& logs,
                const MessageTable& table, const Limits& limits);

/// 0 pass, 1 fail, 3 error, 4 it fails because workers did not fit, 77 skip.
int exit_code(const Judgement& judgement);

/// "n07 worker 3 (gpu 1)".
std::string place_of(const NodeEvidence& node, const Worker& worker);

}  // namespace rv::stress
