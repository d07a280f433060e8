#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "workers/training/gpu/libraries/nvjpeg_library.h"
#include "workers/training/pictures/plain_jpeg.h"

namespace rv::workers {

/// An object of nvJPEG, destroyed with its owner.
template <class T>
using NvjpegOwned = std::unique_ptr<T, NvjpegStatus (*)(T*)>;

/// A way of nvJPEG to decode, on the current GPU; threads share it.
struct NvjpegWay {
  /// Throws std::runtime_error with the status where this GPU or the library has no such way.
  NvjpegWay(std::shared_ptr<const NvjpegLibrary> nvjpeg, NvjpegBackend backend);

  std::shared_ptr<const NvjpegLibrary> library;
  NvjpegBackend backend;
  bool strict = false;       ///< whether it refuses what is not strictly a JPEG
  unsigned int engines = 0;  ///< of the hardware's way, where the library tells
  NvjpegOwned<NvjpegHandle> handle;
  NvjpegOwned<NvjpegDecoder> decoder;
};

/// What one thread needs to decode by a way; its buffers are used again, and grow.
class NvjpegLane {
 public:
  explicit NvjpegLane(std::shared_ptr<const NvjpegWay> way);

  struct Outcome {
    NvjpegStatus status = NvjpegStatus::success;
    const char* call = "";  ///< which call returned that
    bool usable = true;     ///< false: this lane is to be given up, once the stream has been waited for
  };
  /// Enqueues the decoding to `pixels`, red, green and blue of each one after the other, without gaps.
  Outcome decode(std::string_view bytes, const PlainJpeg& jpeg, unsigned char* pixels, cudaStream_t stream);

 private:
  std::shared_ptr<const NvjpegWay> way_;
  NvjpegOwned<NvjpegPinnedBuffer> pinned_;
  NvjpegOwned<NvjpegDeviceBuffer> device_;
  NvjpegOwned<NvjpegStream> stream_;
  NvjpegOwned<NvjpegParams> params_;
  NvjpegOwned<NvjpegState> state_;
};

}  // namespace rv::workers
