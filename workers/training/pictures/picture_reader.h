#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "workers/training/pictures/gpu_decoder.h"
#include "workers/training/pictures/picture.h"

namespace rv::workers {

/// The number of pictures that each decoder has decoded.
struct DecodedPictures {
  std::int64_t host = 0, nvjpeg = 0;
  std::int64_t engines = 0;  ///< of those by nvJPEG, the pictures decoded by the GPU's JPEG engines
};

/// Turns picture files into images of a batch, in one thread.
class PictureReader {
 public:
  /// `gpu` null: the host decodes all pictures, and images are in host memory. Otherwise images are in GPU memory, and
  /// the host decodes the pictures that the GPU does not support.
  explicit PictureReader(const Crop& crop, std::shared_ptr<GpuDecoder> gpu = nullptr);

  /// Throws std::runtime_error as decode_picture does, GpuDecoderFault or OutOfMemory.
  void draw(std::string_view bytes, float* to);
  /// Thread-safe.
  DecodedPictures decoded() const;

 private:
  GpuDecoding draw_on_gpu(std::string_view bytes, float* to);
  Picture decode_on_host(std::string_view bytes) const;

  Crop crop_;
  std::shared_ptr<GpuDecoder> gpu_;
  std::vector<float> crop_of_host_;  ///< crop to be copied to the GPU
  std::atomic<std::int64_t> host_ = 0, hybrid_ = 0, engines_ = 0;
};

}  // namespace rv::workers
