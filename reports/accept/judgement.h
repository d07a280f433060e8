// Compares the evidence of an acceptance with its order, with baselines and between GPUs and nodes. Gives a verdict.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/accept/baseline.h"
#include "reports/accept/evidence.h"
#include "reports/accept/order.h"
#include "shared/verdict.h"

namespace rv::accept {

/// What a figure or a finding is about. An empty node: all nodes together.
struct Subject {
  std::string node;
  std::optional<int> gpu_index;
  std::string gpu_uuid;
  std::string model;

  bool operator==(const Subject&) const = default;
};

/// "udc-an33-1 gpu 2 (GPU-6f…)", "udc-an33-1", "all nodes".
std::string to_string(const Subject& subject);

/// Where ranks that worked together were: the node, or "all nodes together".
std::string place_of(const Subject& subject);

/// A figure with everything that was found about it.
struct JudgedFigure {
  Subject subject;
  std::string step;
  Figure figure;  // its verdict is the worker's own
  FigureKey key;
  const Baseline* baseline = nullptr;  // points into judge()'s argument `baselines`; null: none
  std::optional<double> ratio;         // to the baseline, above 1 is better
  Verdict verdict = Verdict::error;    // the worker's and the judge's together
};

struct Finding {
  Verdict verdict = Verdict::error;
  Subject subject;
  std::optional<int> rank;
  std::string what;       // a sentence without the final full stop
  std::string advice;     // what to do
  std::string step = {};  // the step that this is about; empty: not about a step
};

/// Whether NCCL used the fabric that it was made to use.
struct FabricProof {
  std::string node, step;
  Used used = Used::unknown;
  std::string seen;  // what its log tells
};

struct Judgement {
  Verdict verdict = Verdict::error;
  std::vector<JudgedFigure> figures;
  std::vector<Finding> findings;
  std::vector<std::string> not_available;  // readings that could not be taken: "n1 gpu 0 xid"
  std::vector<std::string> suites_passed;
  std::set<std::string> nodes;      // that ran at least one step to its end
  std::set<std::string> gpus;       // that took part, by UUID
  std::vector<FabricProof> fabric;  // a line for each node and step, where the order names a fabric
};

/// Earlier checksums of matrix products: product → checksum → UUIDs of the GPUs that computed it (product_bits.h).
using KnownBits = std::map<std::string, std::map<std::string, std::set<std::string>>>;

/// The verdict is a pass only if every step of the order ran to its end on every node, every suite has at least one
/// figure that passed, and there is no finding. A skip is a finding, so the verdict is then a skip. A reading that is
/// not available is listed and does not change the verdict; with `strict` it is a skip.
/// `baselines` must outlive the result.
Judgement judge(const Order& order, const std::vector<NodeEvidence>& evidence, const std::vector<Baseline>& baselines,
                bool strict, const KnownBits& known = {});

}  // namespace rv::accept
