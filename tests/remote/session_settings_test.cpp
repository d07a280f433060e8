#include "cli/remote/hop/session_settings.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::remote;

namespace {

// What ssh 9.2 prints of -o 'SetEnv="A=b c" D=e' -o SendEnv=Q* on Debian, among others.
constexpr const char* printed =
    "host loop\nport 22\nforwardagent no\nforwardx11 no\nrequesttty auto\nsendenv Q*\nsendenv LANG\nsendenv LC_*\n"
    "setenv A=b c\nsetenv D=e\ncompression no\n";

}  // namespace

TEST_CASE("ssh's configuration of sessions is parsed") {
  const auto settings = remote::parse_session_settings(printed);
  CHECK(!settings.forward_agent);
  CHECK(!settings.forward_x11);
  CHECK(settings.send_env == std::vector<std::string>{"Q*", "LANG", "LC_*"});
  CHECK(settings.set_env == std::vector<std::string>{"A=b c", "D=e"});
  CHECK(remote::parse_session_settings("forwardagent yes\n").forward_agent);
  CHECK(remote::parse_session_settings("forwardagent /run/agent\n").forward_agent);
  CHECK(remote::parse_session_settings("forwardx11 yes\n").forward_x11);
  CHECK(remote::parse_session_settings("") == remote::SessionSettings{});
}

TEST_CASE("the stored configuration is read back unchanged") {
  const auto lines = remote::session_lines(printed);
  CHECK(lines.find("port") == std::string::npos);
  CHECK(remote::parse_session_settings(lines) == remote::parse_session_settings(printed));
}

TEST_CASE("variables that ssh would send") {
  const std::vector<std::string> environment{
      "LANG=C.UTF-8", "LANGUAGE=de", "LC_ALL=", "Q=1", "HOME=/root", "QUIET=a=b"};
  const auto sent = remote::sent_environment(remote::parse_session_settings(printed), environment);
  CHECK(sent == std::vector<std::string>{"LANG=C.UTF-8", "LC_ALL=", "Q=1", "QUIET=a=b", "A=b c", "D=e"});
  CHECK(remote::sent_environment(remote::SessionSettings{}, environment).empty());
}
