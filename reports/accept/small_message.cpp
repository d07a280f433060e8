#include "reports/accept/small_message.h"

namespace rv::accept {
namespace {

constexpr std::uint64_t small_below = 1U << 20;

std::optional<double> bus_factor(const FigureKey& key) {
  const double ranks = key.gpus;
  if (key.figure == "all_reduce") return 2 * (ranks - 1) / ranks;
  if (key.figure == "all_gather" || key.figure == "reduce_scatter" || key.figure == "alltoall")
    return (ranks - 1) / ranks;
  if (key.figure == "broadcast" || key.figure == "sendrecv") return 1;
  return std::nullopt;
}

}  // namespace

bool is_small_message(const FigureKey& key) {
  return !key.type.empty() && key.bytes && *key.bytes < small_below;
}

Figure by_latency(const Figure& figure) {
  const auto time = figure.params.find("time_us");
  if (time == figure.params.end() || !time->is_number() || !(time->get<double>() > 0)) return figure;
  Figure out = figure;
  if (figure.value) {
    out.params["bus_bandwidth"] = *figure.value;
    // A share of the one is the same share of the other.
    if (figure.spread && *figure.value > 0) out.spread = *figure.spread / *figure.value * time->get<double>();
  }
  out.value = time->get<double>();
  out.unit = "us";
  return out;
}

std::optional<double> latency_us(const Baseline& baseline) {
  const auto factor = bus_factor(baseline.key);
  if (!factor || *factor <= 0 || baseline.unit != "GB/s" || !(baseline.value > 0)) return std::nullopt;
  return *factor * static_cast<double>(baseline.key.bytes.value_or(0)) / (baseline.value * 1e3);
}

}  // namespace rv::accept
