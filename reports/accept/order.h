// What an acceptance is asked to run, and the steps that come of it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/accept/fabric.h"
#include "reports/accept/suite.h"

namespace rv::accept {

/// What the suite io measures. It writes, so it runs only where it was named.
struct IoOrder {
  std::string size;                  // of the file that each node writes in a folder, as rv-io takes it; empty: its own
  std::vector<std::string> folders;  // NAME=/FOLDER
  int patience_s = 75;               // how long rv waits for another node's files in home
};

struct Order {
  int nodes = 1;
  int gpus_per_node = 1;              // ranks on every node, where the device is the CPU
  bool full = false;                  // longer, larger, one by one too, under sustained load
  std::string device = "auto";        // as the workers take it: auto, cuda, cpu
  std::vector<Suite> suites;          // sorted, each once
  std::optional<Fabric> fabric = {};  // that NCCL is made to use; nothing: its own choice
  IoOrder io{};                       // of the suite io
  /// All steps together end after this time, and are the shortest that find a broken GPU or link; 0: no such limit.
  int within_s = 0;

  bool has(Suite suite) const;
};

/// One worker's run. Every node takes part in every step.
struct Step {
  std::string name;  // also the folder of its reports
  Suite suite;
  bool together = false;  // all nodes' ranks meet; else every node on its own
  std::string worker;     // the program's name
  std::vector<std::string> arguments;
  int limit_s = 0;  // of wall time; the worker's own deadlines come first
  int ranks = 1;    // that meet in it, over all nodes if together
};

/// The steps of an order, in the order in which every node runs them. What needs two ranks or two nodes is left out
/// where there is one, and what goes over all nodes where the fabric is one within a node.
std::vector<Step> steps_of(const Order& order);

/// Whether its ranks on GPUs speak through NCCL.
bool uses_nccl(const Step& step);

nlohmann::ordered_json to_json(const Order& order);
/// Throws Error for what to_json() did not write.
Order order_from_json(const nlohmann::ordered_json& json);

}  // namespace rv::accept
