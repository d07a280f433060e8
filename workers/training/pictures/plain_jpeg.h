#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace rv::workers {

/// What is to be known of a JPEG before it is decoded.
struct PlainJpeg {
  std::size_t width = 0, height = 0;
  bool baseline = false;  ///< and all colours in one scan
  std::size_t bytes = 0;  ///< up to its end mark; what follows is no part of it
};

/// A JPEG that goes from its first mark to its end mark, and of a kind that all decoders make the same colours of: 8
/// bits, Huffman codes, baseline or progressive, grey or YCbCr at 4:4:4, 4:2:2 or 4:2:0. Nothing: cut off, another
/// kind, or no JPEG at all, which libjpeg-turbo is to judge. The compressed data is only looked through for marks.
std::optional<PlainJpeg> plain_jpeg(std::string_view bytes);

}  // namespace rv::workers
