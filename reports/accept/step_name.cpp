#include "reports/accept/step_name.h"

namespace rv::accept::step_name {
namespace {

constexpr std::string_view all_nodes = "-all-nodes";

}  // namespace

std::string of_all_nodes(std::string_view own) {
  return std::string(own) += all_nodes;
}

bool is_of_all_nodes(std::string_view name) {
  return name.ends_with(all_nodes);
}

bool is_of_compute(std::string_view name) {
  return name.starts_with(compute);
}

bool gives_plain_figures(std::string_view name) {
  return name == compute || name == compute_link;
}

}  // namespace rv::accept::step_name
