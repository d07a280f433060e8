// The reports of pods, from their logs.
#pragma once

#include <string>

#include "cli/kubernetes/pods/log_reports.h"
#include "cli/options/kubernetes_options.h"

namespace rv::cli {

struct CollectedReports {
  std::string name;  // of the acceptance
  kubernetes::LogReports reports;
  std::string trouble;  // why they are not complete; empty: they are
};

/// --collect: reads the pods and their logs with kubectl. Throws Error if they have no reports of an acceptance.
CollectedReports collect_reports(const KubernetesOptions& options);

/// --judge: reads saved logs; "-" is stdin. `name`: the acceptance, empty for the only one. Throws Error like
/// collect_reports().
CollectedReports saved_reports(const std::string& file, const std::string& name);

/// Writes order.json to `folder` and the other files to `folder`/reports/NODE, as the judgement reads them. If two pods
/// ran on one node, only the first pod's files are written. Throws Error.
void write_reports(const std::string& folder, const kubernetes::LogReports& reports);

}  // namespace rv::cli
