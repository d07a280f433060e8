// Reads the output of scontrol show assoc_mgr.
#include "slurm/parse/parse_assoc_mgr.h"
#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::slurm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { parse_assoc_mgr(text, "root", "afton"); });
  return 0;
}
