#include "slurm/hostlist.h"

#include <doctest/doctest.h>

using namespace rv::slurm;

TEST_CASE("host lists") {
  CHECK(expand_hostlist("a[1-3,7],b") == std::vector<std::string>{"a1", "a2", "a3", "a7", "b"});
  CHECK(expand_hostlist("n[08-11]") == std::vector<std::string>{"n08", "n09", "n10", "n11"});
  CHECK(expand_hostlist("r[1-2]n[1-2]") == std::vector<std::string>{"r1n1", "r1n2", "r2n1", "r2n2"});
  CHECK(expand_hostlist("n[1-") == std::vector<std::string>{"n[1-"});
  CHECK(expand_hostlist("n[3-1]") == std::vector<std::string>{"n[3-1]"});
  CHECK(expand_hostlist("(null)").empty());
  CHECK(expand_hostlist("").empty());
}
