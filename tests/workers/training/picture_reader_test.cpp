#include "workers/training/pictures/picture_reader.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/base/temporary_folder.h"
#include "tests/workers/error_of.h"
#include "tests/workers/pictures.h"
#include "workers/devices/out_of_memory.h"
#include "workers/training/data/data_source.h"

using namespace rv::tests;
using namespace rv::workers;

namespace {

constexpr Crop crop{32, 28};
/// No crop has these numbers.
constexpr float of_gpu = 100, unset = -100;

Colour smooth(int x, int y) {
  return {40 + 2 * x, 200 - 2 * y, 60 + x + y, 255};
}

/// A GPU of the host's memory, which does as it is instructed.
class FakeGpu : public GpuDecoder {
 public:
  enum class Does { engines, hybrid, nothing, fault, no_memory };
  explicit FakeGpu(Does what) : does(what) {}

  GpuDecoding draw(std::string_view bytes, const PlainJpeg& jpeg, const Crop& size, float* to) override {
    ++asked;
    length = bytes.size();
    extents = {jpeg.width, jpeg.height};
    switch (does) {
      case Does::fault:
        throw GpuDecoderFault("nvJPEG: nvjpegDecodeJpegDevice: EXECUTION_FAILED (6)");
      case Does::no_memory:
        throw OutOfMemory("decode a JPEG by nvJPEG");
      case Does::nothing:
        return GpuDecoding::none;
      default:
        std::fill_n(to, size.floats(), of_gpu);
        return does == Does::engines ? GpuDecoding::engines : GpuDecoding::hybrid;
    }
  }
  void put(std::span<const float> image, float* to) override {
    ++puts;
    std::copy(image.begin(), image.end(), to);
  }

  Does does;
  int asked = 0, puts = 0;
  std::size_t length = 0;
  std::pair<std::size_t, std::size_t> extents;
};

std::vector<float> drawn(PictureReader& reader, const std::string& bytes) {
  std::vector<float> image(crop.floats(), unset);
  reader.draw(bytes, image.data());
  return image;
}

std::vector<float> by_host(const std::string& bytes) {
  PictureReader host(crop);
  return drawn(host, bytes);
}

}  // namespace

TEST_CASE("without a GPU the host decodes all, and counts") {
  PictureReader reader(crop);
  const auto bytes = jpeg(61, 47, 3, smooth);
  std::vector<float> expected(crop.floats());
  crop_picture(decode_picture(bytes, 64), crop, expected.data());
  CHECK(drawn(reader, bytes) == expected);
  CHECK(drawn(reader, png(61, 47, smooth)).front() != unset);
  CHECK(reader.decoded().host == 2);
  CHECK(reader.decoded().nvjpeg == 0);
}

TEST_CASE("a GPU draws whole JPEGs, without what follows them, and is counted by its way") {
  const auto bytes = jpeg(61, 47, 3, smooth);
  for (const auto does : {FakeGpu::Does::engines, FakeGpu::Does::hybrid}) {
    const auto gpu = std::make_shared<FakeGpu>(does);
    PictureReader reader(crop, gpu);
    CHECK(drawn(reader, bytes + "behind its end") == std::vector<float>(crop.floats(), of_gpu));
    CHECK(gpu->length == bytes.size());
    CHECK(gpu->extents == std::pair<std::size_t, std::size_t>{61, 47});
    CHECK(gpu->puts == 0);
    const auto decoded = reader.decoded();
    CHECK(decoded.host == 0);
    CHECK(decoded.nvjpeg == 1);
    CHECK(decoded.engines == (does == FakeGpu::Does::engines ? 1 : 0));
  }
}

TEST_CASE("what is nothing for a GPU is decoded on the host and brought there") {
  const auto refusing = std::make_shared<FakeGpu>(FakeGpu::Does::nothing);
  PictureReader unable(crop, refusing);
  const auto bytes = jpeg(61, 47, 3, smooth);
  CHECK(drawn(unable, bytes) == by_host(bytes));
  CHECK(refusing->asked == 1);
  CHECK(refusing->puts == 1);
  CHECK(unable.decoded().host == 1);

  // These it is not even asked for: inks, a PNG, and one that is large.
  const auto gpu = std::make_shared<FakeGpu>(FakeGpu::Does::engines);
  PictureReader reader(crop, gpu);
  const auto large = jpeg(2100, 1000, 1, [](int x, int) { return Colour{x % 256, 0, 0, 0}; });
  for (const auto& other : {jpeg(61, 47, 4, smooth), png(61, 47, smooth), large}) {
    CHECK(drawn(reader, other) == by_host(other));
  }
  CHECK(gpu->asked == 0);
  CHECK(gpu->puts == 3);
  CHECK(reader.decoded().host == 3);
}

