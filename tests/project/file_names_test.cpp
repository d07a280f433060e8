#include "cli/project/file_names.h"

#include <doctest/doctest.h>

using namespace rv::project;

TEST_CASE("files that declare dependencies are recognised by their names") {
  CHECK(is_requirements("requirements-gpu.txt"));
  CHECK_FALSE(is_requirements("requirements.in"));
  CHECK(is_conda("environment.yaml"));
  CHECK_FALSE(is_conda("environment.txt"));
  CHECK(is_metadata("constraints-3.11.txt"));
  CHECK(is_metadata("requirements.in"));
  CHECK_FALSE(is_metadata("train.py"));
}

TEST_CASE("a path below a folder has no . and ..") {
  CHECK(in(".", "setup.py") == "setup.py");
  CHECK(in("libs/a", "../b/") == "libs/b");
  CHECK(in("libs", "..") == ".");
  CHECK(base_name("libs/a/uv.lock") == "uv.lock");
  CHECK(base_name("uv.lock") == "uv.lock");
}
