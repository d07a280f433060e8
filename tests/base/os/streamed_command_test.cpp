#include "base/os/streamed_command.h"

#include <doctest/doctest.h>

#include <csignal>

#include "base/os/child.h"

using namespace rv::os;

namespace {

struct Streamed {
  int code = -1;
  std::string out;
  std::string err;
};

Streamed streamed(std::vector<std::string> argv, const std::string& folder = "/") {
  Streamed said;
  const Descriptor null = null_device();
  said.code = run_streamed({.argv = std::move(argv),
                            .environment = {"PATH=/usr/bin:/bin", "X=y"},
                            .folder = folder,
                            .input = null.number(),
                            .out = [&](std::string_view bytes) { said.out += bytes; },
                            .err = [&](std::string_view bytes) { said.err += bytes; }});
  return said;
}

}  // namespace

TEST_CASE("a streamed command's streams stay apart, to their ends") {
  const auto said = streamed({"sh", "-c", "cat; echo $X; pwd; echo err >&2; head -c 300000 /dev/zero; exit 4"});
  CHECK(said.out.size() == 4 + 300'000);
  CHECK(said.out.starts_with("y\n/\n"));
  CHECK(said.err == "err\n");
  CHECK(said.code == 4);
}

TEST_CASE("how a streamed command ended is its code") {
  CHECK(streamed({"sh", "-c", "kill -TERM $$"}).code == 128 + SIGTERM);
  CHECK(streamed({"no-such-program-rv"}).code == 127);
  CHECK(streamed({"true"}, "/no/such/folder").code == 127);
}
