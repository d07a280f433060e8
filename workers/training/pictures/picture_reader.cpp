#include "workers/training/pictures/picture_reader.h"

#include <utility>

namespace rv::workers {

PictureReader::PictureReader(const Crop& crop, std::shared_ptr<GpuDecoder> gpu) : crop_(crop), gpu_(std::move(gpu)) {
  if (gpu_) crop_of_host_.resize(crop_.floats());
}

void PictureReader::draw(std::string_view bytes, float* to) {
  const auto way = gpu_ ? draw_on_gpu(bytes, to) : GpuDecoding::none;
  if (way != GpuDecoding::none) {
    ++(way == GpuDecoding::engines ? engines_ : hybrid_);
    return;
  }
  crop_picture(decode_on_host(bytes), crop_, gpu_ ? crop_of_host_.data() : to);
  if (gpu_) gpu_->put(crop_of_host_, to);
  ++host_;
}

DecodedPictures PictureReader::decoded() const {
  const std::int64_t engines = engines_;
  return {host_, engines + hybrid_, engines};
}

GpuDecoding PictureReader::draw_on_gpu(std::string_view bytes, float* to) {
  const auto jpeg = plain_jpeg(bytes);
  if (!jpeg || jpeg->width * jpeg->height > most_gpu_pixels) return GpuDecoding::none;
  try {
    return gpu_->draw(bytes.substr(0, jpeg->bytes), *jpeg, crop_, to);
  } catch (const GpuDecoderFault&) {
    // A damaged file can look like a fault of the library; libjpeg-turbo decides which it is.
    decode_on_host(bytes);
    throw;
  }
}

Picture PictureReader::decode_on_host(std::string_view bytes) const {
  return decode_picture(bytes, 2 * static_cast<std::size_t>(crop_.shorter));
}

}  // namespace rv::workers
