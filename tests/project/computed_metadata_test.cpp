#include "cli/project/computed_metadata.h"

#include <doctest/doctest.h>

using namespace rv::project;
using Names = std::vector<std::string>;

TEST_CASE("a setup.py that reads a file computes, one with a list does not") {
  CHECK(computes("setup(install_requires=open('deps.txt').readlines())"));
  CHECK_FALSE(computes("setup(install_requires=['torch'])"));
}

TEST_CASE("quoted texts may be files unless they look like requirements") {
  CHECK(quoted_texts("open('deps/base.txt'), \"VERSION\", 'torch>=2', '', 'open") == Names{"deps/base.txt", "VERSION"});
}

TEST_CASE("setup.cfg names its files with commas and blanks between") {
  CHECK(files_in_setup_cfg("[options]\ninstall_requires = file: requirements.txt , more.txt\r\nname = x\n") ==
        Names{"requirements.txt", "more.txt"});
  CHECK(files_in_setup_cfg("[options]\ninstall_requires = torch\n").empty());
}
