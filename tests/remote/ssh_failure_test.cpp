#include "cli/remote/hop/ssh_failure.h"

#include <doctest/doctest.h>
#include <sys/utsname.h>

#include <string>

namespace rv::remote {

namespace {

std::string message(std::string_view log) {
  const Error error = remote::ssh_failure(log, "login");
  CHECK(error.code() == ExitCode::connection);
  CHECK(!error.advice().empty());
  return error.what();
}

std::string machine() {
  utsname here{};
  ::uname(&here);
  return here.machine;
}

}  // namespace

TEST_CASE("messages of OpenSSH 9.2 are recognised") {
  CHECK(message("ssh: Could not resolve hostname login: Name or service not known\r\n")
            .starts_with("the address of login is unknown"));
  CHECK(message("ssh: connect to host login port 22: Connection refused\r\n").find("no ssh server listens") !=
        std::string::npos);
  CHECK(message("ssh: connect to host login port 22: Connection timed out\r\n").find("did not answer in time") !=
        std::string::npos);
  CHECK(message("ssh: connect to host login port 22: No route to host").find("login can't be reached") !=
        std::string::npos);
  CHECK(message("ann@login: Permission denied (publickey,keyboard-interactive).\r\n").find("refused the login") !=
        std::string::npos);
  CHECK(message("Connection timed out during banner exchange\r\n").find("did not answer in time") != std::string::npos);
  CHECK(message("No ED25519 host key is known for login and you have requested strict checking.\r\nHost key "
                "verification failed.\r\n")
            .find("the host key of login is not known") != std::string::npos);
  CHECK(message("@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed.\n")
            .find("a host key that differs from the earlier one") != std::string::npos);
  CHECK(message("something new\n") == "the connection to login failed (ssh: something new)");
  CHECK(message("ssh: something new\n") == "the connection to login failed (ssh: something new)");
  CHECK(message("ssh: connect to host login port 22: No route to host")
            .ends_with("(ssh: connect to host login port 22: "
                       "No route to host)"));
  CHECK(message("") == "the connection to login failed");
}

TEST_CASE("a refused session is not a failed login") {
  CHECK(
      remote::session_refused("mux_client_request_session: session request failed: Session open refused by peer\r\n"));
  CHECK(!remote::session_refused("Permission denied"));
}

TEST_CASE("why the binary could not be put there") {
  const auto advice = [](std::string_view text) { return remote::install_failure(text, "login").advice(); };
  CHECK(advice("cat: write error: No space left on device").find("free some space") != std::string::npos);
  CHECK(advice("cat: write error: Disk quota exceeded").find("free some space") != std::string::npos);
  CHECK(advice("mkdir: cannot create directory: Permission denied").find("cluster_home") != std::string::npos);
  CHECK(advice("FATAL: kernel too old").find("3.2") != std::string::npos);
  CHECK(advice("checksum ").find("damaged") != std::string::npos);
  CHECK(std::string(remote::install_failure("a\nb: No space left on device\n", "login").what()) ==
        "rv can't be copied to login: b: No space left on device");
}

TEST_CASE("systems that rv can't run on are reported before anything is copied") {
  CHECK_NOTHROW(remote::check_system("Linux " + machine() + " 3.10.0-1160.el7", "login"));
  CHECK_NOTHROW(remote::check_system("Linux " + machine() + " 6.1", "login"));
  CHECK_THROWS_AS(remote::check_system("Linux " + machine() + " 2.6.32-754.el6", "login"), Error);
  CHECK_THROWS_AS(remote::check_system("Linux riscv64 6.1", "login"), Error);
  CHECK_THROWS_AS(remote::check_system("Darwin " + machine() + " 22.1", "login"), Error);
  for (const char* unknown : {"", "  "}) {
    CHECK_THROWS_WITH_AS(remote::check_system(unknown, "login"),
                         "the system of login can't be read: uname printed nothing", Error);
  }
}

}  // namespace rv::remote
