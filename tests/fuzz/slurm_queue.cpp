// Reads the output of squeue.
#include "slurm/parse/parse_jobs.h"
#include "slurm/parse/parse_queue.h"
#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::slurm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { parse_queue(text); });
  fuzz::read_or_refuse([&] { parse_poll(text); });
  fuzz::read_or_refuse([&] { count_array_tasks(text); });
  return 0;
}
