#include "workers/training/gpu/libraries/nvjpeg_library.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "workers/devices/dynamic_library.h"

namespace rv::workers {
namespace {

static_assert(sizeof(NvjpegImage) == 4 * sizeof(void*) + 4 * sizeof(std::size_t));

/// First the version of the toolkit of the build: a newer one may need a newer driver.
DynamicLibrary nvjpeg_library() {
  constexpr bool is_12 = CUDART_VERSION < 13000;
  constexpr const char *first = is_12 ? "libnvjpeg.so.12" : "libnvjpeg.so.13",
                       *second = is_12 ? "libnvjpeg.so.13" : "libnvjpeg.so.12";
  constexpr auto purpose = "decode JPEGs on the GPU";
  try {
    return {first, purpose};
  } catch (const std::runtime_error& error) {
    try {
      return {second, purpose};
    } catch (const std::runtime_error&) {
      throw std::runtime_error(fmt::format("{}; {} would work too, but cannot be loaded either", error.what(), second));
    }
  }
}

}  // namespace

std::string describe(NvjpegStatus status) {
  constexpr std::array names{"SUCCESS",
                             "NOT_INITIALIZED",
                             "INVALID_PARAMETER",
                             "BAD_JPEG",
                             "JPEG_NOT_SUPPORTED",
                             "ALLOCATOR_FAILURE",
                             "EXECUTION_FAILED",
                             "ARCH_MISMATCH",
                             "INTERNAL_ERROR",
                             "IMPLEMENTATION_NOT_SUPPORTED",
                             "INCOMPLETE_BITSTREAM"};
  const auto number = static_cast<int>(status);
  const bool known = number >= 0 && static_cast<std::size_t>(number) < names.size();
  return fmt::format("{} ({})", known ? names[static_cast<std::size_t>(number)] : "a status unknown here", number);
}

NvjpegLibrary::NvjpegLibrary() {
  const auto library = nvjpeg_library();
  file = library.file();
  library.find(get_property, "nvjpegGetProperty");
  int major = 0, minor = 0, patch = 0;
  for (const auto& [which, value] :
       {std::pair{MAJOR_VERSION, &major}, {MINOR_VERSION, &minor}, {PATCH_LEVEL, &patch}}) {
    const auto status = get_property(which, value);
    if (status != NvjpegStatus::success) {
      throw std::runtime_error(fmt::format("{} does not report its version: {}", file, describe(status)));
    }
  }
  version = fmt::format("{}.{}.{}", major, minor, patch);
  if (major < 12 || (major == 12 && minor < 1)) {
    throw std::runtime_error(
        fmt::format("{} is nvJPEG {}; from 12.1 on it interpolates chroma as libjpeg-turbo does", file, version));
  }
  library.find(create, "nvjpegCreateEx");
  library.find(destroy, "nvjpegDestroy");
  library.find_if_there(engines, "nvjpegGetHardwareDecoderInfo");
  library.find(create_decoder, "nvjpegDecoderCreate");
  library.find(destroy_decoder, "nvjpegDecoderDestroy");
  library.find(create_state, "nvjpegDecoderStateCreate");
  library.find(destroy_state, "nvjpegJpegStateDestroy");
  library.find(create_stream, "nvjpegJpegStreamCreate");
  library.find(destroy_stream, "nvjpegJpegStreamDestroy");
  library.find(create_params, "nvjpegDecodeParamsCreate");
  library.find(destroy_params, "nvjpegDecodeParamsDestroy");
  library.find(set_output, "nvjpegDecodeParamsSetOutputFormat");
  library.find(create_pinned, "nvjpegBufferPinnedCreate");
  library.find(destroy_pinned, "nvjpegBufferPinnedDestroy");
  library.find(create_device, "nvjpegBufferDeviceCreate");
  library.find(destroy_device, "nvjpegBufferDeviceDestroy");
  library.find(attach_pinned, "nvjpegStateAttachPinnedBuffer");
  library.find(attach_device, "nvjpegStateAttachDeviceBuffer");
  library.find(parse, "nvjpegJpegStreamParse");
  library.find(get_extents, "nvjpegJpegStreamGetFrameDimensions");
  library.find(supports, "nvjpegDecoderJpegSupported");
  library.find(decode_on_host, "nvjpegDecodeJpegHost");
  library.find(transfer, "nvjpegDecodeJpegTransferToDevice");
  library.find(decode_on_device, "nvjpegDecodeJpegDevice");
}

}  // namespace rv::workers
