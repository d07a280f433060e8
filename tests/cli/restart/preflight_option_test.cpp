#include "cli/restart/preflight_option.h"

#include <doctest/doctest.h>

#include <string>

#include "base/error.h"

using namespace rv;
using namespace rv::cli;

namespace {

std::string refusal_of(const templates::JobSpec& job, const RequestOptions& request) {
  try {
    check_preflight(job, request);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    CHECK_FALSE(error.advice().empty());
    return error.what();
  }
  return "taken";
}

}  // namespace

TEST_CASE("--preflight is rejected where it can't be useful") {
  templates::JobSpec job;
  RequestOptions request;
  job.preflight = true;
  CHECK(refusal_of(job, request) == "taken");
  request.gpus = 0;
  CHECK(refusal_of(job, request) == "--preflight tests GPUs, and this run has none");
  request.gpus = 4;
  job.array.emplace();
  CHECK(refusal_of(job, request) == "--preflight and --array can't be combined: each element would be tested");
  job.preflight = false;
  CHECK(refusal_of(job, request) == "taken");
}
