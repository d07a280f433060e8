#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace rv::workers {

/// Properties of a JPEG that are needed before it is decoded.
struct PlainJpeg {
  std::size_t width = 0, height = 0;
  bool baseline = false;  ///< baseline, with all colours in one scan
  std::size_t bytes = 0;  ///< length up to its end marker; later bytes are not part of it
};

/// Reads these properties if the JPEG is complete and of a kind that all decoders decode to the same colours: 8 bits,
/// Huffman codes, baseline or progressive, grey or YCbCr at 4:4:4, 4:2:2 or 4:2:0. Nothing if it is truncated, of
/// another kind, or not a JPEG: libjpeg-turbo then decides. Only the markers are read, not the compressed data.
std::optional<PlainJpeg> plain_jpeg(std::string_view bytes);

}  // namespace rv::workers
