// Reads a file of CIFAR's Python archives.
#include "workers/training/data/cifar_pickle.h"

#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::workers;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse<std::runtime_error>([&] {
    ImageSet set{32, 32, 3, 10, {}, {}};
    add_pickled(text, "labels", set);
    if (set.pixels.size() != set.labels.size() * 32 * 32 * 3) throw std::logic_error("pixels without a label");
  });
  return 0;
}
