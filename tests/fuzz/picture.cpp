// Decodes JPEG and PNG images and crops them.
#include "workers/training/pictures/picture.h"

#include "tests/fuzz/target.h"
#include "workers/training/pictures/plain_jpeg.h"

using namespace rv;
using namespace rv::workers;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse<std::runtime_error>([&] {
    if (const auto jpeg = plain_jpeg(text)) {
      if (jpeg->bytes > text.size()) throw std::logic_error("a JPEG that ends behind the file");
    }
    const Crop crop{16, 14};
    std::vector<float> floats(crop.floats());
    crop_picture(decode_picture(text, 32), crop, floats.data());
  });
  return 0;
}
