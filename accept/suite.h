// What an acceptance can be asked to measure: one table, from which every place that names suites takes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::accept {

enum class Suite { health, compute, memory, p2p, collective, train, ddp, resnet18, resnet50, transformer, io };

std::string_view to_string(Suite suite);
/// In the order in which they run.
const std::vector<Suite>& all_suites();

/// Whether a suite measures GPUs, or runs in their place on the processor; io measures what the nodes have besides.
bool needs_gpus(Suite suite);
/// Whether it is between ranks, so that nothing is left of it where there is one.
bool needs_two_ranks(Suite suite);
/// Whether it runs only where it is named: io writes; models take their time, and cuDNN on every node.
bool only_where_named(Suite suite);
/// Whether it times a network of rv-train, which has the suite's name.
bool times_a_model(Suite suite);

/// The names with `between` between them: of all, or of those that `wanted` takes.
std::string suite_names(std::string_view between, bool (*wanted)(Suite) = nullptr);

}  // namespace rv::accept
