// Plans leave out nodes on which runs failed again and again.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/settings/settings.h"
#include "monitor/node_memory/node_event_folder.h"
#include "monitor/node_memory/node_record.h"
#include "planner/cluster/cluster.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"

namespace rv::cli {

/// The folder of the settings' key `node_memory`, else the one in rv's home.
monitor::NodeEventFolder node_event_folder(const Settings& settings);

/// What is on record of this cluster's nodes. None if the folder can't be read, with a line in the log.
std::vector<monitor::NodeRecord> known_node_records(const Settings& settings, const std::string& cluster);

struct AvoidedNodes {
  std::vector<monitor::NodeRecord> nodes;
  /// How much later the first strategy starts (median) than it would with these nodes; nothing: unknown.
  std::optional<std::chrono::seconds> later;
  bool needed = false;  // nothing fits without them, so the plan uses them
};

/// The nodes of the cluster that the plan is to leave out: not those that the request names or leaves out itself.
AvoidedNodes nodes_to_avoid(const std::vector<monitor::NodeRecord>& records, const planner::Cluster& cluster,
                            const planner::Request& request);

/// How much later the first strategy of a plan starts than that of another; nothing where a median is unknown.
std::optional<std::chrono::seconds> later_start(const planner::Plan& plan, const planner::Plan& than);

/// "n3 is avoided (2 faults in 7 days): the start is about 12m later than with it; see rv nodes". Empty: none is.
std::string in_words(const AvoidedNodes& avoided);

/// {"nodes", "later_s", "needed"}.
nlohmann::ordered_json to_json(const AvoidedNodes& avoided);

}  // namespace rv::cli
