#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "workers/training/pictures/picture.h"
#include "workers/training/pictures/plain_jpeg.h"

namespace rv::workers {

/// The GPU or its library failed; the picture is not the reason.
class GpuDecoderFault : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How a JPEG was decoded: not at all, since the GPU does not support it (none); by the CPU (Huffman codes) and the GPU
/// (the rest) (hybrid); by the GPU's JPEG engines (engines).
enum class GpuDecoding { none, hybrid, engines };

/// Decodes pictures into the memory of the current GPU. Use it from one thread at a time.
class GpuDecoder {
 public:
  virtual ~GpuDecoder() = default;
  /// Decodes a JPEG of at most `most_gpu_pixels`, and writes the crop, computed from all its pixels as in crop_picture,
  /// to `to` in GPU memory. It is complete when this returns. Throws GpuDecoderFault or OutOfMemory.
  virtual GpuDecoding draw(std::string_view bytes, const PlainJpeg& jpeg, const Crop& crop, float* to) = 0;
  /// Copies a crop that the host made. It is complete when this returns.
  virtual void put(std::span<const float> crop, float* to) = 0;
  /// The result for the last JPEG, for messages: "engines: nvjpegJpegStreamParse: BAD_JPEG (3)".
  virtual std::string last() const { return ""; }
};

/// Larger pictures are decoded on the host, at half size or less: a few large pictures must not determine the memory of
/// all decoders.
inline constexpr std::size_t most_gpu_pixels = std::size_t{1} << 21;

/// The maximum GPU memory of a decoder: the pixels, and three 16-bit numbers for each as intermediate values.
inline constexpr std::size_t gpu_decoder_bytes = std::size_t{48} << 20;

struct GpuDecoders {
  std::string library;  ///< "nvJPEG 13.0.1, /usr/local/cuda/lib64/libnvjpeg.so.13, with 8 JPEG engines"
  std::vector<std::shared_ptr<GpuDecoder>> all;
};

/// Creates nvJPEG decoders on the current GPU, one per thread. Either all or none use the JPEG engines, so that a
/// picture gets the same bits from each. Throws std::runtime_error with the reason if nvJPEG can't be used.
/// `with_engines` false: for comparison with the engines.
GpuDecoders nvjpeg_decoders(int threads, bool with_engines = true);

/// Allocates `count` numbers in the current GPU's memory. Throws OutOfMemory.
std::shared_ptr<float[]> gpu_floats(std::size_t count);

}  // namespace rv::workers
