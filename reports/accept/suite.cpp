#include "reports/accept/suite.h"

#include <algorithm>

namespace rv::accept {
namespace {

constexpr const SuiteRow& row_of(Suite suite) {
  return *std::find_if(suite_rows.begin(), suite_rows.end(), [&](const SuiteRow& row) { return row.suite == suite; });
}

}  // namespace

std::string_view to_string(Suite suite) {
  return row_of(suite).name;
}

const std::vector<Suite>& all_suites() {
  static const auto all = [] {
    std::vector<Suite> suites;
    suites.reserve(suite_rows.size());
    for (const auto& row : suite_rows) suites.push_back(row.suite);
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

std::string_view of_compute(Suite suite) {
  return row_of(suite).of_compute;
}

std::string suite_names(std::string_view between, bool (*wanted)(Suite)) {
  std::string names;
  for (const auto& row : suite_rows) {
    if (wanted != nullptr && !wanted(row.suite)) continue;
    if (!names.empty()) names += between;
    names += row.name;
  }
  return names;
}

}  // namespace rv::accept
