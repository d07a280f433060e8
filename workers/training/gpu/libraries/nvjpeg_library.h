#pragma once

#include <cuda_runtime_api.h>
#include <library_types.h>

#include <cstddef>
#include <string>

namespace rv::workers {

// The part of nvJPEG's interface that is used, with the values from https://docs.nvidia.com/cuda/nvjpeg/index.html,
// because few build machines have its header. It is the same in versions 12 and 13.
struct NvjpegHandle;
struct NvjpegDecoder;
struct NvjpegState;
struct NvjpegStream;
struct NvjpegParams;
struct NvjpegPinnedBuffer;
struct NvjpegDeviceBuffer;

enum class NvjpegStatus : int {
  success = 0,
  not_initialized = 1,
  invalid_parameter = 2,
  bad_jpeg = 3,
  jpeg_not_supported = 4,
  allocator_failure = 5,
  execution_failed = 6,
  arch_mismatch = 7,
  internal_error = 8,
  implementation_not_supported = 9,
  incomplete_bitstream = 10
};
/// "BAD_JPEG (3)"
std::string describe(NvjpegStatus status);

enum class NvjpegBackend : int { hybrid = 1, hardware = 3 };
enum class NvjpegOutput : int { interleaved_rgb = 5 };
/// Flags: report an error for a JPEG that violates the standard; interpolate chroma as libjpeg's "fancy upsampling".
inline constexpr unsigned int nvjpeg_strict = 4, nvjpeg_interpolate = 32;

struct NvjpegImage {
  unsigned char* channel[4];
  std::size_t pitch[4];
};

/// nvJPEG's functions, loaded at run time.
struct NvjpegLibrary {
  /// Throws std::runtime_error if the library is missing or too old.
  NvjpegLibrary();

  NvjpegStatus (*get_property)(libraryPropertyType which, int* value) = nullptr;
  /// Null allocators: it uses cudaMalloc and cudaHostAlloc.
  NvjpegStatus (*create)(NvjpegBackend backend, void* device_allocator, void* pinned_allocator, unsigned int flags,
                         NvjpegHandle** handle) = nullptr;
  NvjpegStatus (*destroy)(NvjpegHandle* handle) = nullptr;
  /// Null if the library is too old to have it.
  NvjpegStatus (*engines)(NvjpegHandle* handle, unsigned int* engines, unsigned int* cores_of_each) = nullptr;
  NvjpegStatus (*create_decoder)(NvjpegHandle* handle, NvjpegBackend backend, NvjpegDecoder** decoder) = nullptr;
  NvjpegStatus (*destroy_decoder)(NvjpegDecoder* decoder) = nullptr;
  NvjpegStatus (*create_state)(NvjpegHandle* handle, NvjpegDecoder* decoder, NvjpegState** state) = nullptr;
  NvjpegStatus (*destroy_state)(NvjpegState* state) = nullptr;
  NvjpegStatus (*create_stream)(NvjpegHandle* handle, NvjpegStream** stream) = nullptr;
  NvjpegStatus (*destroy_stream)(NvjpegStream* stream) = nullptr;
  NvjpegStatus (*create_params)(NvjpegHandle* handle, NvjpegParams** params) = nullptr;
  NvjpegStatus (*destroy_params)(NvjpegParams* params) = nullptr;
  NvjpegStatus (*set_output)(NvjpegParams* params, NvjpegOutput output) = nullptr;
  NvjpegStatus (*create_pinned)(NvjpegHandle* handle, void* allocator, NvjpegPinnedBuffer** buffer) = nullptr;
  NvjpegStatus (*destroy_pinned)(NvjpegPinnedBuffer* buffer) = nullptr;
  NvjpegStatus (*create_device)(NvjpegHandle* handle, void* allocator, NvjpegDeviceBuffer** buffer) = nullptr;
  NvjpegStatus (*destroy_device)(NvjpegDeviceBuffer* buffer) = nullptr;
  NvjpegStatus (*attach_pinned)(NvjpegState* state, NvjpegPinnedBuffer* buffer) = nullptr;
  NvjpegStatus (*attach_device)(NvjpegState* state, NvjpegDeviceBuffer* buffer) = nullptr;
  /// Keeps a reference to `data` until the picture is decoded, unless the metadata is saved.
  NvjpegStatus (*parse)(NvjpegHandle* handle, const unsigned char* data, std::size_t length, int save_metadata,
                        int save_stream, NvjpegStream* stream) = nullptr;
  NvjpegStatus (*get_extents)(NvjpegStream* stream, unsigned int* width, unsigned int* height) = nullptr;
  /// Sets `unsupported` to 0 if the decoder supports the JPEG, despite the function's name.
  NvjpegStatus (*supports)(NvjpegDecoder* decoder, NvjpegStream* stream, NvjpegParams* params,
                           int* unsupported) = nullptr;
  NvjpegStatus (*decode_on_host)(NvjpegHandle* handle, NvjpegDecoder* decoder, NvjpegState* state, NvjpegParams* params,
                                 NvjpegStream* stream) = nullptr;
  NvjpegStatus (*transfer)(NvjpegHandle* handle, NvjpegDecoder* decoder, NvjpegState* state, NvjpegStream* stream,
                           cudaStream_t cuda_stream) = nullptr;
  NvjpegStatus (*decode_on_device)(NvjpegHandle* handle, NvjpegDecoder* decoder, NvjpegState* state, NvjpegImage* image,
                                   cudaStream_t cuda_stream) = nullptr;

  /// "13.0.1", and the file that it was loaded from.
  std::string version, file;
};

}  // namespace rv::workers
