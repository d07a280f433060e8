#include "slurm/configuration.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace rv::slurm;

TEST_CASE("a SLURM_CONF that can't be read is named with the reason") {
  ::setenv("SLURM_CONF", "/nonexistent/slurm.conf", 1);
  CHECK(unreadable_configuration() ==
        "SLURM_CONF names /nonexistent/slurm.conf, which can't be read: No such file or directory");
  ::setenv("SLURM_CONF", "/dev/null", 1);
  CHECK(unreadable_configuration().empty());
  ::unsetenv("SLURM_CONF");
  CHECK(unreadable_configuration().empty());
}

TEST_CASE("messages of Slurm's commands without slurm.conf are recognised") {
  CHECK(says_no_configuration("squeue: fatal: Could not establish a configuration source"));
  CHECK(says_no_configuration("squeue: error: s_p_parse_file: cannot stat file /etc/slurm/slurm.conf"));
  CHECK_FALSE(says_no_configuration("Unable to contact slurm controller (connect failure)"));
}
