#include "slurm/environment.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

using namespace rv;
using namespace rv::slurm;

namespace {

bool has(const std::vector<std::string>& variables, const std::string& variable) {
  return std::find(variables.begin(), variables.end(), variable) != variables.end();
}

bool names(const std::vector<std::string>& variables, const std::string& name) {
  return std::any_of(variables.begin(), variables.end(),
                     [&](const auto& variable) { return variable.starts_with(name + "="); });
}

}  // namespace

TEST_CASE("variables that change an answer or a request are removed, and those that locate the cluster stay") {
  constexpr const char* changing[] = {"SBATCH_PARTITION", "SQUEUE_STATES", "SACCT_FORMAT",  "SCANCEL_STATE",
                                      "SCONTROL_ALL",     "SLURM_JOB_ID",  "SLURM_CLUSTERS"};
  for (const char* name : changing) ::setenv(name, "x", 1);
  ::setenv("SLURM_CONF", "/etc/slurm/other.conf", 1);
  ::setenv("LC_ALL", "de_DE.UTF-8", 1);
  const auto query = query_environment();
  const auto submit = submit_environment();
  for (const char* name : changing) {
    CAPTURE(name);
    CHECK(!names(query, name));
    CHECK(!names(submit, name));
    ::unsetenv(name);
  }
  CHECK(has(query, "SLURM_CONF=/etc/slurm/other.conf"));
  CHECK(has(submit, "SLURM_CONF=/etc/slurm/other.conf"));
  CHECK(has(query, "LC_ALL=C"));
  CHECK(!has(query, "LC_ALL=de_DE.UTF-8"));
  CHECK(has(query, "SLURM_TIME_FORMAT=%s"));
  CHECK(has(query, "SLURM_BITSTR_LEN=0"));
  for (const char* local : {"SCONTROL_LOCAL=1", "SQUEUE_LOCAL=1", "SPRIO_LOCAL=1", "SACCT_LOCAL=1"}) {
    CHECK(has(query, local));
  }
  CHECK(has(submit, "LC_ALL=de_DE.UTF-8"));
  CHECK(!names(submit, "SLURM_TIME_FORMAT"));
  ::unsetenv("SLURM_CONF");
  ::unsetenv("LC_ALL");
}
