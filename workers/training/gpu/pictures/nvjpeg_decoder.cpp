#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/kernels/crop_kernels.h"
#include "workers/training/gpu/pictures/nvjpeg_lane.h"
#include "workers/training/pictures/gpu_decoder.h"

namespace rv::workers {
namespace {

class Stream {
 public:
  Stream() {
    cuda_call(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream");
    cuda_call(cudaEventCreateWithFlags(&reached_, cudaEventBlockingSync | cudaEventDisableTiming), "create an event");
  }
  ~Stream() {
    cudaEventDestroy(reached_);
    cudaStreamDestroy(stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }
  /// Sleeps while waiting: there may be as many threads as CPUs, which others need.
  void wait() const {
    cuda_call(cudaEventRecord(reached_, stream_), "record an event");
    cuda_call(cudaEventSynchronize(reached_), "decode a JPEG");
  }

 private:
  cudaEvent_t reached_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

/// Whether the JPEG may be the cause; libjpeg-turbo then decides.
bool is_of_the_jpeg(NvjpegStatus status) {
  switch (status) {
    case NvjpegStatus::invalid_parameter:
    case NvjpegStatus::bad_jpeg:
    case NvjpegStatus::jpeg_not_supported:
    case NvjpegStatus::implementation_not_supported:
    case NvjpegStatus::incomplete_bitstream:
      return true;
    default:
      return false;
  }
}

/// Turns CUDA's errors into faults of the decoder, not of a picture.
template <class Work>
auto on_gpu(int device, const Work& work) {
  try {
    cuda_call(cudaSetDevice(device), "select the GPU");
    return work();
  } catch (const OutOfMemory&) {
    throw;
  } catch (const GpuDecoderFault&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw GpuDecoderFault(error.what());
  }
}

class NvjpegPictures : public GpuDecoder {
 public:
  /// `engines`: null if the GPU has none.
  NvjpegPictures(int device, std::shared_ptr<const NvjpegMethod> engines, std::shared_ptr<const NvjpegMethod> hybrid)
      : device_(device) {
    if (engines) engines_ = std::make_unique<Lane>(std::move(engines));
    hybrid_ = std::make_unique<Lane>(std::move(hybrid));
  }

  GpuDecoding draw(std::string_view bytes, const PlainJpeg& jpeg, const Crop& crop, float* to) override {
    return on_gpu(device_, [&] {
      last_.clear();
      const auto way = decode(bytes, jpeg);
      if (way == GpuDecoding::none) return way;
      const auto axes = crop.axes(jpeg.width, jpeg.height);
      crop_pixels(pixels_->as<std::uint8_t>(), static_cast<std::int64_t>(jpeg.width), axes[0], axes[1], crop.size, to,
                  stream_.get());
      cuda_call(cudaGetLastError(), "launch a kernel");
      stream_.wait();
      return way;
    });
  }

  void put(std::span<const float> crop, float* to) override {
    on_gpu(device_, [&] {
      cuda_call(cudaMemcpyAsync(to, crop.data(), crop.size_bytes(), cudaMemcpyHostToDevice, stream_.get()),
                "copy to the GPU");
      stream_.wait();
    });
  }

  std::string last() const override { return last_; }

 private:
  struct Lane {
    explicit Lane(std::shared_ptr<const NvjpegMethod> which) : way(std::move(which)) { lane.emplace(way); }
    std::shared_ptr<const NvjpegMethod> way;
    std::optional<NvjpegLane> lane;
  };

  GpuDecoding decode(std::string_view bytes, const PlainJpeg& jpeg) {
    make_room(jpeg.width * jpeg.height * 3);
    if (engines_ && jpeg.baseline && decode_by(*engines_, "engines", bytes, jpeg).status == NvjpegStatus::success) {
      return GpuDecoding::engines;
    }
    const auto outcome = decode_by(*hybrid_, "hybrid", bytes, jpeg);
    if (outcome.status == NvjpegStatus::success) return GpuDecoding::hybrid;
    if (is_of_the_jpeg(outcome.status)) return GpuDecoding::none;
    if (outcome.status == NvjpegStatus::allocator_failure) throw OutOfMemory("decode a JPEG by nvJPEG");
    throw GpuDecoderFault(fmt::format("nvJPEG: {}: {}", outcome.call, describe(outcome.status)));
  }

  NvjpegLane::Outcome decode_by(Lane& lane, const char* name, std::string_view bytes, const PlainJpeg& jpeg) {
    if (!lane.lane) lane.lane.emplace(lane.way);
    const auto outcome = lane.lane->decode(bytes, jpeg, pixels_->as<unsigned char>(), stream_.get());
    last_ += fmt::format("{}{}: {}{}", last_.empty() ? "" : "; ", name,
                         outcome.status == NvjpegStatus::success ? "" : fmt::format("{}: ", outcome.call),
                         describe(outcome.status));
    if (!outcome.usable) {
      // The next picture must not find an error of this one.
      stream_.wait();
      lane.lane.reset();
    }
    return outcome;
  }

  void make_room(std::size_t bytes) {
    if (pixels_ && bytes <= room_) return;
    pixels_.reset();
    room_ = bytes + bytes / 4 + 4096;
    pixels_.emplace(room_);
  }

  int device_;
  Stream stream_;
  std::optional<DeviceMemory> pixels_;
  std::size_t room_ = 0;
  std::unique_ptr<Lane> engines_, hybrid_;
  std::string last_;
};

}  // namespace

GpuDecoders nvjpeg_decoders(int threads, bool with_engines) {
  int device = 0;
  cuda_call(cudaGetDevice(&device), "ask for the GPU");
  // nvJPEG uses the driver's current context, which does not exist before the first runtime call that needs it.
  cuda_call(cudaFree(nullptr), "make ready the GPU");
  const auto library = std::make_shared<const NvjpegLibrary>();
  const auto hybrid = std::make_shared<const NvjpegMethod>(library, NvjpegBackend::hybrid);
  const auto all = [&](const std::shared_ptr<const NvjpegMethod>& engines) {
    std::vector<std::shared_ptr<GpuDecoder>> decoders;
    decoders.reserve(static_cast<std::size_t>(threads));
    for (int i = 0; i < threads; ++i) decoders.push_back(std::make_shared<NvjpegPictures>(device, engines, hybrid));
    return decoders;
  };
  GpuDecoders made;
  std::string engines_text;
  try {
    if (!with_engines) throw std::runtime_error("not wanted");
    const auto engines = std::make_shared<const NvjpegMethod>(library, NvjpegBackend::hardware);
    made.all = all(engines);
    engines_text = engines->engines > 0 ? fmt::format("with {} JPEG engines", engines->engines) : "with JPEG engines";
    if (!engines->strict) engines_text += " that refuse little";
  } catch (const std::runtime_error& error) {
    made.all = all(nullptr);
    engines_text = fmt::format("without JPEG engines ({})", error.what());
  }
  made.library = fmt::format("nvJPEG {}, {}, {}{}", library->version, library->file, engines_text,
                             hybrid->strict ? "" : "; it does not refuse JPEGs that are not strictly so");
  return made;
}

std::shared_ptr<float[]> gpu_floats(std::size_t count) {
  const auto memory = std::make_shared<DeviceMemory>(count * sizeof(float));
  return {memory, memory->as<float>()};
}

}  // namespace rv::workers
