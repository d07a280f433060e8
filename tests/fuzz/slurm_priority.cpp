// Reads the output of sprio and sshare.
#include "slurm/parse/parse_priority.h"
#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::slurm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { parse_priority_factors(text); });
  fuzz::read_or_refuse([&] { parse_shares(text); });
  fuzz::read_or_refuse([&] { parse_priority(text); });
  return 0;
}
