// How fast rv-train's reader of ImageNet is, beside libjpeg-turbo alone in as many threads: images a second by threads,
// what the one thread that feeds the learner costs, and where one image's time goes.
// usage: read_images [FOLDER]   a folder with ImageNet's images; without one, 256 JPEGs of 500 × 375 that are made for
// it
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "tests/base/temporary_folder.h"
#include "tests/workers/pictures.h"
#include "workers/devices/processor_time.h"
#include "workers/devices/stopping.h"
#include "workers/training/data/data_source.h"
#include "workers/training/data/imagenet_files.h"
#include "workers/training/pictures/picture.h"

using namespace rv;
using namespace rv::workers;

namespace {

constexpr int rounds = 5;

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

/// Some of the folder's files in memory.
std::vector<std::string> contents(const std::filesystem::path& folder) {
  const auto files = imagenet_files(folder);
  const auto count = std::min<std::size_t>(files.names.size(), 256);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    std::ifstream stream(files.folder / files.names[i * (files.names.size() / count)], std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return all;
}

struct Rate {
  double per_second = 0;
  /// Of a processor, for 1,000 images: all threads', and those of the thread that feeds.
  double seconds = 0, feeding_seconds = 0;
};

/// The limit: these threads do nothing else but decode.
Rate decoded(const std::vector<std::string>& files, int threads) {
  std::atomic<std::size_t> next = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto used = processor_seconds_of_all_threads();
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) {
    all.emplace_back([&] {
      while (seconds_since(begin) < 1) decode_picture(files[next++ % files.size()], 512);
    });
  }
  for (auto& thread : all) thread.join();
  const auto images = static_cast<double>(next);
  return {images / seconds_since(begin), (processor_seconds_of_all_threads() - used) / images * 1000};
}

/// The batches as they come to a learner with two slots. The copy that one for a GPU makes of each is not in it.
Rate fed(DataRequest request, int threads) {
  request.threads = threads;
  const auto source = data_source(request);
  Batch slots[2];
  std::int64_t step = 0;
  const auto load = [&] {
    slots[step % 2] = source->batch(step);
    ++step;
  };
  // All places are there, and what was read ahead is used up.
  while (step < 10) load();
  const auto begin = std::chrono::steady_clock::now();
  const auto used = processor_seconds_of_all_threads(), feeding = processor_seconds();
  int images = 0;
  for (; seconds_since(begin) < 1; images += request.count) load();
  const auto seconds = seconds_since(begin);
  return {images / seconds, (processor_seconds_of_all_threads() - used) / images * 1000,
          (processor_seconds() - feeding) / images * 1000};
}

void compare(const DataRequest& request, const std::vector<std::string>& files, int threads) {
  std::vector<double> limits, rates, ratios, decoding, whole, feeding;
  // In turns, since others may use the machine.
  for (int round = 0; round < rounds; ++round) {
    const auto limit = decoded(files, threads), feed = fed(request, threads);
    limits.push_back(limit.per_second);
    rates.push_back(feed.per_second);
    ratios.push_back(feed.per_second / limit.per_second);
    decoding.push_back(limit.seconds);
    whole.push_back(feed.seconds);
    feeding.push_back(feed.feeding_seconds);
  }
  fmt::print("| {} | {:.0f} | {:.0f} | {:.2f} | {:.2f} | {:.2f} | {:.4f} |\n", threads, median(limits), median(rates),
             median(ratios), median(decoding), median(whole), median(feeding));
}

void one_image(const std::vector<std::string>& files) {
  std::vector<float> crop(std::size_t{224} * 224 * 3);
  double decoding = 0, cropping = 0, bytes = 0;
  for (const auto& file : files) {
    bytes += static_cast<double>(file.size());
    const auto begin = processor_seconds();
    const auto picture = decode_picture(file, 512);
    const auto middle = processor_seconds();
    crop_picture(picture, {256, 224}, crop.data());
    decoding += middle - begin;
    cropping += processor_seconds() - middle;
  }
  const auto n = static_cast<double>(files.size());
  fmt::print(
      "{} images of {:.0f} kB each on average; of a processor, one takes {:.2f} ms to decode and {:.2f} ms to crop\n",
      files.size(), bytes / n / 1e3, decoding / n * 1e3, cropping / n * 1e3);
}

void measure(const std::filesystem::path& folder) {
  const auto files = contents(folder);
  one_image(files);
  fmt::print(
      "| threads | decoding alone, images/s | whole feed, images/s | ratio | decoding alone, s of a processor for "
      "1,000 | "
      "whole feed, the same | of it the feeding thread |\n| --- | --- | --- | --- | --- | --- | --- |\n");
  const DataRequest request{"imagenet", folder, 64, 1 << 20, 224, 0, 0, 1, 42};
  const auto processors = static_cast<int>(std::thread::hardware_concurrency());
  for (int threads = 1;; threads = std::min(2 * threads, processors)) {
    compare(request, files, threads);
    if (threads >= processors) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1) {
      measure(argv[1]);
      return 0;
    }
    const TemporaryFolder made;
    for (unsigned int i = 0; i < 256; ++i) made.write(fmt::format("n0/{}.JPEG", i), photograph(i));
    measure(made.path());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "read_images: {}\n", error.what());
    return 1;
  }
}
