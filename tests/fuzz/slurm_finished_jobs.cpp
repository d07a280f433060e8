// Reads the finished jobs of accounting.
#include "slurm/parse/parse_finished_jobs.h"
#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::slurm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  const auto now = planner::TimePoint(std::chrono::seconds(1'790'000'000));
  fuzz::read_or_refuse([&] { parse_finished_jobs(text, now - std::chrono::hours(1000), now); });
  return 0;
}
