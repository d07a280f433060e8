#include "workers/training/pictures/plain_jpeg.h"

#include <doctest/doctest.h>

#include <random>
#include <stdexcept>

#include "tests/workers/pictures.h"
#include "workers/training/pictures/picture.h"

using namespace rv::tests;
using namespace rv::workers;

namespace {

Colour smooth(int x, int y) {
  return {40 + 2 * x, 200 - 2 * y, 60 + x + y, 255};
}

std::string made(const JpegKind& kind, int channels = 3) {
  return jpeg(61, 47, channels, smooth, kind);
}

bool decodes(const std::string& bytes) {
  try {
    decode_picture(bytes, 1000);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("a JPEG that all decoders read alike has its size, its end, and whether it is baseline") {
  for (const auto& kind : {JpegKind{}, {95, false, 1, 1}, {95, false, 2, 1}, {95, false, 2, 2, 3}}) {
    const auto bytes = made(kind);
    const auto found = plain_jpeg(bytes);
    REQUIRE(found);
    CHECK(found->width == 61);
    CHECK(found->height == 47);
    CHECK(found->baseline);
    CHECK(found->bytes == bytes.size());
  }
  const auto grey = plain_jpeg(made({}, 1));
  REQUIRE(grey);
  CHECK(grey->baseline);
  const auto progressive = plain_jpeg(made({95, true}));
  REQUIRE(progressive);
  CHECK(!progressive->baseline);
}

TEST_CASE("a JPEG that is cut off anywhere is not whole, and bytes behind its end are no part of it") {
  for (const auto& bytes : {made({}), made({95, true}), made({}, 1), made({95, false, 2, 2, 3})}) {
    for (std::size_t length = 0; length < bytes.size(); ++length) REQUIRE(!plain_jpeg(bytes.substr(0, length)));
    auto longer = bytes;
    longer += std::string(100, '\0') + "\xff\xd8 another";
    const auto found = plain_jpeg(longer);
    REQUIRE(found);
    CHECK(found->bytes == bytes.size());
    // Padding before the end is not damage, as for the host's decoder.
    auto padded = bytes;
    padded.insert(padded.size() - 2, "\x01\x02\x03");
    CHECK(plain_jpeg(padded));
    CHECK(decodes(padded));
  }
}

TEST_CASE("what decoders may differ in, or cannot read, is left to libjpeg-turbo") {
  CHECK(!plain_jpeg(""));
  CHECK(!plain_jpeg(png(61, 47, smooth)));
  CHECK(!plain_jpeg(made({}, 4)));
  for (const auto& kind : {JpegKind{95, false, 1, 2}, {95, false, 4, 1}, {95, false, 1, 1, 0, true}}) {
    const auto bytes = made(kind);
    CHECK(decodes(bytes));
    CHECK(!plain_jpeg(bytes));
  }
  // That the colours are red, green and blue is said by their names and by Adobe's mark, of which either will do.
  const auto rgb = made({95, false, 1, 1, 0, true});
  auto unnamed = rgb, unmarked = rgb;
  const auto names = rgb.find("\xff\xc0") + 10;
  for (std::size_t colour = 0; colour < 3; ++colour) unnamed[names + 3 * colour] = static_cast<char>(colour + 1);
  unmarked[unmarked.find("Adobe") + 11] = 1;
  CHECK(!plain_jpeg(unnamed));
  CHECK(!plain_jpeg(unmarked));
  JpegKind odd;
  odd.grey_factor = 2;
  CHECK(!plain_jpeg(made(odd, 1)));
  // Arithmetic codes, twelve bits, no height, a lost restart, and garbage between two parts.
  const auto whole = made({95, false, 2, 2, 3});
  const auto frame = whole.find("\xff\xc0");
  const auto changed = [&](std::size_t at, char to) {
    auto bytes = whole;
    bytes[at] = to;
    return bytes;
  };
  REQUIRE(plain_jpeg(changed(frame + 1, '\xc1')));
  CHECK(!plain_jpeg(changed(frame + 1, '\xc9')));
  CHECK(!plain_jpeg(changed(frame + 4, 12)));
  auto flat = whole;
  flat[frame + 5] = flat[frame + 6] = 0;
  CHECK(!plain_jpeg(flat));
  const auto restart = whole.find("\xff\xd1");
  REQUIRE(restart != std::string::npos);
  CHECK(!plain_jpeg(changed(restart + 1, '\xd2')));
  auto apart = whole;
  apart.insert(frame, "?");
  CHECK(!plain_jpeg(apart));
}

TEST_CASE("of damaged bytes nothing is read beyond their end") {
  std::mt19937 random(5);
  int whole = 0, cut = 0;
  for (const auto& bytes : {made({}), made({95, true}), made({95, false, 2, 2, 3})}) {
    for (int time = 0; time < 2000; ++time) {
      auto damaged = bytes.substr(0, 2 + random() % (bytes.size() - 1));
      for (int changes = 0; changes < 3; ++changes) damaged[random() % damaged.size()] = static_cast<char>(random());
      const auto found = plain_jpeg(damaged);
      ++(found ? whole : cut);
      if (found) CHECK(found->bytes <= damaged.size());
    }
  }
  CHECK(cut > 1000);
}
