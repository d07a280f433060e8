// launchers.yaml: launch lines of the field.
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "cli/project/launcher.h"
#include "cli/project/starting.h"
#include "tests/source_tree.h"

namespace rv::project {
namespace {

bool fits(const LauncherCounts& counts, const std::string& job) {
  const auto times = job.find('x');
  return counts.fits(std::stoi(job.substr(0, times)), std::stoi(job.substr(times + 1)));
}

}  // namespace

TEST_CASE("launch lines of the field: their numbers, and the jobs that have them") {
  for (const auto& row : YAML::LoadFile(in_tree("tests/field/launchers.yaml"))["rows"]) {
    const auto line = row["line"].as<std::string>();
    CAPTURE(line);
    bool whole = true;
    const auto words = plain_words(line, &whole);
    const auto counts = launcher_counts(words, whole);
    REQUIRE(counts.has_value() == static_cast<bool>(row["says"]));
    if (!counts) continue;
    CHECK(counts->shown() == row["says"].as<std::string>());
    for (const auto& job : row["fits"]) CHECK_MESSAGE(fits(*counts, job.as<std::string>()), job.as<std::string>());
    for (const auto& job : row["misfits"]) {
      CHECK_MESSAGE(!fits(*counts, job.as<std::string>()), job.as<std::string>());
    }
  }
}

}  // namespace rv::project
