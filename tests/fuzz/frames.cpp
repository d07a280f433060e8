// Reads the frames that travel between the ends of a forward.
#include "cli/remote/forward/frame.h"
#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    forward::FrameReader reader;
    std::size_t got = 0;
    const std::size_t step = size % 50 + 1;
    for (std::size_t at = 0; at < text.size(); at += step) {
      reader.feed(text.substr(at, step));
      while (const auto frame = reader.next()) got += frame->payload.size();
    }
    if (got > text.size()) throw std::logic_error("more came out than went in");
  });
  return 0;
}
