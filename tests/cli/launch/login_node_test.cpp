#include "cli/launch/login_node.h"

#include <doctest/doctest.h>

#include "base/os/host_name.h"
#include "base/os/user_name.h"

using namespace rv;
using namespace rv::cli;

TEST_CASE("this machine by its name, whole or short, and its user by theirs") {
  const std::string here = os::host_name();
  const std::string me = os::effective_user_name();
  REQUIRE(!me.empty());
  CHECK(is_this_machine(here));
  CHECK(is_this_machine(me + "@" + here));
  CHECK(!is_this_machine("other-" + me + "@" + here));
  CHECK(!is_this_machine("@" + here));
  CHECK(!is_this_machine("elsewhere-" + here));
  const std::string brief = here.substr(0, here.find('.'));
  CHECK(is_this_machine(brief));
  if (brief == here) CHECK(is_this_machine(me + "@" + here + ".site.edu"));
}
