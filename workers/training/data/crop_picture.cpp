#include <algorithm>
#include <cmath>

#include "workers/training/data/picture.h"

namespace rv::workers {
namespace {

constexpr float means[] = {0.485F, 0.456F, 0.406F}, deviations[] = {0.229F, 0.224F, 0.225F};

/// Of which pixels a new one is made, and how much of each.
struct Mix {
  std::size_t first = 0;
  std::vector<float> weights;
};

/// A tent over each new pixel, as wide as it is on the old ones, or as two old ones if that is more.
std::vector<Mix> mixes(std::size_t extent, std::size_t resized, std::size_t begin, std::size_t count) {
  const double scale = static_cast<double>(extent) / static_cast<double>(resized), width = std::max(scale, 1.0);
  std::vector<Mix> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double centre = (static_cast<double>(begin + i) + 0.5) * scale;
    const auto first = static_cast<std::size_t>(std::max(0.0, centre - width + 0.5));
    const auto end = std::min(extent, static_cast<std::size_t>(centre + width + 0.5));
    all[i].first = first;
    double sum = 0;
    for (auto pixel = first; pixel < end; ++pixel) {
      const double weight = std::max(0.0, 1 - std::abs((static_cast<double>(pixel) + 0.5 - centre) / width));
      all[i].weights.push_back(static_cast<float>(weight));
      sum += weight;
    }
    for (auto& weight : all[i].weights) weight = static_cast<float>(weight / sum);
  }
  return all;
}

void mix_row(const std::uint8_t* from, const std::vector<Mix>& columns, float* to) {
  for (const auto& mix : columns) {
    float red = 0, green = 0, blue = 0;
    const auto* pixel = from + 3 * mix.first;
    for (const auto weight : mix.weights) {
      red += weight * static_cast<float>(pixel[0]);
      green += weight * static_cast<float>(pixel[1]);
      blue += weight * static_cast<float>(pixel[2]);
      pixel += 3;
    }
    to[0] = red;
    to[1] = green;
    to[2] = blue;
    to += 3;
  }
}

}  // namespace

void crop_picture(const Picture& picture, int shorter, int size, float* to) {
  const auto least = std::min(picture.width, picture.height), side = static_cast<std::size_t>(size);
  // torchvision's arithmetic: the longer side is rounded down, and half a pixel of margin to the even number.
  const auto resized = [&](std::size_t extent) { return static_cast<std::size_t>(shorter) * extent / least; };
  const auto margin = [&](std::size_t extent) {
    return static_cast<std::size_t>(std::nearbyint(static_cast<double>(extent - side) / 2));
  };
  const auto width = resized(picture.width), height = resized(picture.height);
  const auto columns = mixes(picture.width, width, margin(width), side);
  const auto rows = mixes(picture.height, height, margin(height), side);
  const auto first = rows.front().first, end = rows.back().first + rows.back().weights.size();
  const auto line = side * 3;
  std::vector<float> narrow((end - first) * line);
  for (auto row = first; row < end; ++row) {
    mix_row(picture.pixels.data() + row * picture.width * 3, columns, narrow.data() + (row - first) * line);
  }
  std::vector<float> scales(line), shifts(line);
  for (std::size_t i = 0; i < line; ++i) {
    scales[i] = 1 / (255 * deviations[i % 3]);
    shifts[i] = means[i % 3] / deviations[i % 3];
  }
  for (const auto& mix : rows) {
    std::fill(to, to + line, 0.0F);
    const float* from = narrow.data() + (mix.first - first) * line;
    for (const auto weight : mix.weights) {
      for (std::size_t i = 0; i < line; ++i) to[i] += weight * from[i];
      from += line;
    }
    for (std::size_t i = 0; i < line; ++i) to[i] = to[i] * scales[i] - shifts[i];
    to += line;
  }
}

}  // namespace rv::workers
