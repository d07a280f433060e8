#include "tests/workers/pictures.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "tests/workers/error_of.h"
#include "workers/training/pictures/picture.h"

using namespace rv::tests;
using namespace rv::workers;

namespace {

/// Smooth, so that a JPEG of it is near it.
Colour smooth(int x, int y) {
  return {40 + 2 * x, 200 - 2 * y, 60 + x + y, 255};
}

/// How far the picture is from what was painted, at most.
int distance(const Picture& picture, const Painter& paint) {
  int most = 0;
  for (std::size_t y = 0; y < picture.height; ++y) {
    for (std::size_t x = 0; x < picture.width; ++x) {
      const auto colour = paint(static_cast<int>(x), static_cast<int>(y));
      for (std::size_t c = 0; c < 3; ++c) {
        most = std::max(most, std::abs(colour[c] - int{picture.pixels[(y * picture.width + x) * 3 + c]}));
      }
    }
  }
  return most;
}

std::string refusal(const std::string& bytes) {
  return error_of([&] { decode_picture(bytes, 1000); });
}

/// The definition, pixel by pixel, in double: the tent's share of each old pixel in each new one.
std::vector<double> by_definition(const Picture& picture, int shorter, int size) {
  const auto least = static_cast<int>(std::min(picture.width, picture.height));
  const auto weights = [&](int extent, int place) {
    const int resized = shorter * extent / least;
    const double scale = double(extent) / resized, wide = std::max(1.0, scale);
    const double centre = (place + std::nearbyint((resized - size) / 2.0) + 0.5) * scale;
    std::vector<double> all(static_cast<std::size_t>(extent));
    double sum = 0;
    for (int i = 0; i < extent; ++i) {
      const double weight = std::max(0.0, 1 - std::abs(i + 0.5 - centre) / wide);
      all[static_cast<std::size_t>(i)] = weight;
      sum += weight;
    }
    for (auto& weight : all) weight /= sum;
    return all;
  };
  const double means[] = {0.485, 0.456, 0.406}, deviations[] = {0.229, 0.224, 0.225};
  std::vector<double> all;
  for (int y = 0; y < size; ++y) {
    const auto down = weights(static_cast<int>(picture.height), y);
    for (int x = 0; x < size; ++x) {
      const auto across = weights(static_cast<int>(picture.width), x);
      for (std::size_t c = 0; c < 3; ++c) {
        double sum = 0;
        for (std::size_t i = 0; i < down.size(); ++i) {
          for (std::size_t j = 0; j < across.size(); ++j) {
            sum += down[i] * across[j] * picture.pixels[(i * picture.width + j) * 3 + c];
          }
        }
        all.push_back((sum / 255 - means[c]) / deviations[c]);
      }
    }
  }
  return all;
}

}  // namespace

TEST_CASE("JPEGs in colour and grey, in one pass or many, and a PNG are what was painted") {
  CHECK(distance(decode_picture(jpeg(61, 47, 3, smooth), 1000), smooth) <= 6);
  CHECK(distance(decode_picture(jpeg(61, 47, 3, smooth, 95, true), 1000), smooth) <= 6);
  const auto grey = [](int x, int y) { return Colour{x + 2 * y, x + 2 * y, x + 2 * y, 0}; };
  const auto picture = decode_picture(jpeg(61, 47, 1, grey), 1000);
  CHECK(picture.width == 61);
  CHECK(picture.height == 47);
  CHECK(distance(picture, grey) <= 4);
  const auto half_seen = [](int x, int y) { return Colour{3 * x, 5 * y, 7, 100}; };
  CHECK(distance(decode_picture(png(61, 47, half_seen), 1000), half_seen) == 0);
}

TEST_CASE("inks are stored inverted: each times black is the colour") {
  const auto inks = [](int x, int y) { return Colour{100 + x, 200 - y, 150, 255 - 2 * y}; };
  const auto mixed = [&](int x, int y) {
    const auto ink = inks(x, y);
    return Colour{ink[0] * ink[3] / 255, ink[1] * ink[3] / 255, ink[2] * ink[3] / 255, 0};
  };
  CHECK(distance(decode_picture(jpeg(61, 47, 4, inks), 1000), mixed) <= 6);
}

