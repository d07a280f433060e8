// Reads what kubectl prints as JSON.
#include "cli/kubernetes/pods/cluster_facts.h"
#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { kubernetes::cluster_facts(std::string(text), "kubectl"); });
  fuzz::read_or_refuse([&] { kubernetes::pods_of(std::string(text), "kubectl"); });
  fuzz::read_or_refuse([&] { kubernetes::quantity(std::string(text)); });
  return 0;
}
