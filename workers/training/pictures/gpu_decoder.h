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

/// The GPU or its library failed, not a picture.
class GpuDecoderFault : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// By whom a JPEG was decoded: by nobody, since it is no JPEG for this GPU; by the processor (Huffman codes) and the
/// GPU (the rest); by the GPU's JPEG engines.
enum class GpuWay { none, hybrid, engines };

/// Brings pictures into a GPU's memory. For one thread at a time, on whatever GPU that has.
class GpuDecoder {
 public:
  virtual ~GpuDecoder() = default;
  /// Of a JPEG of at most `most_gpu_pixels`: the crop as crop_picture makes it of all its pixels, at `to` on the GPU
  /// when this returns. Throws GpuDecoderFault or OutOfMemory.
  virtual GpuWay draw(std::string_view bytes, const PlainJpeg& jpeg, const Crop& crop, float* to) = 0;
  /// A crop that was made on the host; there when this returns.
  virtual void put(std::span<const float> crop, float* to) = 0;
  /// How it went with the last JPEG, for people: "engines: nvjpegJpegStreamParse: BAD_JPEG (3)".
  virtual std::string last() const { return ""; }
};

/// Larger pictures are decoded on the host, at a half or less: rare ones must not take memory of all others.
inline constexpr std::size_t most_gpu_pixels = std::size_t{1} << 21;

/// What a decoder takes of the GPU's memory at most: the pixels, and three 16-bit numbers for each in between.
inline constexpr std::size_t gpu_decoder_bytes = std::size_t{48} << 20;

struct GpuDecoders {
  std::string library;  ///< "nvJPEG 13.0.1, /usr/local/cuda/lib64/libnvjpeg.so.13, with 8 JPEG engines"
  std::vector<std::shared_ptr<GpuDecoder>> all;
};

/// By nvJPEG, on the current GPU: one for each of so many threads. All of them use the JPEG engines or none, so that a
/// picture has the same bits whoever draws it. Throws std::runtime_error that says why it can't be had. `with_engines`:
/// false to compare with those that have them.
GpuDecoders nvjpeg_decoders(int threads, bool with_engines = true);

/// So many numbers in the current GPU's memory. Throws OutOfMemory.
std::shared_ptr<float[]> gpu_floats(std::size_t count);

}  // namespace rv::workers
