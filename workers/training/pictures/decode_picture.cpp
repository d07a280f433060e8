#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

// After stddef and stdio, whose types it uses without including them.
#include <jerror.h>
#include <jpeglib.h>

#include "workers/training/pictures/picture.h"

namespace rv::workers {
namespace {

// Pillow's limit for decompression bombs.
constexpr std::uint64_t most_pixels = 178'956'970;

/// Encoders write about 10 scans of a progressive image. Each scan passes over all pixels, and may need only a few
/// bytes: https://libjpeg-turbo.org/pmwiki/uploads/About/TwoIssueswiththeJPEGStandard.pdf
constexpr int most_scans = 100;

/// On an error libjpeg calls a handler that must not return.
struct Complaint {
  jpeg_error_mgr manager;  // must be first: libjpeg passes a pointer to it
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX];
};

[[noreturn]] void give_up(j_common_ptr info) {
  auto* const complaint = reinterpret_cast<Complaint*>(info->err);
  complaint->manager.format_message(info, complaint->text);
  std::longjmp(complaint->back, 1);
}

/// Treats warnings about lost pixels as errors; libjpeg would continue with grey pixels.
void weigh(j_common_ptr info, int level) {
  if (level >= 0) return;
  for (const int lost : {JWRN_JPEG_EOF, JWRN_HIT_MARKER, JWRN_HUFF_BAD_CODE, JWRN_MUST_RESYNC}) {
    if (info->err->msg_code == lost) give_up(info);
  }
}

/// Called for each row of each scan.
void watch_scans(j_common_ptr info) {
  auto* const decompressor = reinterpret_cast<j_decompress_ptr>(info);
  if (decompressor->input_scan_number <= most_scans) return;
  auto* const complaint = reinterpret_cast<Complaint*>(info->err);
  std::snprintf(complaint->text, sizeof complaint->text, "it has more than %d scans", most_scans);
  std::longjmp(complaint->back, 1);
}

class Decompressor {
 public:
  Decompressor() {
    progress_.progress_monitor = watch_scans;
    info_.err = jpeg_std_error(&complaint_.manager);
    complaint_.manager.error_exit = give_up;
    complaint_.manager.emit_message = weigh;
    complaint_.text[0] = '\0';
  }
  ~Decompressor() { jpeg_destroy_decompress(&info_); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  /// Returns false on failure, with the reason in `text`. No variable here may need a destructor, since longjmp does
  /// not call it.
  bool decode(std::string_view bytes, std::size_t least, Picture& into) {
    if (setjmp(complaint_.back) != 0) return false;
    jpeg_create_decompress(&info_);
    info_.progress = &progress_;
    jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&info_, TRUE);
    if (std::uint64_t{info_.image_width} * info_.image_height > most_pixels) return true;
    inks_ = info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK;
    info_.out_color_space = inks_ ? JCS_CMYK : JCS_RGB;
    const std::size_t shorter = std::min(info_.image_width, info_.image_height);
    info_.scale_denom = 1;
    while (info_.scale_denom < 8 && shorter / info_.scale_denom / 2 >= least) info_.scale_denom *= 2;
    jpeg_start_decompress(&info_);
    into.width = info_.output_width;
    into.height = info_.output_height;
    const std::size_t line = into.width * (inks_ ? 4 : 3);
    into.pixels.resize(into.height * line);
    while (info_.output_scanline < info_.output_height) {
      JSAMPROW row = into.pixels.data() + info_.output_scanline * line;
      jpeg_read_scanlines(&info_, &row, 1);
    }
    jpeg_finish_decompress(&info_);
    return true;
  }
  const char* text() const { return complaint_.text; }
  bool inks() const { return inks_; }
  std::pair<unsigned int, unsigned int> extents() const { return {info_.image_width, info_.image_height}; }

 private:
  jpeg_decompress_struct info_{};
  Complaint complaint_{};
  jpeg_progress_mgr progress_{};
  bool inks_ = false;
};

std::runtime_error too_large(std::uint64_t width, std::uint64_t height) {
  return std::runtime_error(fmt::format("has {} × {} pixels, more than any image of the set", width, height));
}

/// Adobe's programs store inks inverted: 255 means no ink, so that a colour is its own value times that of black.
void mix_inks(Picture& picture) {
  auto& bytes = picture.pixels;
  const auto count = picture.width * picture.height;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned int black = bytes[4 * i + 3];
    for (std::size_t c = 0; c < 3; ++c) {
      bytes[3 * i + c] = static_cast<std::uint8_t>((bytes[4 * i + c] * black + 127) / 255);
    }
  }
  bytes.resize(3 * count);
}

Picture decode_jpeg(std::string_view bytes, std::size_t least) {
  Picture picture;
  Decompressor decompressor;
  if (!decompressor.decode(bytes, least, picture)) {
    throw std::runtime_error(fmt::format("is damaged or cut off ({})", decompressor.text()));
  }
  if (picture.pixels.empty()) throw too_large(decompressor.extents().first, decompressor.extents().second);
  if (decompressor.inks()) mix_inks(picture);
  return picture;
}

Picture decode_png(std::string_view bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const auto damaged = [&] {
    const std::string text = image.message;
    png_image_free(&image);
    return std::runtime_error(fmt::format("is damaged or cut off ({})", text));
  };
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) throw damaged();
  if (std::uint64_t{image.width} * image.height > most_pixels) {
    png_image_free(&image);
    throw too_large(image.width, image.height);
  }
  image.format = PNG_FORMAT_RGBA;
  Picture picture{image.width, image.height, {}};
  // libpng's macro PNG_IMAGE_SIZE computes in 32 bits.
  picture.pixels.resize(4 * picture.width * picture.height);
  if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0) throw damaged();
  const auto count = picture.width * picture.height;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < 3; ++c) picture.pixels[3 * i + c] = picture.pixels[4 * i + c];
  }
  picture.pixels.resize(3 * count);
  return picture;
}

}  // namespace

bool can_decode() {
  return true;
}

Picture decode_picture(std::string_view bytes, std::size_t least) {
  if (bytes.empty()) throw std::runtime_error("is empty");
  if (bytes.starts_with("\xff\xd8")) return decode_jpeg(bytes, least);
  if (bytes.starts_with("\x89PNG")) return decode_png(bytes);
  throw std::runtime_error("is neither a JPEG nor a PNG");
}

}  // namespace rv::workers
