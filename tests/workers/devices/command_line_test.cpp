#include "workers/devices/command_line.h"

#include <doctest/doctest.h>

#include <array>
#include <stdexcept>

using namespace rv::workers;

namespace {

/// The exit code of a program that has one option, --size.
int code_of(std::array<const char*, 3> arguments, const std::function<void()>& complete,
            const std::function<int()>& run) {
  CLI::App app("A test.", "rv-test");
  int size = 0;
  app.add_option("--size", size);
  return run_program(app, static_cast<int>(arguments.size()), arguments.data(), complete, run);
}

}  // namespace

TEST_CASE("a worker ends with what it returns, with 2 for wrong usage, and with 3 for another exception") {
  const std::array<const char*, 3> good{"rv-test", "--size", "4"};
  CHECK(code_of(good, nullptr, [] { return 77; }) == 77);
  CHECK(code_of({"rv-test", "--size", "x"}, nullptr, [] { return 0; }) == 2);
  CHECK(code_of(
            good, [] { throw CLI::ValidationError("these two say the same"); }, [] { return 0; }) == 2);
  CHECK(code_of(good, nullptr, []() -> int { throw std::invalid_argument("no such suite"); }) == 2);
  CHECK(code_of(good, nullptr, []() -> int { throw std::runtime_error("no memory"); }) == 3);
}

TEST_CASE("a worker's options are complete before it runs") {
  bool complete = false;
  CHECK(code_of(
            {"rv-test", "--size", "4"}, [&] { complete = true; }, [&] { return complete ? 0 : 1; }) == 0);
}
