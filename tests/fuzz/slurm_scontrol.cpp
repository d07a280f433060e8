// Reads the output of scontrol show.
#include "slurm/parse/parse_cluster.h"
#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::slurm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { parse_nodes(text); });
  fuzz::read_or_refuse([&] { parse_partitions(text); });
  fuzz::read_or_refuse([&] { parse_reservations(text); });
  fuzz::read_or_refuse([&] { parse_config(text); });
  fuzz::read_or_refuse([&] { parse_identity(text); });
  fuzz::read_or_refuse([&] { parse_federation(text); });
  fuzz::read_or_refuse([&] { parse_node_state(text); });
  return 0;
}
