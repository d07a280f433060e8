#include "cli/login_node.h"

#include <doctest/doctest.h>

#include "cli/host_name.h"
#include "cli/user_name.h"

using namespace rv::cli;

TEST_CASE("this machine by its name, whole or short, and its user by theirs") {
  const std::string here = host_name();
  const std::string me = effective_user_name();
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
