// Reads logs of other machines: SWF, sacct and CSV.
#include "slurm/logs/read_log.h"
#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_or_refuse([&] { slurm::read_log(fuzz::text_of(data, size), "log"); });
  return 0;
}
