// Messages so small that what they take is a latency: their bandwidth says nothing.
#pragma once

#include <optional>

#include "reports/accept/baseline.h"
#include "reports/accept/evidence.h"

namespace rv::accept {

/// A collective's, of less than 1 MiB.
bool is_small_message(const FigureKey& key);

/// The figure with its time in microseconds as its value; the bandwidth becomes its parameter `bus_bandwidth`.
/// Unchanged if the worker reported no time.
Figure by_latency(const Figure& figure);

/// The same of a baseline in GB/s, as older files have them. Bus bandwidth is the message's own, times what each
/// operation moves: nccl-tests/doc/PERFORMANCE.md. Nothing: it is of another unit or operation.
std::optional<double> latency_us(const Baseline& baseline);

}  // namespace rv::accept
