// Reads the reports in the logs of an acceptance's pods.
#include "cli/kubernetes/pods/log_reports.h"

#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { kubernetes::trouble_of(kubernetes::reports_in(text)); });
  fuzz::read_or_refuse([&] { kubernetes::reports_in(text, "accept-1"); });
  return 0;
}
