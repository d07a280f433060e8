// Reads the lists that say what ImageNet's images show.
#include "workers/training/data/imagenet_labels.h"

#include "tests/fuzz/scratch_file.h"
#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::workers;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFolder folder;
  for (const char* name : {"LOC_val_solution.csv", "val.txt", "ILSVRC2012_validation_ground_truth.txt"}) {
    const auto file = folder.write(name, fuzz::text_of(data, size));
    fuzz::read_or_refuse<std::runtime_error>([&] { read_labels(file, {"ILSVRC2012_val_00000001.JPEG"}); });
  }
  return 0;
}
