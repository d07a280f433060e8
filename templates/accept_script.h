// The script that runs an acceptance's workers on one node.
#pragma once

#include <string>
#include <vector>

namespace rv::templates {

/// One worker's run, see templates/accept_node.bash.
struct AcceptStep {
  std::string name;                  // plain characters: a folder's name
  bool together = false;             // its ranks are those of all nodes
  int limit_s = 0;                   // after which it is ended
  std::vector<std::string> command;  // the worker's name and its arguments
};

/// `reports` and `workers` are absolute folders that every node sees; `token_file` holds the ranks' secret.
/// `environment` ("NAME=value") is the workers' besides; with RV_NCCL_LOG in it NCCL's log lies among the reports.
std::string render_accept_node(const std::string& reports, const std::string& workers, const std::string& token_file,
                               const std::vector<AcceptStep>& steps, const std::vector<std::string>& environment = {});

/// What a pod of Kubernetes runs: `node_script`, whose reports lie in `reports`, and then the printing of `order` (JSON
/// on one line) and the reports to its log (cli/kubernetes/pods/log_reports.h).
std::vector<std::string> accept_pod_command(const std::string& node_script, const std::string& order,
                                            const std::string& reports);

}  // namespace rv::templates
