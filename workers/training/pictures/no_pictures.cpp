// What stands in for the decoders where libjpeg-turbo or libpng was missing when this was built.
#include <stdexcept>

#include "workers/training/pictures/picture.h"

namespace rv::workers {

bool can_decode() {
  return false;
}

Picture decode_picture(std::string_view, std::size_t) {
  throw std::runtime_error("can't be decoded: this rv-train was built without libjpeg-turbo");
}

}  // namespace rv::workers
