// How fast rv-train's reader of ImageNet is, beside libjpeg-turbo alone in as many threads: images a second by threads,
// what the one thread that feeds the learner costs, and where one image's time goes.
// usage: read_images [--nvjpeg] [FOLDER]   a folder with ImageNet's images; without one, 256 JPEGs of 500 × 375 that
// are made for it. --nvjpeg: the feed on the first GPU, by nvJPEG, beside that by libjpeg-turbo.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "tests/base/temporary_folder.h"
#include "tests/workers/made_photographs.h"
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
  DecodedPictures decoded = {};  ///< from the beginning on
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

/// The batches as they come to a learner with two slots. The copy that one for a GPU makes of each is not in it, where
/// they are made in the host's memory.
Rate fed(DataRequest request, int threads) {
  request.threads = threads;
  const auto source = data_source(request);
  if (!request.gpu_decoders.empty()) source->lie_in(BatchMemory(gpu_floats));
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
          (processor_seconds() - feeding) / images * 1000, source->decoded()};
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

DataRequest request_of(const std::filesystem::path& folder) {
  return {"imagenet", folder, 64, 1 << 20, 224, 0, 0, 1, 42};
}

/// With 1, 2, 4 … of them, and all.
void with_threads(const std::function<void(int threads)>& call) {
  const auto processors = static_cast<int>(std::thread::hardware_concurrency());
  for (int threads = 1;; threads = std::min(2 * threads, processors)) {
    call(threads);
    if (threads >= processors) return;
  }
}

void measure(const std::filesystem::path& folder) {
  const auto files = contents(folder);
  one_image(files);
  fmt::print(
      "| threads | decoding alone, images/s | whole feed, images/s | ratio | decoding alone, s of a processor for "
      "1,000 | "
      "whole feed, the same | of it the feeding thread |\n| --- | --- | --- | --- | --- | --- | --- |\n");
  with_threads([&](int threads) { compare(request_of(folder), files, threads); });
}

void measure_nvjpeg(const std::filesystem::path& folder) {
  const auto decoders = nvjpeg_decoders(static_cast<int>(std::thread::hardware_concurrency()));
  fmt::print("{}\n", decoders.library);
  fmt::print(
      "| threads | feed by libjpeg-turbo, images/s | by nvJPEG, images/s | ratio | s of a processor for 1,000 | by "
      "nvJPEG | by JPEG engines | by the host |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  with_threads([&](int threads) {
    const auto plain = request_of(folder);
    auto request = plain;
    request.gpu_decoders.assign(decoders.all.begin(), decoders.all.begin() + threads);
    std::vector<double> host, gpu, ratios, host_seconds, gpu_seconds;
    DecodedPictures decoded;
    for (int round = 0; round < rounds; ++round) {
      const auto one = fed(plain, threads), other = fed(request, threads);
      host.push_back(one.per_second);
      gpu.push_back(other.per_second);
      ratios.push_back(other.per_second / one.per_second);
      host_seconds.push_back(one.seconds);
      gpu_seconds.push_back(other.seconds);
      decoded = other.decoded;
    }
    const auto all = static_cast<double>(decoded.host + decoded.nvjpeg);
    fmt::print("| {} | {:.0f} | {:.0f} | {:.2f} | {:.2f} | {:.2f} | {:.0f} % | {:.0f} % |\n", threads, median(host),
               median(gpu), median(ratios), median(host_seconds), median(gpu_seconds),
               100 * static_cast<double>(decoded.engines) / all, 100 * static_cast<double>(decoded.host) / all);
    std::fflush(stdout);
  });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bool nvjpeg = argc > 1 && std::string(argv[1]) == "--nvjpeg";
    auto* const call = nvjpeg ? measure_nvjpeg : measure;
    if (argc > (nvjpeg ? 2 : 1)) {
      call(argv[argc - 1]);
      return 0;
    }
    const TemporaryFolder made;
    for (unsigned int i = 0; i < 256; ++i) made.write(fmt::format("n0/{}.JPEG", i), tests::photograph(i));
    call(made.path());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "read_images: {}\n", error.what());
    return 1;
  }
}
