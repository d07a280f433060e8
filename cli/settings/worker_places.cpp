#include "cli/settings/worker_places.h"

#include <unistd.h>

namespace rv {

namespace fs = std::filesystem;

std::vector<fs::path> places_beside_rv() {
  std::error_code fault;
  const auto self = fs::read_symlink("/proc/self/exe", fault).parent_path();
  return {self, self.parent_path() / "workers", self.parent_path() / "libexec/rv"};
}

std::string worker_program(const Settings& settings, const std::string& name) {
  const auto places = settings.workers.empty() ? places_beside_rv() : std::vector<fs::path>{settings.workers};
  for (const auto& place : places) {
    const auto program = place / name;
    if (::access(program.c_str(), X_OK) == 0) return program.string();
  }
  return "";
}

std::string gpu_sampler(const Settings& settings) {
  return worker_program(settings, "rv-sample");
}

}  // namespace rv
