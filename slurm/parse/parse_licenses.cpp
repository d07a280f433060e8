#include <sstream>

#include "slurm/parse/field.h"
#include "slurm/parse/parse_cluster.h"

namespace rv::slurm {

/// "LicenseName=solver Total=2 Used=1 Free=1 Reserved=0 Remote=no": no value holds a blank.
std::map<std::string, std::int64_t> parse_free_licenses(std::string_view text) {
  std::map<std::string, std::int64_t> free;
  while (!text.empty()) {
    std::istringstream words{std::string(next_line(text))};
    std::string name;
    for (std::string word; words >> word;) {
      const std::string_view pair = word;
      const auto equals = pair.find('=');
      if (equals == std::string_view::npos) continue;
      if (pair.starts_with("LicenseName=")) name = pair.substr(equals + 1);
      if (pair.starts_with("Free=") && !name.empty()) free[name] = parse_number(pair.substr(equals + 1)).value_or(0);
    }
  }
  return free;
}

}  // namespace rv::slurm
