// The user's own kubectl.
#pragma once

#include <string>
#include <vector>

namespace rv::cli {

struct KubectlResult {
  bool ok = false;
  std::string out, err;
};

/// Runs kubectl with these words. Throws Error where there is no kubectl, or no answer in time.
KubectlResult kubectl(const std::vector<std::string>& words);

/// Several at once; answers in their order.
std::vector<KubectlResult> kubectl_each(const std::vector<std::vector<std::string>>& all);

/// The first line of what it said of its trouble; a Go program's may have hundreds.
std::string trouble_of(const KubectlResult& answer);

/// What it printed; throws Error with kubectl's own words where it fails. `what` says what was asked.
std::string kubectl_out(const std::vector<std::string>& words, const std::string& what);

/// {"-n", space}, or nothing where it is empty.
std::vector<std::string> in_namespace(const std::string& space);

}  // namespace rv::cli
