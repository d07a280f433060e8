#include "slurm/release_faults.h"

#include <fmt/format.h>

namespace rv::slurm {

std::string fault_of_time_min(std::string_view release) {
  // CHANGELOG of 25.05.3: "the backfill scheduler changed the specified --time of a job and incorrectly reset it to
  // --time-min".
  constexpr std::string_view series = "25.05.";
  if (!release.starts_with(series)) return {};
  const auto patch = release.substr(series.size());
  if (!patch.starts_with('0') && patch != "1" && patch != "2") return {};
  return fmt::format(
      "Slurm {} may start a job that has --time-min with that limit even if more time is available (fixed in 25.05.3): "
      "leave --time-min out, or expect the shortest segments",
      release);
}

bool enforces_run_minutes_of_qos(std::string_view release) {
  // "YY.MM.patch": both parts have two digits, so that texts sort as releases do.
  return release.empty() || release >= "24.05";
}

}  // namespace rv::slurm
