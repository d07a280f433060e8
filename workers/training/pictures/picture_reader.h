#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "workers/training/pictures/gpu_decoder.h"
#include "workers/training/pictures/picture.h"

namespace rv::workers {

/// How many pictures were decoded by whom.
struct DecodedPictures {
  std::int64_t host = 0, nvjpeg = 0;
  std::int64_t engines = 0;  ///< of nvJPEG's, those by the GPU's JPEG engines
};

/// Makes images of a batch of pictures' files, on one thread.
class PictureReader {
 public:
  /// `gpu`: null: the host decodes all pictures, and images lie in its memory. Else they lie in the GPU's, and the host
  /// decodes what is nothing for it.
  explicit PictureReader(const Crop& crop, std::shared_ptr<GpuDecoder> gpu = nullptr);

  /// Throws std::runtime_error as decode_picture does, GpuDecoderFault or OutOfMemory.
  void draw(std::string_view bytes, float* to);
  /// For any thread.
  DecodedPictures decoded() const;

 private:
  GpuWay draw_on_gpu(std::string_view bytes, float* to);
  Picture decode_on_host(std::string_view bytes) const;

  Crop crop_;
  std::shared_ptr<GpuDecoder> gpu_;
  std::vector<float> crop_of_host_;  ///< on its way to the GPU
  std::atomic<std::int64_t> host_ = 0, hybrid_ = 0, engines_ = 0;
};

}  // namespace rv::workers
