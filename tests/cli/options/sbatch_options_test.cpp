#include "cli/options/sbatch_options.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.h"
#include "tests/cli/fixture_app.h"

namespace rv::cli {
namespace {

std::string advice_of(std::vector<std::string> arguments) {
  const TestApp test;
  arguments.insert(arguments.begin(), "plan");
  std::reverse(arguments.begin(), arguments.end());
  try {
    test.app->parse(std::move(arguments));
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.advice();
  }
  return "";
}

TEST_CASE("sbatch's options that mean the same are taken") {
  CHECK(advice_of(
            {"-p", "gpu-a40", "-A", "lab", "-J", "x", "-N", "2", "-q", "normal", "-C", "a", "-w", "n[1-2]", "-x", "n3"})
            .empty());
  CHECK(advice_of({"--job-name", "x", "-L", "solver:2"}).empty());
}

TEST_CASE("-c counts cores per task: only a run on CPUs takes it") {
  CHECK(advice_of({"-c", "8", "-g", "0"}).empty());
  CHECK(cores_per_task_refused(8).advice().starts_with("write --cpus N"));
}

TEST_CASE("those that mean something else name the option of rv") {
  CHECK(advice_of({"--gres", "gpu:a40:2"}).starts_with("on one node: -g 2 -t a40 --single-node"));
  CHECK(advice_of({"--gres=gpu:2"}).starts_with("on one node: -g 2 --single-node"));
  CHECK(advice_of({"--gpus-per-node", "a40:4"}).starts_with("on one node: -g 4 -t a40 --single-node"));
  CHECK(advice_of({"--gpus-per-task", "2"}) == "write -g N; --procs-per-node N starts N processes a node");
  CHECK(advice_of({"--gres", "tmpdisk:9,gpu"}).starts_with("write -g N -t TYPE"));
  CHECK(advice_of({"-t", "2h"}).starts_with("write --time 2h"));
  CHECK(advice_of({"-t", "1-00:00:00"}).starts_with("write --time 1-00:00:00"));
  CHECK(advice_of({"-g", "a40:2"}) == "write -g 2 -t a40");
  CHECK(advice_of({"-g", "2", "-t", "a40,1g.10gb"}).empty());
}

}  // namespace
}  // namespace rv::cli
