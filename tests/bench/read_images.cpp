// Images a second that rv-train's reader of ImageNet decodes, by threads, and where one image's time goes.
// usage: read_images [FOLDER]   a folder with ImageNet's images; without one, 256 JPEGs of 500 × 375 that are made for
// it
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "tests/base/temporary_folder.h"
#include "tests/workers/pictures.h"
#include "workers/devices/processor_time.h"
#include "workers/training/data/data_source.h"
#include "workers/training/data/imagenet_files.h"
#include "workers/training/data/picture.h"

using namespace rv;
using namespace rv::workers;

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// About as large and as rough as a photograph of the set: 500 × 375, some 100 kB.
std::string photograph(unsigned int seed) {
  auto state = seed * 2654435761U + 1;
  return tests::jpeg(
      500, 375, 3,
      [&](int x, int y) {
        state = state * 1664525U + 1013904223U;
        const int grain = static_cast<int>(state >> 27);
        const auto wave = [&](double a, double b) {
          return static_cast<int>(100 + 70 * std::sin(x * a + seed) * std::cos(y * b)) + grain;
        };
        return tests::Colour{wave(0.05, 0.09), wave(0.11, 0.03), wave(0.02, 0.2), 0};
      },
      94);
}

double images_per_second(const std::filesystem::path& folder, int threads) {
  DataRequest request{"imagenet", folder, 64, 1 << 20, 224, 0, 0, 1, 42};
  request.threads = threads;
  const auto source = data_source(request);
  source->batch(0);
  const auto begin = std::chrono::steady_clock::now();
  int steps = 0;
  while (seconds_since(begin) < 3) source->batch(++steps);
  return 64 * steps / seconds_since(begin);
}

void one_image(const std::filesystem::path& folder) {
  const auto files = imagenet_files(folder);
  std::vector<float> crop(std::size_t{224} * 224 * 3);
  double decoding = 0, cropping = 0, bytes = 0;
  const auto count = std::min<std::size_t>(files.names.size(), 200);
  for (std::size_t i = 0; i < count; ++i) {
    std::ifstream stream(files.folder / files.names[i * (files.names.size() / count)], std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(stream), {}};
    bytes += static_cast<double>(file.size());
    const auto begin = processor_seconds();
    const auto picture = decode_picture(file, 512);
    const auto middle = processor_seconds();
    crop_picture(picture, 256, 224, crop.data());
    decoding += middle - begin;
    cropping += processor_seconds() - middle;
  }
  const auto n = static_cast<double>(count);
  fmt::print(
      "{} images of {:.0f} kB each on average; of a processor, one takes {:.2f} ms to decode and {:.2f} ms to crop\n",
      count, bytes / n / 1e3, decoding / n * 1e3, cropping / n * 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  const TemporaryFolder made;
  std::filesystem::path folder = made.path();
  if (argc > 1) {
    folder = argv[1];
  } else {
    for (unsigned int i = 0; i < 256; ++i) made.write(fmt::format("n0/{}.JPEG", i), photograph(i));
  }
  one_image(folder);
  fmt::print("threads   images/s   a thread\n");
  const auto processors = static_cast<int>(std::thread::hardware_concurrency());
  for (int threads = 1;; threads = std::min(2 * threads, processors)) {
    const auto rate = images_per_second(folder, threads);
    fmt::print("{:7}{:11.0f}{:11.0f}\n", threads, rate, rate / threads);
    if (threads >= processors) return 0;
  }
}
