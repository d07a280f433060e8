// With other programs in ssh's place: what a real one does is tested by ssh.sh.
#include "cli/remote/hop/ssh_process.h"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "base/error.h"
#include "base/os/child.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::remote;
using namespace std::chrono_literals;

namespace {

struct Ran {
  int code = -1;
  std::string out;
};

Ran ran(const std::vector<std::string>& argv, SshStreams streams = {}) {
  Ran said;
  streams.output = [&](std::string_view bytes) {
    said.out += bytes;
    return true;
  };
  if (!streams.signalled) streams.signalled = [](int) { return false; };
  said.code = run_ssh(argv, streams);
  return said;
}

std::vector<std::string> shell(const std::string& script) {
  return {"sh", "-c", script};
}

/// Nobody listens there, so that argv is started.
SharedSession refused() {
  return {.socket = "/no/such/socket", .command = "true", .environment = {}, .forward_agent = false};
}

}  // namespace

TEST_CASE("ssh gets the bytes to their end, and its output and code come back") {
  const std::string bytes(300'000, 'x');
  SshStreams streams;
  streams.bytes = bytes;
  const auto said = ran(shell("cat; exit 7"), std::move(streams));
  CHECK(said.out == bytes);
  CHECK(said.code == 7);
  CHECK(ran(shell("kill -KILL $$")).code == 128 + SIGKILL);
}

TEST_CASE("ssh without input reads an end") {
  SshStreams streams;
  streams.input = Input::none;
  CHECK(ran(shell("cat; echo over"), std::move(streams)).out == "over\n");
}

TEST_CASE("ssh without a terminal ignores Ctrl-C, but no other signal that rv catches") {
  // SIGINT is 2, SIGQUIT 3. Asked without a shell, which would unblock them.
  const std::vector<std::string> blocked{"sed", "-n", "s/^SigBlk:.*\\(....\\)$/\\1/p", "/proc/self/status"};
  CHECK(ran(blocked).out == "0006\n");
  SshStreams streams;
  streams.terminal = true;
  CHECK(ran(blocked, std::move(streams)).out == "0000\n");
}

TEST_CASE("a signal to rv ends ssh") {
  const auto said = ran(shell("kill -TERM $PPID; sleep 20"));
  CHECK(said.code == 128 + SIGTERM);
}

TEST_CASE("without an ssh there is an error that says what to install") {
  CHECK_THROWS_WITH_AS(ran({"no-such-program-rv"}), "no-such-program-rv can't be started", Error);
}

TEST_CASE("if the shared connection does not answer, ssh is started with the streams") {
  SshStreams streams;
  const std::string bytes = "in\n";
  streams.bytes = bytes;
  streams.shared = refused();
  const auto said = ran(shell("cat; exit 6"), std::move(streams));
  CHECK(said.out == "in\n");
  CHECK(said.code == 6);
}

TEST_CASE("a detached session is reported as ended or as unanswered") {
  CHECK(deliver(shell("true"), std::nullopt) == Delivery::ended);
  CHECK(deliver(shell("exit 3"), std::nullopt) == Delivery::failed);
  CHECK(deliver(shell("exit 3"), refused()) == Delivery::failed);
  const auto begun = std::chrono::steady_clock::now();
  // A connection that hangs: it takes the call, and says nothing.
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/socket";
  const os::Descriptor listening(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::bind(listening.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  REQUIRE(::listen(listening.number(), 1) == 0);
  const SharedSession hung{.socket = path, .command = "", .environment = {}, .forward_agent = false};
  CHECK(deliver(shell("true"), hung) == Delivery::silent);
  CHECK(std::chrono::steady_clock::now() - begun >= 1s);
}

TEST_CASE("rv does not wait for a process in the background") {
  const auto begun = std::chrono::steady_clock::now();
  CHECK(run_ssh_to_background(shell("sleep 5 & exit 4")) == 4);
  CHECK(std::chrono::steady_clock::now() - begun < 4s);
}
