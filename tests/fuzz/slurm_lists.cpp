// Reads lists of hosts, GRES and TRES, walltimes and amounts of memory.
#include "base/memory_size.h"
#include "base/walltime.h"
#include "slurm/parse/field.h"
#include "slurm/parse/gres_text.h"
#include "slurm/parse/hostlist.h"
#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::slurm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { expand_hostlist(text); });
  fuzz::read_or_refuse([&] { read_typed_hosts(text); });
  fuzz::read_or_refuse([&] { parse_gpu_pools(text, "gpu:a100:3(IDX:0-2),gpu:mig:0(IDX:N/A)"); });
  fuzz::read_or_refuse([&] { parse_gpu_pools("gpu:a100:4(S:0-1),gpu:mig:2", text); });
  fuzz::read_or_refuse([&] { parse_tres(text); });
  fuzz::read_or_refuse([&] { parse_memory_field(text); });
  fuzz::read_or_refuse([&] { parse_span(text); });
  fuzz::read_or_refuse([&] { parse_time(text); });
  fuzz::read_or_refuse([&] { parse_walltime(text); });
  fuzz::read_or_refuse([&] { parse_memory(text); });
  return 0;
}
