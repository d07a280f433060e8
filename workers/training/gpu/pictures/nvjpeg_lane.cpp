#include "workers/training/gpu/pictures/nvjpeg_lane.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace rv::workers {
namespace {

void need(NvjpegStatus status, const char* call) {
  if (status != NvjpegStatus::success) {
    throw std::runtime_error(fmt::format("nvJPEG: {}: {}", call, describe(status)));
  }
}

/// Returns the object that `create` writes to its last argument.
template <class T, class Create, class... Arguments>
NvjpegOwned<T> made(NvjpegStatus (*destroy)(T*), const char* call, Create create, Arguments... arguments) {
  T* object = nullptr;
  need(create(arguments..., &object), call);
  return {object, destroy};
}

}  // namespace

NvjpegMethod::NvjpegMethod(std::shared_ptr<const NvjpegLibrary> nvjpeg, NvjpegBackend way)
    : library(std::move(nvjpeg)),
      backend(way),
      handle(nullptr, library->destroy),
      decoder(nullptr, library->destroy_decoder) {
  NvjpegHandle* object = nullptr;
  auto status = library->create(backend, nullptr, nullptr, nvjpeg_strict | nvjpeg_interpolate, &object);
  strict = status == NvjpegStatus::success;
  if (!strict) status = library->create(backend, nullptr, nullptr, nvjpeg_interpolate, &object);
  need(status, "nvjpegCreateEx");
  handle.reset(object);
  if (backend == NvjpegBackend::hardware && library->engines != nullptr) {
    unsigned int cores = 0;
    need(library->engines(handle.get(), &engines, &cores), "nvjpegGetHardwareDecoderInfo");
    if (engines == 0) throw std::runtime_error("nvJPEG: nvjpegGetHardwareDecoderInfo reports no engine");
  }
  decoder = made(library->destroy_decoder, "nvjpegDecoderCreate", library->create_decoder, handle.get(), backend);
}

NvjpegLane::NvjpegLane(std::shared_ptr<const NvjpegMethod> way)
    : way_(std::move(way)),
      pinned_(made(way_->library->destroy_pinned, "nvjpegBufferPinnedCreate", way_->library->create_pinned,
                   way_->handle.get(), nullptr)),
      device_(made(way_->library->destroy_device, "nvjpegBufferDeviceCreate", way_->library->create_device,
                   way_->handle.get(), nullptr)),
      stream_(made(way_->library->destroy_stream, "nvjpegJpegStreamCreate", way_->library->create_stream,
                   way_->handle.get())),
      params_(made(way_->library->destroy_params, "nvjpegDecodeParamsCreate", way_->library->create_params,
                   way_->handle.get())),
      state_(made(way_->library->destroy_state, "nvjpegDecoderStateCreate", way_->library->create_state,
                  way_->handle.get(), way_->decoder.get())) {
  need(way_->library->set_output(params_.get(), NvjpegOutput::interleaved_rgb), "nvjpegDecodeParamsSetOutputFormat");
}

NvjpegLane::Outcome NvjpegLane::decode(std::string_view bytes, const PlainJpeg& jpeg, unsigned char* pixels,
                                       cudaStream_t stream) {
  const auto& nvjpeg = *way_->library;
  auto* const handle = way_->handle.get();
  auto* const decoder = way_->decoder.get();
  Outcome outcome;
  const auto did = [&outcome](const char* call, NvjpegStatus status) {
    const bool done = status == NvjpegStatus::success;
    outcome = {status, call, done};
    return done;
  };
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  unsigned int width = 0, height = 0;
  if (!did("nvjpegJpegStreamParse", nvjpeg.parse(handle, data, bytes.size(), 0, 0, stream_.get())) ||
      !did("nvjpegJpegStreamGetFrameDimensions", nvjpeg.get_extents(stream_.get(), &width, &height))) {
    return outcome;
  }
  // nvJPEG writes as many pixels as it has found.
  if (width != jpeg.width || height != jpeg.height) return {NvjpegStatus::jpeg_not_supported, "its extents", true};
  if (way_->backend == NvjpegBackend::hardware) {
    int unsupported = 1;
    if (!did("nvjpegDecoderJpegSupported", nvjpeg.supports(decoder, stream_.get(), params_.get(), &unsupported))) {
      return outcome;
    }
    if (unsupported != 0) return {NvjpegStatus::jpeg_not_supported, "nvjpegDecoderJpegSupported", true};
  }
  NvjpegImage image{};
  image.channel[0] = pixels;
  image.pitch[0] = jpeg.width * 3;
  // In this order, up to the first that fails.
  static_cast<void>(
      did("nvjpegStateAttachPinnedBuffer", nvjpeg.attach_pinned(state_.get(), pinned_.get())) &&
      did("nvjpegStateAttachDeviceBuffer", nvjpeg.attach_device(state_.get(), device_.get())) &&
      did("nvjpegDecodeJpegHost", nvjpeg.decode_on_host(handle, decoder, state_.get(), params_.get(), stream_.get())) &&
      did("nvjpegDecodeJpegTransferToDevice", nvjpeg.transfer(handle, decoder, state_.get(), stream_.get(), stream)) &&
      did("nvjpegDecodeJpegDevice", nvjpeg.decode_on_device(handle, decoder, state_.get(), &image, stream)));
  return outcome;
}

}  // namespace rv::workers
