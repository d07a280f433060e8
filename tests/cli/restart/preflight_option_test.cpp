#include "cli/restart/preflight_option.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "base/error.h"

using namespace rv;
using namespace rv::cli;

namespace {

std::string refusal_of(templates::JobSpec job, const RequestOptions& request) {
  try {
    put_preflight(job, true, request, false);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    CHECK_FALSE(error.advice().empty());
    return error.what();
  }
  CHECK(job.preflight);
  return "accepted";
}

bool tests(templates::JobSpec job, std::optional<bool> wanted, const RequestOptions& request, bool usual) {
  put_preflight(job, wanted, request, usual);
  return job.preflight;
}

}  // namespace

TEST_CASE("--preflight is rejected for a run that can't be tested") {
  templates::JobSpec job;
  RequestOptions request;
  CHECK(refusal_of(job, request) == "accepted");
  request.gpus = 0;
  CHECK(refusal_of(job, request) == "--preflight tests GPUs, and this run has none");
  request.gpus = 4;
  CHECK(refusal_of(job, request) == "accepted");
  request.mig = true;
  CHECK(refusal_of(job, request) == "--preflight and --mig can't be combined: the test needs whole GPUs");
  request.mig = false;
  job.array.emplace();
  CHECK(refusal_of(job, request) == "--preflight and --array can't be combined: each element would be tested");
}

TEST_CASE("the setting preflight is for runs with several GPUs that can be tested, and the options override it") {
  templates::JobSpec job;
  RequestOptions request;
  CHECK_FALSE(tests(job, std::nullopt, request, true));  // one GPU
  CHECK(tests(job, true, request, true));
  request.gpus = 2;
  CHECK(tests(job, std::nullopt, request, true));
  CHECK_FALSE(tests(job, false, request, true));
  CHECK_FALSE(tests(job, std::nullopt, request, false));
  request.mig = true;
  CHECK_FALSE(tests(job, std::nullopt, request, true));
  request.mig = false;
  job.array.emplace();
  CHECK_FALSE(tests(job, std::nullopt, request, true));
}
