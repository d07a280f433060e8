#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rv::workers {

/// Red, green and blue of each pixel, row by row.
struct Picture {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

/// Whether this build has libjpeg-turbo and libpng.
bool can_decode();

/// A JPEG of any kind, by libjpeg-turbo, or a PNG, by its first bytes: grey becomes three equal colours, inks (CMYK,
/// YCCK) become what Pillow makes of them (Adobe's inverted values, whose lightness is multiplied), transparency is
/// dropped. A JPEG whose shorter side stays at least `least` is decoded at a half, a quarter or an eighth.
/// Throws std::runtime_error that completes "FILE …" where it is damaged, cut off, neither of both, or larger than
/// 178 million pixels. Bytes that stand between the parts of a JPEG are no damage.
Picture decode_picture(std::string_view bytes, std::size_t least);

/// The picture's shorter side brought to `shorter`, then the middle `size` × `size` of it, `to` size × size × 3,
/// channels innermost. As torchvision's Resize and CenterCrop on Pillow's images do: bilinear over all pixels that fall
/// into a new one; here without rounding in between. Each colour c becomes (c/255 - mean) / deviation, those of
/// torchvision's weights: https://pytorch.org/vision/stable/models.html ("mean=[0.485, 0.456, 0.406],
/// std=[0.229, 0.224, 0.225]").
void crop_picture(const Picture& picture, int shorter, int size, float* to);

}  // namespace rv::workers
