#include "planner/cluster/job_name.h"

#include <algorithm>
#include <string>

#include "base/seeded_random.h"
#include "shared/fnv1a.h"

namespace rv::planner {

std::uint32_t name_key(std::string_view name) {
  if (name.empty()) return 0;
  std::string stem;
  std::copy_if(name.begin(), name.end(), std::back_inserter(stem), [](char c) { return c < '0' || c > '9'; });
  const auto key = static_cast<std::uint32_t>(mixed(fnv1a(stem)));
  return key == 0 ? 1 : key;
}

}  // namespace rv::planner
