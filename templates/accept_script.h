// Renders the script that runs the workers of an acceptance test on one node.
#pragma once

#include <string>
#include <vector>

namespace rv::templates {

/// One call of a worker, see templates/accept_node.bash.
struct AcceptStep {
  std::string name;                  // name of its folder, in plain characters
  bool together = false;             // the ranks of all nodes work together
  int limit_s = 0;                   // the worker is ended after this time
  std::vector<std::string> command;  // the worker's name and its arguments
};

/// Renders the script. `reports` and `workers` are absolute folders on a file system that every node sees; `token_file`
/// has the secret of the ranks. `environment` has additional variables for the workers ("NAME=value"); if RV_NCCL_LOG
/// is one of them, NCCL's log is written to `reports`. `within_s`: all steps together end after this time, and those
/// that are left don't start; 0: no such limit.
std::string render_accept_node(const std::string& reports, const std::string& workers, const std::string& token_file,
                               const std::vector<AcceptStep>& steps, const std::vector<std::string>& environment = {},
                               int within_s = 0);

/// Returns the command of a pod of Kubernetes. It runs `node_script`, which writes to `reports`, and then prints
/// `order` (JSON on one line) and the reports to the pod's log (cli/kubernetes/pods/log_reports.h).
std::vector<std::string> accept_pod_command(const std::string& node_script, const std::string& order,
                                            const std::string& reports);

}  // namespace rv::templates