TEST_CASE("a JPEG is decoded smaller as long as its shorter side is not less than asked for") {
  const auto bytes = jpeg(640, 400, 3, [](int x, int y) { return Colour{x / 4, y / 4, 50, 0}; });
  CHECK(decode_picture(bytes, 201).height == 400);
  CHECK(decode_picture(bytes, 200).height == 200);
  CHECK(decode_picture(bytes, 200).width == 320);
  CHECK(decode_picture(bytes, 50).height == 50);
  CHECK(decode_picture(bytes, 1).height == 50);
}

TEST_CASE("a file that is truncated or not a picture is an error; padding between a JPEG's parts is not damage") {
  const auto whole = jpeg(61, 47, 3, smooth);
  CHECK(refusal("") == "is empty");
  CHECK(refusal("<html>404</html>") == "is neither a JPEG nor a PNG");
  for (const std::size_t length : {whole.size() - 2, whole.size() / 2, std::size_t{200}, std::size_t{3}}) {
    CHECK(refusal(whole.substr(0, length)).starts_with("is damaged or cut off ("));
  }
  const auto many = jpeg(61, 47, 3, smooth, 95, true);
  CHECK(refusal(many.substr(0, many.size() / 2)).starts_with("is damaged or cut off ("));
  CHECK(refusal(png(61, 47, smooth).substr(0, 100)).starts_with("is damaged or cut off ("));
  auto padded = whole;
  padded.insert(padded.size() - 2, "\x01\x02\x03");
  CHECK(distance(decode_picture(padded, 1000), smooth) <= 6);
  auto huge = whole;
  const auto frame = huge.find("\xff\xc0");  // then length (2), precision (1), height (2), width (2)
  huge.replace(frame + 5, 4, "\xf0\x10\xf0\x20");
  CHECK(refusal(huge) == "has 61472 × 61456 pixels, more than any image of the set");
}

TEST_CASE("a JPEG of more scans than any encoder makes is refused, however small it is") {
  const auto whole = jpeg(40, 30, 3, smooth, 95, true);
  // The first scan repeatedly, which is complete by itself.
  const auto first = whole.find("\xff\xda"),
             next = std::min(whole.find("\xff\xc4", first), whole.find("\xff\xda", first + 2));
  REQUIRE(next < whole.size());
  auto many = whole.substr(0, next);
  for (int i = 0; i < 200; ++i) many += whole.substr(first, next - first);
  many += whole.substr(next);
  CHECK(refusal(whole).empty());
  CHECK(refusal(many) == "is damaged or cut off (it has more than 100 scans)");
}

TEST_CASE("a picture whose bytes are damaged is refused or decoded within its bounds") {
  std::mt19937 random(17);
  int refused = 0;
  for (const auto& whole : {jpeg(61, 47, 3, smooth), jpeg(61, 47, 3, smooth, 95, true), png(61, 47, smooth)}) {
    // Behind what says how large it is.
    const auto first = whole.find("\xff\xda") == std::string::npos ? 40 : whole.find("\xff\xda");
    for (int time = 0; time < 400; ++time) {
      auto bytes = whole;
      for (auto changes = 1 + random() % 3; changes > 0; --changes) {
        bytes[first + random() % (bytes.size() - first)] = static_cast<char>(random() % 256);
      }
      try {
        const auto picture = decode_picture(bytes, 1000);
        CHECK(picture.pixels.size() == picture.width * picture.height * 3);
      } catch (const std::runtime_error& error) {
        ++refused;
      }
    }
  }
  CHECK(refused > 300);
}

TEST_CASE("a crop is the definition's, at odd sizes, smaller and larger, wide and tall") {
  std::mt19937 random(3);
  for (const auto& sizes :
       {std::array{61, 47, 32, 28}, {47, 61, 32, 28}, {19, 23, 32, 27}, {40, 40, 40, 40}, {97, 13, 13, 8}}) {
    const int width = sizes[0], height = sizes[1], shorter = sizes[2], size = sizes[3];
    CAPTURE(width);
    Picture picture{static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}};
    for (int i = 0; i < width * height * 3; ++i) picture.pixels.push_back(static_cast<std::uint8_t>(random()));
    std::vector<float> crop(static_cast<std::size_t>(size * size * 3));
    crop_picture(picture, {shorter, size}, crop.data());
    const auto expected = by_definition(picture, shorter, size);
    double most = 0;
    for (std::size_t i = 0; i < crop.size(); ++i) most = std::max(most, std::abs(crop[i] - expected[i]));
    CHECK(most < 1e-5);
  }
}
