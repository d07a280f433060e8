#include <algorithm>
#include <cmath>

#include "workers/training/pictures/picture.h"

namespace rv::workers {
namespace {

/// The pixels that a new pixel is computed from, and their weights.
struct Mix {
  std::size_t first = 0;
  std::vector<float> weights;
};

std::vector<Mix> mixes(const CropAxis& axis, int count) {
  std::vector<Mix> all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto tent = axis.tent(i);
    auto& mix = all[static_cast<std::size_t>(i)];
    mix.first = static_cast<std::size_t>(tent.first);
    const double sum = tent.sum();
    for (auto pixel = tent.first; pixel < tent.end; ++pixel) {
      // Also rounded before the division: other bits would make another training.
      mix.weights.push_back(static_cast<float>(static_cast<double>(static_cast<float>(tent.share(pixel))) / sum));
    }
  }
  return all;
}

/// Computes lines of the picture at the crop's height: whole lines are the fastest for the CPU.
void mix_lines(const Picture& picture, const Mix& rows, std::size_t begin, std::vector<float>& to) {
  std::fill(to.begin(), to.end(), 0.0F);
  const auto* from = picture.pixels.data() + (rows.first * picture.width + begin) * 3;
  for (const auto weight : rows.weights) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += weight * static_cast<float>(from[i]);
    from += picture.width * 3;
  }
}

void mix_columns(const float* line, const std::vector<Mix>& columns, std::size_t begin, float* to) {
  for (const auto& mix : columns) {
    float red = 0, green = 0, blue = 0;
    const auto* pixel = line + 3 * (mix.first - begin);
    for (const auto weight : mix.weights) {
      red += weight * pixel[0];
      green += weight * pixel[1];
      blue += weight * pixel[2];
      pixel += 3;
    }
    to[0] = red;
    to[1] = green;
    to[2] = blue;
    to += 3;
  }
}

}  // namespace

std::array<CropAxis, 2> Crop::axes(std::size_t width, std::size_t height) const {
  const auto least = std::min(width, height);
  // torchvision's rounding: the longer side down, and half a pixel of margin to the even number.
  const auto axis = [&](std::size_t extent) {
    const auto resized = static_cast<std::int64_t>(static_cast<std::size_t>(shorter) * extent / least);
    return CropAxis{static_cast<std::int64_t>(extent), resized,
                    static_cast<std::int64_t>(std::nearbyint(static_cast<double>(resized - size) / 2))};
  };
  return {axis(width), axis(height)};
}

void crop_picture(const Picture& picture, const Crop& crop, float* to) {
  const auto axes = crop.axes(picture.width, picture.height);
  const auto columns = mixes(axes[0], crop.size), rows = mixes(axes[1], crop.size);
  const auto begin = columns.front().first, end = columns.back().first + columns.back().weights.size();
  std::vector<float> line((end - begin) * 3);
  constexpr auto colours = colour_scale();
  for (const auto& mix : rows) {
    mix_lines(picture, mix, begin, line);
    mix_columns(line.data(), columns, begin, to);
    for (std::size_t x = 0; x < columns.size(); ++x, to += 3) {
      for (std::size_t c = 0; c < 3; ++c) to[c] = to[c] * colours.scale[c] - colours.shift[c];
    }
  }
}

}  // namespace rv::workers
