// Silent corruption: the same product must have the same bits on every GPU of a model, on all nodes and over the
// months.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/accept/evidence.h"
#include "reports/accept/gpu_history.h"
#include "reports/accept/judgement.h"

namespace rv::accept {

/// The checksum that one GPU computed of a product of the suite `exact` (workers/compute).
struct ProductBits {
  std::string node, uuid;
  std::optional<int> gpu_index;
  std::string model;
  std::string product;  ///< what the bits depend on: type, size, GPU model, CUDA driver and cuBLASLt
  std::string checksum;
};

/// All of the evidence that repeated to the last bit. Products of a processor are left out: libraries choose other
/// instructions on other processors.
std::vector<ProductBits> bits_of(const std::vector<NodeEvidence>& evidence);

/// Adds the bits to the records of their GPUs.
void add_bits(std::vector<GpuRecord>& records, const std::vector<ProductBits>& bits);

/// The GPUs of earlier acceptances, by product and checksum. Records of `run`, which is judged now, are left out.
KnownBits known_bits(const std::vector<GpuRecord>& records, const std::string& run);

/// A finding for each GPU whose checksum is not the one of most GPUs. A GPU counts once for each checksum it has ever
/// computed. If no checksum has the most GPUs, each GPU of the product has a finding.
std::vector<Finding> find_other_bits(const std::vector<ProductBits>& now, const KnownBits& before);

}  // namespace rv::accept
