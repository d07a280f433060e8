#include "workers/compute/memory_bandwidth.h"

#include <algorithm>
#include <cmath>

namespace rv::workers {
namespace {

Speed summary(const StoppingRule& rule) {
  return {median(rule.values()), median_absolute_deviation(rule.values()), rule.values().size()};
}

}  // namespace

std::string_view stream_kernel_name(StreamKernel kernel) {
  switch (kernel) {
    case StreamKernel::copy:
      return "copy";
    case StreamKernel::scale:
      return "scale";
    case StreamKernel::add:
      return "add";
    case StreamKernel::triad:
      return "triad";
  }
  return "";
}

Speed measure_stream(StreamArrays& arrays, StreamKernel kernel, const StoppingRule::Limits& limits) {
  arrays.run(kernel, 1);
  // Samples take several milliseconds, so that the gap between launch and start is negligible.
  const auto once = arrays.run(kernel, 2) / 2;
  const auto repeats = static_cast<int>(std::clamp(std::ceil(5e-3 / std::max(once, 1e-9)), 1.0, 1000.0));
  const auto bytes = static_cast<double>(arrays.bytes()) * arrays_moved(kernel) * repeats;
  StoppingRule rule(limits);
  while (!rule.finished()) {
    const auto seconds = arrays.run(kernel, repeats);
    rule.add(bytes / seconds / 1e9, seconds);
  }
  return summary(rule);
}

Speed measure_copy(HostLink& link, CopyDirection direction, const StoppingRule::Limits& limits) {
  link.copy(direction);
  StoppingRule rule(limits);
  while (!rule.finished()) {
    const auto seconds = link.copy(direction);
    rule.add(static_cast<double>(link.bytes()) / seconds / 1e9, seconds);
  }
  return summary(rule);
}

Speed measure_latency(HostLink& link, CopyDirection direction, const StoppingRule::Limits& limits) {
  link.small_copy(direction);
  StoppingRule rule(limits);
  while (!rule.finished()) {
    const auto seconds = link.small_copy(direction);
    rule.add(seconds * 1e6, seconds);
  }
  return summary(rule);
}

}  // namespace rv::workers
