// Reads the records of jobs, accounting, and the output of sbatch.
#include "slurm/parse/parse_jobs.h"
#include "slurm/parse/parse_test_only.h"
#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::slurm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  os::Result result;
  result.out = result.err = std::string(text);
  result.exit_code = 1;
  const auto now = planner::TimePoint(std::chrono::seconds(1'790'000'000));
  fuzz::read_or_refuse([&] { parse_records(text); });
  fuzz::read_or_refuse([&] { parse_accounting(text); });
  fuzz::read_or_refuse([&] { parse_submission(result); });
  fuzz::read_or_refuse([&] { parse_test_only(result, now); });
  fuzz::read_or_refuse([&] { first_complaint(text); });
  fuzz::read_or_refuse([&] { of_nodes_that_may_return(text); });
  return 0;
}
