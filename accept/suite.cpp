#include "accept/suite.h"

#include <algorithm>
#include <array>

namespace rv::accept {
namespace {

struct Row {
  Suite suite;
  std::string_view name;
  bool gpus = true, two_ranks = false, where_named = false, model = false;
};

constexpr std::array table{
    Row{.suite = Suite::health, .name = "health"},
    Row{.suite = Suite::compute, .name = "compute"},
    Row{.suite = Suite::memory, .name = "memory"},
    Row{.suite = Suite::p2p, .name = "p2p", .two_ranks = true},
    Row{.suite = Suite::collective, .name = "collective", .two_ranks = true},
    Row{.suite = Suite::train, .name = "train"},
    Row{.suite = Suite::ddp, .name = "ddp", .two_ranks = true},
    Row{.suite = Suite::resnet18, .name = "resnet18", .where_named = true, .model = true},
    Row{.suite = Suite::resnet50, .name = "resnet50", .where_named = true, .model = true},
    Row{.suite = Suite::transformer, .name = "transformer", .where_named = true, .model = true},
    Row{.suite = Suite::io, .name = "io", .gpus = false, .where_named = true},
};

constexpr const Row& row_of(Suite suite) {
  return *std::find_if(table.begin(), table.end(), [&](const Row& row) { return row.suite == suite; });
}

}  // namespace

std::string_view to_string(Suite suite) {
  return row_of(suite).name;
}

const std::vector<Suite>& all_suites() {
  static const auto all = [] {
    std::vector<Suite> suites;
    suites.reserve(table.size());
    for (const auto& row : table) suites.push_back(row.suite);
    return suites;
  }();
  return all;
}

bool needs_gpus(Suite suite) {
  return row_of(suite).gpus;
}

bool needs_two_ranks(Suite suite) {
  return row_of(suite).two_ranks;
}

bool only_where_named(Suite suite) {
  return row_of(suite).where_named;
}

bool times_a_model(Suite suite) {
  return row_of(suite).model;
}

std::string suite_names(std::string_view between, bool (*wanted)(Suite)) {
  std::string names;
  for (const auto& row : table) {
    if (wanted != nullptr && !wanted(row.suite)) continue;
    if (!names.empty()) names += between;
    names += row.name;
  }
  return names;
}

}  // namespace rv::accept
