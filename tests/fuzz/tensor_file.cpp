// Reads the header of a safetensors file.
#include "workers/training/data/tensor_file.h"

#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::workers;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  // The first byte is the number of bytes behind the header, in steps of four.
  if (text.empty()) return 0;
  fuzz::read_or_refuse<std::runtime_error>([&] {
    const std::uint64_t bytes = std::uint64_t{4} * data[0];
    for (const auto& [name, tensor] : stored_tensors(text.substr(1), bytes)) {
      if (tensor.begin > tensor.end || tensor.end > bytes) throw std::logic_error("a tensor outside the file");
    }
  });
  return 0;
}
