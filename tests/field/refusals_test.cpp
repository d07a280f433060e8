// refusals.yaml: what sbatch and a site's filters print when they refuse a job.
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <string>

#include "slurm/parse/parse_jobs.h"
#include "tests/source_tree.h"

namespace rv {

TEST_CASE("refused jobs: the cause out of a plugin's banner, and every line kept") {
  for (const auto& row : YAML::LoadFile(in_tree("tests/field/refusals.yaml"))["rows"]) {
    const auto text = [&](const char* key) { return row[key] ? row[key].as<std::string>() : std::string(); };
    CAPTURE(text("out") + text("err"));
    const auto refused = slurm::parse_submission(
        {.exit_code = 1, .timed_out = false, .out = text("out"), .err = text("err"), .wall = {}});
    CHECK(refused.outcome == slurm::Submission::Outcome::refused);
    CHECK(refused.message == text("says"));
    CHECK(refused.lines.size() == row["lines"].as<std::size_t>());
    for (const auto& line : refused.lines) CHECK(line.find("sbatch:") == std::string::npos);
  }
}

}  // namespace rv
