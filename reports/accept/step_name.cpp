#include "reports/accept/step_name.h"

namespace rv::accept::step_name {
namespace {

constexpr std::string_view all_nodes = "-all-nodes";

}  // namespace

std::string of(Suite suite, bool meet_over_nodes) {
  std::string name(to_string(suite));
  if (meet_over_nodes) name += all_nodes;
  return name;
}

bool is_of_all_nodes(std::string_view name) {
  return name.ends_with(all_nodes);
}

bool is_of(Suite suite, std::string_view name) {
  return name.starts_with(to_string(suite));
}

bool gives_plain_figures(std::string_view name) {
  return name == compute || name == compute_link;
}

}  // namespace rv::accept::step_name
