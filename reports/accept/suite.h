// What an acceptance can be asked to measure: one table, from which every place that names suites takes them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace rv::accept {

enum class Suite { health, compute, memory, p2p, collective, train, ddp, resnet18, resnet50, transformer, io };

struct SuiteRow {
  Suite suite;
  std::string_view name;
  bool gpus = true, two_ranks = false, where_named = false, model = false;  // as the functions below say
  std::string_view of_compute = {};
};

/// Each once, in the order of their numbers.
inline constexpr std::array suite_rows{
    SuiteRow{.suite = Suite::health, .name = "health"},
    SuiteRow{.suite = Suite::compute, .name = "compute"},
    SuiteRow{.suite = Suite::memory, .name = "memory", .of_compute = "memory"},
    SuiteRow{.suite = Suite::p2p, .name = "p2p", .two_ranks = true},
    SuiteRow{.suite = Suite::collective, .name = "collective", .two_ranks = true},
    SuiteRow{.suite = Suite::train, .name = "train"},
    SuiteRow{.suite = Suite::ddp, .name = "ddp", .two_ranks = true},
    SuiteRow{.suite = Suite::resnet18, .name = "resnet18", .where_named = true, .model = true},
    SuiteRow{.suite = Suite::resnet50, .name = "resnet50", .where_named = true, .model = true},
    SuiteRow{.suite = Suite::transformer, .name = "transformer", .where_named = true, .model = true},
    SuiteRow{.suite = Suite::io, .name = "io", .gpus = false, .where_named = true},
};

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
/// The suite of rv-compute that it is, on all GPUs of a node at once; empty: reports/accept/order.cpp makes its steps.
std::string_view of_compute(Suite suite);

/// The names with `between` between them: of all, or of those that `wanted` takes.
std::string suite_names(std::string_view between, bool (*wanted)(Suite) = nullptr);

}  // namespace rv::accept
