// Stands in for libnvjpeg where there is no GPU: it decodes nothing, notes its calls, and does what FAKE_NVJPEG says,
// words apart by blanks. "version=12.0": it is that one. "CALL=STATUS": this call returns that.
#include <array>
#include <cstdlib>
#include <sstream>
#include <string>

namespace {

enum Kind { handle_, decoder_, state_, stream_, params_, pinned_, device_, kinds };

std::string notes;
int objects = 0;
/// Addresses to hand out, one for all objects of a kind.
std::array<char, kinds> places;

std::string setting(const std::string& what) {
  const auto* const all = std::getenv("FAKE_NVJPEG");
  std::istringstream words(all != nullptr ? all : "");
  for (std::string word; words >> word;) {
    if (word.starts_with(what + "=")) return word.substr(what.size() + 1);
  }
  return "";
}

int status_of(const std::string& call, const std::string& note = "") {
  notes += call + note + " ";
  const auto status = setting(call);
  return status.empty() ? 0 : std::stoi(status);
}

template <Kind kind>
int make(const std::string& call, void** object, const std::string& note = "") {
  const int status = status_of(call, note);
  if (status != 0) return status;
  ++objects;
  *object = &places[kind];
  return 0;
}

template <Kind kind>
int destroy(const std::string& call, const void* object) {
  if (object != &places[kind]) return 2;
  --objects;
  return status_of(call);
}

/// Whether these are objects of these kinds, which were made here.
template <Kind... all, class... Pointers>
bool are(Pointers... pointers) {
  return ((static_cast<const void*>(pointers) == &places[all]) && ...);
}

}  // namespace

