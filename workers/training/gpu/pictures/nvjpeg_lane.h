#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "workers/training/gpu/libraries/nvjpeg_library.h"
#include "workers/training/pictures/plain_jpeg.h"

namespace rv::workers {

/// An nvJPEG object, destroyed with its owner.
template <class T>
using NvjpegOwned = std::unique_ptr<T, NvjpegStatus (*)(T*)>;

/// A decoding method (backend) of nvJPEG on the current GPU, shared by threads.
struct NvjpegMethod {
  /// Throws std::runtime_error with the status if this GPU or the library does not support it.
  NvjpegMethod(std::shared_ptr<const NvjpegLibrary> nvjpeg, NvjpegBackend backend);

  std::shared_ptr<const NvjpegLibrary> library;
  NvjpegBackend backend;
  bool strict = false;       ///< whether it refuses a JPEG that violates the standard
  unsigned int engines = 0;  ///< number of JPEG engines, if the library reports it
  NvjpegOwned<NvjpegHandle> handle;
  NvjpegOwned<NvjpegDecoder> decoder;
};

/// The state of one thread that decodes with a backend; its buffers are reused and grow.
class NvjpegLane {
 public:
  explicit NvjpegLane(std::shared_ptr<const NvjpegMethod> way);

  struct Outcome {
    NvjpegStatus status = NvjpegStatus::success;
    const char* call = "";  ///< the call that returned this status
    bool usable = true;     ///< false: abandon this object after waiting for the stream
  };
  /// Enqueues the decoding to `pixels`: red, green and blue of each pixel, without gaps.
  Outcome decode(std::string_view bytes, const PlainJpeg& jpeg, unsigned char* pixels, cudaStream_t stream);

 private:
  std::shared_ptr<const NvjpegMethod> way_;
  NvjpegOwned<NvjpegPinnedBuffer> pinned_;
  NvjpegOwned<NvjpegDeviceBuffer> device_;
  NvjpegOwned<NvjpegStream> stream_;
  NvjpegOwned<NvjpegParams> params_;
  NvjpegOwned<NvjpegState> state_;
};

}  // namespace rv::workers
