// The folder of an acceptance: order.json, node.sh, token, reports/NODE/…, and after the judgement accept.json and
// accept.html. In a run's own folder it is called "accept".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/accept/order.h"
#include "templates/accept_script.h"

namespace rv::cli {

/// Writes order.json, the ranks' secret (0600) and the script that every node runs (node.sh) into `folder`, which it
/// makes. Throws Error.
void prepare_acceptance(const std::string& folder, const accept::Order& order, const std::string& workers);

/// The script that every node runs, where the programs, the secret and the reports lie in these folders.
std::string node_script(const accept::Order& order, const std::string& reports, const std::string& workers,
                        const std::string& token_file);

/// What was ordered. Throws Error for a folder without an acceptance.
accept::Order read_order(const std::string& folder);

}  // namespace rv::cli