// nvJPEG's own names, and of the header's types what a call needs.
extern "C" {
int nvjpegGetProperty(int which, int* value);
int nvjpegCreateEx(int backend, void* device, void* pinned, unsigned int flags, void** handle);
int nvjpegGetHardwareDecoderInfo(void* handle, unsigned int* engines, unsigned int* cores);
int nvjpegDestroy(void* handle);
int nvjpegDecoderCreate(void* handle, int backend, void** decoder);
int nvjpegDecoderDestroy(void* decoder);
int nvjpegDecoderStateCreate(void* handle, void* decoder, void** state);
int nvjpegJpegStateDestroy(void* state);
int nvjpegJpegStreamCreate(void* handle, void** stream);
int nvjpegJpegStreamDestroy(void* stream);
int nvjpegDecodeParamsCreate(void* handle, void** params);
int nvjpegDecodeParamsDestroy(void* params);
int nvjpegDecodeParamsSetOutputFormat(void* params, int output);
int nvjpegBufferPinnedCreate(void* handle, void* allocator, void** buffer);
int nvjpegBufferPinnedDestroy(void* buffer);
int nvjpegBufferDeviceCreate(void* handle, void* allocator, void** buffer);
int nvjpegBufferDeviceDestroy(void* buffer);
int nvjpegStateAttachPinnedBuffer(void* state, void* buffer);
int nvjpegStateAttachDeviceBuffer(void* state, void* buffer);
int nvjpegJpegStreamParse(void* handle, const unsigned char* data, size_t length, int metadata, int saved,
                          void* stream);
int nvjpegJpegStreamGetFrameDimensions(void* stream, unsigned int* width, unsigned int* height);
int nvjpegDecoderJpegSupported(void* decoder, void* stream, void* params, int* unsupported);
int nvjpegDecodeJpegHost(void* handle, void* decoder, void* state, void* params, void* stream);
int nvjpegDecodeJpegTransferToDevice(void* handle, void* decoder, void* state, void* stream, void* cuda_stream);
int nvjpegDecodeJpegDevice(void* handle, void* decoder, void* state, void* image, void* cuda_stream);
const char* fake_notes();
int fake_objects();

int nvjpegGetProperty(int which, int* value) {
  const auto version = setting("version");
  const auto dot = version.find('.');
  const auto part = which == 0 ? version.substr(0, dot) : which == 1 ? version.substr(dot + 1) : "0";
  *value = version.empty() ? (which == 0 ? 13 : 0) : std::stoi(part);
  return 0;
}
int nvjpegCreateEx(int backend, void*, void*, unsigned int flags, void** handle) {
  const auto note = ":" + std::to_string(backend) + ":" + std::to_string(flags);
  const auto status = setting("flags" + std::to_string(flags));
  if (!status.empty()) return std::stoi(status);
  return make<handle_>("nvjpegCreateEx", handle, note);
}
int nvjpegGetHardwareDecoderInfo(void* handle, unsigned int* engines, unsigned int* cores) {
  *engines = setting("engines").empty() ? 8 : static_cast<unsigned int>(std::stoi(setting("engines")));
  *cores = 1;
  return are<handle_>(handle) ? 0 : 2;
}
int nvjpegDestroy(void* handle) {
  return destroy<handle_>("nvjpegDestroy", handle);
}
int nvjpegDecoderCreate(void* handle, int backend, void** decoder) {
  return are<handle_>(handle) ? make<decoder_>("nvjpegDecoderCreate", decoder, ":" + std::to_string(backend)) : 2;
}
int nvjpegDecoderDestroy(void* decoder) {
  return destroy<decoder_>("nvjpegDecoderDestroy", decoder);
}
int nvjpegDecoderStateCreate(void* handle, void* decoder, void** state) {
  return are<handle_, decoder_>(handle, decoder) ? make<state_>("nvjpegDecoderStateCreate", state) : 2;
}
int nvjpegJpegStateDestroy(void* state) {
  return destroy<state_>("nvjpegJpegStateDestroy", state);
}
int nvjpegJpegStreamCreate(void* handle, void** stream) {
  return are<handle_>(handle) ? make<stream_>("nvjpegJpegStreamCreate", stream) : 2;
}
int nvjpegJpegStreamDestroy(void* stream) {
  return destroy<stream_>("nvjpegJpegStreamDestroy", stream);
}
int nvjpegDecodeParamsCreate(void* handle, void** params) {
  return are<handle_>(handle) ? make<params_>("nvjpegDecodeParamsCreate", params) : 2;
}
int nvjpegDecodeParamsDestroy(void* params) {
  return destroy<params_>("nvjpegDecodeParamsDestroy", params);
}
int nvjpegDecodeParamsSetOutputFormat(void* params, int output) {
  return are<params_>(params) ? status_of("nvjpegDecodeParamsSetOutputFormat", ":" + std::to_string(output)) : 2;
}
int nvjpegBufferPinnedCreate(void* handle, void*, void** buffer) {
  return are<handle_>(handle) ? make<pinned_>("nvjpegBufferPinnedCreate", buffer) : 2;
}
int nvjpegBufferPinnedDestroy(void* buffer) {
  return destroy<pinned_>("nvjpegBufferPinnedDestroy", buffer);
}
int nvjpegBufferDeviceCreate(void* handle, void*, void** buffer) {
  return are<handle_>(handle) ? make<device_>("nvjpegBufferDeviceCreate", buffer) : 2;
}
int nvjpegBufferDeviceDestroy(void* buffer) {
  return destroy<device_>("nvjpegBufferDeviceDestroy", buffer);
}
int nvjpegStateAttachPinnedBuffer(void* state, void* buffer) {
  return are<state_, pinned_>(state, buffer) ? status_of("attach_pinned") : 2;
}
int nvjpegStateAttachDeviceBuffer(void* state, void* buffer) {
  return are<state_, device_>(state, buffer) ? status_of("attach_device") : 2;
}
int nvjpegJpegStreamParse(void* handle, const unsigned char* data, size_t length, int metadata, int saved,
                          void* stream) {
  const bool right = are<handle_, stream_>(handle, stream) && data != nullptr && metadata == 0 && saved == 0;
  return right ? status_of("parse", ":" + std::to_string(length)) : 2;
}
int nvjpegJpegStreamGetFrameDimensions(void* stream, unsigned int* width, unsigned int* height) {
  *width = 61;
  *height = 47;
  return are<stream_>(stream) ? status_of("extents") : 2;
}
int nvjpegDecoderJpegSupported(void* decoder, void* stream, void* params, int* unsupported) {
  *unsupported = setting("unsupported").empty() ? 0 : 1;
  return are<decoder_, stream_, params_>(decoder, stream, params) ? status_of("supported") : 2;
}
int nvjpegDecodeJpegHost(void* handle, void* decoder, void* state, void* params, void* stream) {
  return are<handle_, decoder_, state_, params_, stream_>(handle, decoder, state, params, stream) ? status_of("host")
                                                                                                  : 2;
}
int nvjpegDecodeJpegTransferToDevice(void* handle, void* decoder, void* state, void* stream, void*) {
  return are<handle_, decoder_, state_, stream_>(handle, decoder, state, stream) ? status_of("transfer") : 2;
}
int nvjpegDecodeJpegDevice(void* handle, void* decoder, void* state, void* image, void*) {
  struct Image {
    std::array<unsigned char*, 4> channel;
    std::array<size_t, 4> pitch;
  };
  const auto* const there = static_cast<const Image*>(image);
  return are<handle_, decoder_, state_>(handle, decoder, state) && there->channel[0] != nullptr
             ? status_of("device", ":" + std::to_string(there->pitch[0]))
             : 2;
}
/// All calls since the last time.
const char* fake_notes() {
  static std::string taken;
  taken = notes;
  notes.clear();
  return taken.c_str();
}
int fake_objects() {
  return objects;
}
}
