#include "cli/hosts/programs.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "shared/sha256.h"

namespace rv::cli {

remote::KnownWorkers Programs::known() const {
  remote::KnownWorkers known{.folder = folder, .sums = {}};
  for (const auto& [name, bytes] : files) known.sums.push_back(fmt::format("{}  {}", sha256_hex(*bytes), name));
  return known;
}

Programs read_programs(const std::string& folder, const std::vector<std::string>& names) {
  Programs programs{.folder = folder, .files = {}};
  for (const auto& name : names) {
    auto bytes = os::read_file(fmt::format("{}/{}", folder, name));
    if (!bytes) throw Error(fmt::format("{}/{} is gone", folder, name), "install the workers again");
    programs.files.emplace_back(name, std::make_shared<const std::string>(std::move(*bytes)));
  }
  return programs;
}

}  // namespace rv::cli
