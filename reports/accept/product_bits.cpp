#include "reports/accept/product_bits.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/documents/json_members.h"
#include "base/text.h"
#include "reports/accept/advice.h"

namespace rv::accept {
namespace {

using Votes = std::map<std::string, std::set<std::string>>;  // checksum → UUIDs

/// The checksum that most GPUs have, and whether no other checksum has as many.
struct Largest {
  std::string checksum;
  std::size_t gpus = 0;
  bool alone = false;
};

Largest largest_of(const Votes& votes) {
  Largest largest;
  for (const auto& [checksum, gpus] : votes) {
    if (gpus.size() > largest.gpus) {
      largest = {checksum, gpus.size(), true};
    } else if (gpus.size() == largest.gpus) {
      largest.alone = false;
    }
  }
  return largest;
}

std::string product_of(const Figure& figure, const nlohmann::ordered_json& environment) {
  const auto n = member_number(figure.params, "n");
  return fmt::format("{} n {}, {}, CUDA driver {}, cuBLASLt {}", member_text(figure.params, "type"), n.value_or(0),
                     figure.model, member_text(environment, "cuda_driver"), member_text(environment, "cublaslt"));
}

}  // namespace

std::vector<ProductBits> bits_of(const std::vector<NodeEvidence>& evidence) {
  std::vector<ProductBits> all;
  for (const auto& node : evidence) {
    for (const auto& step : node.steps) {
      for (const auto& report : step.reports) {
        for (const auto& figure : report.figures) {
          const auto checksum = member_text(figure.params, "checksum");
          const bool repeated = figure.suite == "exact" && figure.name.starts_with("exact_") && !checksum.empty();
          if (!repeated || figure.gpu_uuid.empty() || figure.verdict != Verdict::pass) continue;
          all.push_back({node.node, figure.gpu_uuid, figure.gpu_index, figure.model,
                         product_of(figure, report.environment), checksum});
        }
      }
    }
  }
  return all;
}

void add_bits(std::vector<GpuRecord>& records, const std::vector<ProductBits>& bits) {
  for (auto& record : records) {
    for (const auto& one : bits) {
      if (one.uuid == record.uuid) record.bits[one.product] = one.checksum;
    }
  }
}

KnownBits known_bits(const std::vector<GpuRecord>& records, const std::string& run) {
  KnownBits known;
  for (const auto& record : records) {
    if (record.run == run) continue;
    for (const auto& [product, checksum] : record.bits) known[product][checksum].insert(record.uuid);
  }
  return known;
}

std::vector<Finding> find_other_bits(const std::vector<ProductBits>& now, const KnownBits& before) {
  KnownBits votes;
  for (const auto& one : now) {
    auto& of_product = votes[one.product];
    if (const auto known = before.find(one.product); of_product.empty() && known != before.end()) {
      of_product = known->second;
    }
    of_product[one.checksum].insert(one.uuid);
  }
  Figure exact;
  exact.suite = "exact";
  const auto advice = advice_for(exact);
  std::vector<Finding> findings;
  std::set<std::pair<std::string, std::string>> named;  // product and UUID: steps repeat a product
  for (const auto& one : now) {
    const auto& of_product = votes[one.product];
    const auto largest = largest_of(of_product);
    if (of_product.size() < 2 || (largest.alone && one.checksum == largest.checksum)) continue;
    if (!named.insert({one.product, one.uuid}).second) continue;
    const auto what =
        largest.alone
            ? fmt::format("its product ({}) differs in bits from that of {}, earlier acceptance tests included",
                          one.product, counted(static_cast<long long>(largest.gpus), "GPU"))
            : fmt::format("its product ({}) has {} different checksums on this and other GPUs, none of them on most",
                          one.product, of_product.size());
    findings.push_back(
        {.verdict = Verdict::fail,
         .subject = {.node = one.node, .gpu_index = one.gpu_index, .gpu_uuid = one.uuid, .model = one.model},
         .rank = std::nullopt,
         .what = what,
         .advice = advice});
  }
  return findings;
}

}  // namespace rv::accept
