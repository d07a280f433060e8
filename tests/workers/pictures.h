// Pictures for tests and benches: a colour for each place, as JPEG or PNG in memory.
#pragma once

#include <png.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

// After stddef and stdio, whose types it uses without including them.
#include <jpeglib.h>

namespace rv::tests {

using Colour = std::array<int, 4>;
using Painter = std::function<Colour(int x, int y)>;

struct JpegKind {
  int quality = 95;
  bool progressive = false;
  int across = 2, down = 2;  ///< pixels that share a chroma
  unsigned int restart = 0;  ///< a mark after this many blocks; 0: none
  bool rgb = false;          ///< red, green and blue as they are, which Adobe's mark says
  int grey_factor = 1;       ///< samples across and down that a grey one claims to have
};

/// With 1 (grey), 3 (colours) or 4 (inks as Adobe's programs store them) values for each pixel.
inline std::string jpeg(int width, int height, int channels, const Painter& paint, const JpegKind& kind) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long length = 0;
  jpeg_mem_dest(&info, &bytes, &length);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = channels;
  info.in_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_RGB : JCS_CMYK;
  jpeg_set_defaults(&info);
  if (kind.rgb) jpeg_set_colorspace(&info, JCS_RGB);
  if (channels == 3 && !kind.rgb) {
    info.comp_info[0].h_samp_factor = kind.across;
    info.comp_info[0].v_samp_factor = kind.down;
  }
  if (channels == 1) info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = kind.grey_factor;
  info.restart_interval = kind.restart;
  jpeg_set_quality(&info, kind.quality, TRUE);
  if (kind.progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  std::vector<unsigned char> line(static_cast<std::size_t>(width * channels));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto colour = paint(x, y);
      for (int c = 0; c < channels; ++c) {
        line[static_cast<std::size_t>(x * channels + c)] =
            static_cast<unsigned char>(colour[static_cast<std::size_t>(c)]);
      }
    }
    JSAMPROW row = line.data();
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  std::string made(reinterpret_cast<char*>(bytes), length);
  jpeg_destroy_compress(&info);
  std::free(bytes);
  return made;
}

inline std::string jpeg(int width, int height, int channels, const Painter& paint, int quality = 95,
                        bool progressive = false) {
  JpegKind kind;
  kind.quality = quality;
  kind.progressive = progressive;
  return jpeg(width, height, channels, paint, kind);
}

/// With transparency, which says nothing of the colour.
inline std::string png(int width, int height, const Painter& paint) {
  std::vector<unsigned char> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (const auto value : paint(x, y)) pixels.push_back(static_cast<unsigned char>(value));
    }
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGBA;
  png_alloc_size_t length = 0;
  png_image_write_to_memory(&image, nullptr, &length, 0, pixels.data(), 0, nullptr);
  std::string made(length, '\0');
  png_image_write_to_memory(&image, made.data(), &length, 0, pixels.data(), 0, nullptr);
  made.resize(length);
  return made;
}

}  // namespace rv::tests
