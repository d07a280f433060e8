// Without a Slurm: the gateway's ways with nothing to ask and nobody to ask. tests/real has the others.
#include "slurm/gateway.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "base/error.h"

using namespace rv;
using namespace rv::slurm;

namespace {

class EmptyPath {
 public:
  EmptyPath() { ::setenv("PATH", "/no/such/folder", 1); }
  ~EmptyPath() { ::setenv("PATH", before_.c_str(), 1); }
  EmptyPath(const EmptyPath&) = delete;
  EmptyPath& operator=(const EmptyPath&) = delete;

 private:
  std::string before_ = std::getenv("PATH");
};

}  // namespace

TEST_CASE("without jobs no command runs: an empty list would select all jobs") {
  Gateway gateway;
  CHECK(gateway.cancel({}).value == true);
  REQUIRE(gateway.accounting({}));
  CHECK(gateway.accounting({}).value->empty());
  CHECK(gateway.job_use({}).value->empty());
  CHECK(gateway.commands_run() == 0);
}

TEST_CASE("without Slurm's commands every query fails") {
  const EmptyPath nothing;
  Gateway gateway;
  CHECK(!gateway.my_jobs());
  CHECK(gateway.my_jobs().trouble.find("squeue") != std::string::npos);
  CHECK(!gateway.record({7}));
  const JobId ids[] = {{7}};
  CHECK(!gateway.accounting(ids));
  CHECK(!gateway.job_use(ids));
  const rv::slurm::JobKey jobs[] = {{{7}, "x@k3f9x2.1"}};
  CHECK(!gateway.cancel(jobs));
  CHECK(!gateway.finished_jobs({}, {}));
  CHECK(gateway.finished_jobs({}, {}).trouble.find("sacct") != std::string::npos);
  CHECK(!gateway.priority_answer("ann"));
  const auto submission = gateway.submit("/dev/null", "/");
  CHECK(submission.outcome == Submission::Outcome::refused);  // sbatch never ran
  CHECK(submission.message.find("sbatch") != std::string::npos);
  try {
    gateway.read_cluster();
    FAIL("a cluster out of nothing");
  } catch (const rv::Error& error) {
    CHECK(error.code() == rv::ExitCode::slurm);
    CHECK(std::string(error.what()).find("scontrol") != std::string::npos);
  }
}
