// Reads the request that a laptop sends to the rv on a login node: base64url around msgpack.
#include "cli/remote/hop/hop_request.h"

#include "base/base64url.h"
#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { remote::decode(text); });
  fuzz::read_or_refuse([&] { remote::decode(base64url(text)); });
  return 0;
}