TEST_CASE("a truncated or damaged JPEG is refused with libjpeg-turbo's message, with and without a GPU") {
  const auto whole = jpeg(61, 47, 3, smooth);
  const auto refusal = [](PictureReader& reader, const std::string& bytes) {
    return error_of([&] { drawn(reader, bytes); });
  };
  const auto gpu = std::make_shared<FakeGpu>(FakeGpu::Does::engines);
  PictureReader reader(crop, gpu);
  for (const std::size_t length : {whole.size() - 2, whole.size() / 2, std::size_t{200}, std::size_t{3}}) {
    CHECK(refusal(reader, whole.substr(0, length)).starts_with("is damaged or cut off ("));
  }
  CHECK(refusal(reader, "") == "is empty");
  CHECK(gpu->asked == 0);
  // It is there to its end mark, but of the compressed data there is little.
  auto damaged = whole;
  const auto kept = whole.find("\xff\xda") + 80;
  damaged.erase(kept, whole.size() - 2 - kept);
  for (const auto does : {FakeGpu::Does::nothing, FakeGpu::Does::fault}) {
    const auto asked = std::make_shared<FakeGpu>(does);
    PictureReader other(crop, asked);
    CHECK(refusal(other, damaged).starts_with("is damaged or cut off ("));
    CHECK(asked->asked == 1);
  }
}

TEST_CASE("a GPU that fails at a sound JPEG is not a fault of the file") {
  const auto bytes = jpeg(61, 47, 3, smooth);
  PictureReader broken(crop, std::make_shared<FakeGpu>(FakeGpu::Does::fault));
  CHECK_THROWS_AS(drawn(broken, bytes), GpuDecoderFault);
  PictureReader full(crop, std::make_shared<FakeGpu>(FakeGpu::Does::no_memory));
  CHECK_THROWS_AS(drawn(full, bytes), OutOfMemory);
}

TEST_CASE("ImageNet's images are drawn by each thread's own decoder, and a fault names library and file") {
  const TemporaryFolder folder;
  for (int i = 0; i < 12; ++i) folder.write("n0/" + std::to_string(i) + ".JPEG", jpeg(20, 16, 3, smooth));
  folder.write("n0/11.JPEG", png(20, 16, smooth));
  DataRequest request{"imagenet", folder.path(), 4, 10, 8};
  request.threads = 3;
  for (int i = 0; i < 3; ++i) request.gpu_decoders.push_back(std::make_shared<FakeGpu>(FakeGpu::Does::hybrid));
  const auto source = data_source(request);
  int of_host = 0;
  for (int step = 0; step < 3; ++step) {
    const auto batch = source->batch(step);
    for (std::size_t i = 0; i < 4; ++i) of_host += batch.values[i * 8 * 8 * 3] != of_gpu;
  }
  CHECK(of_host == 1);
  CHECK(source->decoded().host >= 1);
  CHECK(source->decoded().nvjpeg >= 11);
  CHECK(source->decoded().engines == 0);

  for (auto& decoder : request.gpu_decoders) decoder = std::make_shared<FakeGpu>(FakeGpu::Does::fault);
  const auto failing = data_source(request);
  const auto said = error_of([&] { failing->batch(0); });
  CHECK(said.starts_with("nvJPEG: nvjpegDecodeJpegDevice: EXECUTION_FAILED (6), at " + (folder / "n0").string()));
  CHECK(said.ends_with(".JPEG; --decoder host works without it"));
  for (auto& decoder : request.gpu_decoders) decoder = std::make_shared<FakeGpu>(FakeGpu::Does::no_memory);
  const auto full = data_source(request);
  CHECK_THROWS_AS(full->batch(0), OutOfMemory);
}
