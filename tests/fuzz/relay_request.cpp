// Reads the JSON between the ends of a forward, and the kernel's table of listeners.
#include "cli/remote/forward/relay_request.h"

#include "cli/remote/forward/direct_line.h"
#include "cli/remote/forward/forward_arguments.h"
#include "cli/remote/forward/listening_ports.h"
#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { forward::relay_request(std::string(text)); });
  fuzz::read_or_refuse([&] { forward::hello(std::string(text)); });
  fuzz::read_or_refuse([&] { forward::line_offer(std::string(text)); });
  fuzz::read_or_refuse([&] { forward::parse_listeners(text); });
  fuzz::read_or_refuse([&] { forward::parse_forward_arguments({std::string(text)}); });
  return 0;
}
