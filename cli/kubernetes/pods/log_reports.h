// The reports of an acceptance, found again in the logs of its pods.
//
// templates/accept_pod.bash prints them, a line each:
//   rv-report NAME POD NODE NUMBER . FILE TEXT      the last or only part of a line of FILE; "+": more of it follows
//   rv-report NAME POD NODE end COUNT SHA256        how many there were, and the checksum of all "FILE TEXT" lines
// Whatever stands before a mark (kubectl's --prefix or --timestamps) and all other lines are left out.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rv::kubernetes {

struct PodReports {
  std::string pod, node;
  std::map<std::string, std::string> files;  // "compute/rv-compute.n1.7.jsonl" → content; the lines that have arrived
  std::string trouble;                       // why they are not complete; empty: complete according to the checksum
};

struct LogReports {
  std::vector<std::string> names;  // acceptances that have reports, in order
  std::vector<PodReports> pods;    // by pod; of the selected acceptance
};

/// The reports of acceptance `name`; with an empty name, of the only acceptance. The same line twice counts once.
/// A file's name or a node's that could lead out of a folder is left out, and makes its pod's reports incomplete.
LogReports reports_in(std::string_view log, const std::string& name = "");

/// What is wrong with the reports as a whole: a pod's are not whole, two pods were on one node, orders differ. Empty:
/// nothing. That a node is missing is for the judgement to say.
std::string trouble_of(const LogReports& reports);

}  // namespace rv::kubernetes
