// Unpacks a gzip file.
#include "workers/training/data/gzip.h"

#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::workers;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse<std::runtime_error>([&] {
    if (gunzip(text, 100'000).size() > 100'000) throw std::logic_error("unpacked beyond the limit");
  });
  return 0;
}
