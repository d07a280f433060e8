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
    const auto first = static_cast<std::size_t>(std::lround(std::max(0.0, centre - width)));
    const auto end = std::min(extent, static_cast<std::size_t>(std::lround(centre + width)));
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

/// A line of the picture that is as high as the crop: whole lines are what the processor adds up fastest.
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
  const auto begin = columns.front().first, end = columns.back().first + columns.back().weights.size();
  std::vector<float> line((end - begin) * 3);
  float scales[3], shifts[3];
  for (std::size_t c = 0; c < 3; ++c) {
    scales[c] = 1 / (255 * deviations[c]);
    shifts[c] = means[c] / deviations[c];
  }
  for (const auto& mix : rows) {
    mix_lines(picture, mix, begin, line);
    mix_columns(line.data(), columns, begin, to);
    for (std::size_t x = 0; x < side; ++x, to += 3) {
      for (std::size_t c = 0; c < 3; ++c) to[c] = to[c] * scales[c] - shifts[c];
    }
  }
}

}  // namespace rv::workers
