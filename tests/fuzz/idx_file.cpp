// Reads Fashion-MNIST's IDX files and CIFAR's binary ones.
#include "tests/fuzz/scratch_file.h"
#include "tests/fuzz/target.h"
#include "workers/training/data/image_files.h"

using namespace rv;
using namespace rv::workers;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFolder folder;
  const auto text = fuzz::text_of(data, size);
  // Half of the input is the images, half the labels.
  folder.write("train-images-idx3-ubyte", text.substr(0, size / 2));
  folder.write("train-labels-idx1-ubyte", text.substr(size / 2));
  folder.write("train.bin", text);
  for (const char* mode : {"fashion_mnist", "cifar100"}) {
    fuzz::read_or_refuse<std::runtime_error>([&] {
      const auto set = read_images(mode, folder.path(), false);
      const auto extents = static_cast<std::size_t>(set.height) * static_cast<std::size_t>(set.width) *
                           static_cast<std::size_t>(set.channels);
      if (set.pixels.size() != set.count() * extents) throw std::logic_error("pixels that the extents do not have");
    });
  }
  return 0;
}
