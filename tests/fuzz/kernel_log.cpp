// Reads the kernel's log for Xids, as rv-health does, and single lines of it, as rv why does.
#include "base/failures/xid.h"
#include "tests/fuzz/target.h"
#include "workers/health/xid.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  workers::parse_xids(text);
  failures::device_fault_in(text);
  failures::names_device_fault(text);
  return 0;
}
