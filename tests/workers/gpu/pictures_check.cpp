// ImageNet's images as a GPU draws them (nvJPEG and the kernel that crops), beside the host's: by how much they differ,
// whether threads and repeats give the same bits, what is refused, and how many a second are drawn by threads.
// usage: pictures_check; prints a line for each, exits 1 if one is off, 77 if nvJPEG can't be had (the kernel is looked
// at all the same). pictures_check make FOLDER COUNT: leaves so many JPEGs there, in two classes.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/workers/made_photographs.h"
#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/kernels/crop_kernels.h"
#include "workers/training/pictures/picture_reader.h"

using namespace rv::tests;
using namespace rv::workers;

namespace {

constexpr Crop crop{256, 224};
constexpr int most_threads = 16;

int failed = 0;

void judge(bool right, const std::string& line) {
  if (!right) ++failed;
  fmt::print("{}{}\n", line, right ? "" : "  NOT OK");
  std::fflush(stdout);
}

std::vector<float> read(const float* from, std::size_t count) {
  std::vector<float> all(count);
  cuda_call(cudaMemcpy(all.data(), from, count * sizeof(float), cudaMemcpyDeviceToHost), "read");
  return all;
}

/// So that what nobody draws is seen; before anything on another stream.
void poison(const DeviceMemory& place, std::size_t count) {
  cuda_call(cudaMemset(place.as(), 0xff, count * sizeof(float)), "poison");
  cuda_call(cudaDeviceSynchronize(), "poison");
}

/// In colours of 0 to 255.
struct Distance {
  double most = 0, mean = 0;
};

Distance distance(const std::vector<float>& one, const std::vector<float>& other) {
  Distance d;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double off = std::abs(static_cast<double>(one[i]) - static_cast<double>(other[i])) * 255 *
                       static_cast<double>(colour_deviations[i % 3]);
    // A number that is none is as far as can be.
    d.most = off <= d.most ? d.most : std::isfinite(off) ? off : 1e9;
    d.mean += (std::isfinite(off) ? off : 1e9) / static_cast<double>(one.size());
  }
  return d;
}

/// The kernel on pixels of no JPEG: bit for bit the host's.
void check_kernel() {
  auto state = 1U;
  for (const auto& [width, height, shorter, size] : {std::array{500, 375, 256, 224},
                                                     {375, 500, 256, 224},
                                                     {61, 47, 256, 224},
                                                     {1, 300, 64, 56},
                                                     {1440, 1450, 9, 8},
                                                     {97, 13, 13, 8},
                                                     {224, 224, 224, 224}}) {
    const Crop wanted{shorter, size};
    Picture picture{static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}};
    for (int i = 0; i < width * height * 3; ++i) {
      state = state * 1664525U + 1013904223U;
      picture.pixels.push_back(static_cast<std::uint8_t>(state >> 24));
    }
    std::vector<float> expected(wanted.floats());
    crop_picture(picture, wanted, expected.data());
    const DeviceMemory pixels(picture.pixels.size()), place(wanted.floats() * sizeof(float));
    cuda_call(cudaMemcpy(pixels.as(), picture.pixels.data(), picture.pixels.size(), cudaMemcpyHostToDevice), "put");
    poison(place, wanted.floats());
    const auto axes = wanted.axes(picture.width, picture.height);
    crop_pixels(pixels.as<std::uint8_t>(), width, axes[0], axes[1], size, place.as<float>(), nullptr);
    cuda_call(cudaGetLastError(), "launch a kernel");
    cuda_call(cudaDeviceSynchronize(), "crop");
    const auto got = read(place.as<float>(), wanted.floats());
    const auto d = distance(expected, got);
    const bool same = std::memcmp(expected.data(), got.data(), got.size() * sizeof(float)) == 0;
    judge(d.most < 1e-3, fmt::format("kernel {}x{} to {}: most {:.2g}{}", width, height, size, d.most,
                                     same ? ", the same bits" : ", other bits"));
  }
}

struct Case {
  std::string name, bytes;
  GpuDecoding least =
      GpuDecoding::none;      ///< who must decode it, or a better one; which picture the engines take is theirs
  double most = 0, mean = 0;  ///< how far it may be from the host's, in colours of 0 to 255
};

std::vector<Case> cases() {
  const auto smooth = [](int x, int y) { return Colour{(40 + 2 * x) % 256, (200 + y) % 256, (60 + x + y) % 256, 255}; };
  constexpr auto hybrid = GpuDecoding::hybrid;
  // The two transforms round otherwise; chroma between its samples is rounded once more.
  constexpr double most = 3, mean = 0.5, chroma_most = 10, chroma_mean = 1;
  std::vector<Case> all{
      {"4:4:4", photograph(1, 500, 375, {94, false, 1, 1}), hybrid, most, mean},
      {"4:2:2", photograph(2, 500, 375, {94, false, 2, 1}), hybrid, chroma_most, chroma_mean},
      {"4:2:0", photograph(3), GpuDecoding::engines, chroma_most, chroma_mean},
      {"4:2:0, quality 60", photograph(4, 500, 375, {60}), hybrid, chroma_most, chroma_mean},
      {"4:2:0, restarts", photograph(5, 500, 375, {94, false, 2, 2, 8}), hybrid, chroma_most, chroma_mean},
      {"grey", jpeg(500, 375, 1, smooth), hybrid, most, mean},
      {"progressive 4:2:0", photograph(6, 500, 375, {94, true}), hybrid, chroma_most, chroma_mean},
      {"progressive 4:4:4", photograph(7, 500, 375, {94, true, 1, 1}), hybrid, most, mean},
      {"progressive grey", jpeg(500, 375, 1, smooth, 94, true), hybrid, most, mean},
      {"odd 499x333 4:2:0", photograph(8, 499, 333), hybrid, chroma_most, chroma_mean},
      {"odd 501x377 4:2:2", photograph(9, 501, 377, {94, false, 2, 1}), hybrid, chroma_most, chroma_mean},
      {"tall 333x999 4:2:0", photograph(10, 333, 999), hybrid, chroma_most, chroma_mean},
      {"small 61x47 4:2:0", jpeg(61, 47, 3, smooth), hybrid, chroma_most, chroma_mean},
      {"tiny 17x9 4:4:4", photograph(11, 17, 9, {94, false, 1, 1}), hybrid, most, mean},
      {"tiny 1x1 4:4:4", photograph(12, 1, 1, {94, false, 1, 1}), GpuDecoding::none, most, mean},
      // The host decodes it at a half, the GPU reads all pixels.
      {"1300x1100 4:2:0", photograph(13, 1300, 1100), hybrid, 30, 4},
      {"padding before its end", "", GpuDecoding::none, chroma_most, chroma_mean},
      {"1500x1450, too large", photograph(14, 1500, 1450), GpuDecoding::none, 0, 0},
      {"4:4:0", photograph(15, 500, 375, {94, false, 1, 2}), GpuDecoding::none, 0, 0},
      {"red, green and blue", photograph(16, 500, 375, {94, false, 1, 1, 0, true}), GpuDecoding::none, 0, 0},
      {"inks", jpeg(300, 200, 4, smooth), GpuDecoding::none, 0, 0},
      {"PNG", png(300, 200, smooth), GpuDecoding::none, 0, 0}};
  for (auto& one : all) {
    if (!one.bytes.empty()) continue;
    one.bytes = photograph(17);
    one.bytes.insert(one.bytes.size() - 2, "\x01\x02\x03");
  }
  return all;
}

const char* name_of(GpuDecoding way) {
  return way == GpuDecoding::engines ? "engines" : way == GpuDecoding::hybrid ? "hybrid" : "host";
}

GpuDecoding way_of(const DecodedPictures& before, const DecodedPictures& after) {
  if (after.engines > before.engines) return GpuDecoding::engines;
  return after.nvjpeg > before.nvjpeg ? GpuDecoding::hybrid : GpuDecoding::none;
}

/// `has_engines`: else what they would decode is expected of the hybrid way.
void check_pictures(const std::shared_ptr<GpuDecoder>& decoder, bool has_engines) {
  PictureReader gpu(crop, decoder), host(crop);
  const DeviceMemory place(crop.floats() * sizeof(float));
  for (const auto& one : cases()) {
    std::vector<float> expected(crop.floats());
    try {
      host.draw(one.bytes, expected.data());
      poison(place, crop.floats());
      const auto before = gpu.decoded();
      gpu.draw(one.bytes, place.as<float>());
      const auto way = way_of(before, gpu.decoded());
      const auto d = distance(expected, read(place.as<float>(), crop.floats()));
      const auto least = one.least == GpuDecoding::engines && !has_engines ? GpuDecoding::hybrid : one.least;
      const auto jpeg = plain_jpeg(one.bytes);
      const bool asked = jpeg && jpeg->width * jpeg->height <= most_gpu_pixels;
      judge(d.most <= one.most && d.mean <= one.mean && way >= least,
            fmt::format("{:24} by {:8} most {:7.3f} of {:2}, mean {:6.3f} of {:3}  [{}]", one.name, name_of(way),
                        d.most, one.most, d.mean, one.mean, asked ? decoder->last() : "not asked"));
    } catch (const std::exception& error) {
      judge(false, fmt::format("{}: {}  [{}]", one.name, error.what(), decoder->last()));
    }
  }
}

std::string refusal(PictureReader& reader, const std::string& bytes, float* to) {
  try {
    reader.draw(bytes, to);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

void check_damaged(const std::shared_ptr<GpuDecoder>& decoder) {
  PictureReader gpu(crop, decoder), host(crop);
  const DeviceMemory place(crop.floats() * sizeof(float));
  std::vector<float> image(crop.floats());
  for (const auto& kind : {JpegKind{94}, {94, true}}) {
    const auto whole = photograph(20, 500, 375, kind);
    for (const std::size_t length : {whole.size() - 2, whole.size() - 500, whole.size() / 2, std::size_t{400}}) {
      const auto cut = whole.substr(0, length);
      const auto said = refusal(gpu, cut, place.as<float>());
      judge(said == refusal(host, cut, image.data()) && said.starts_with("is damaged or cut off ("),
            fmt::format("cut off to {} of {} bytes: {}", length, whole.size(), said));
    }
    // Damage within the compressed data: reported, not judged, but the decoder must continue afterwards.
    for (const std::size_t gone : {1U, 100U, 20000U}) {
      auto damaged = whole;
      damaged.erase(damaged.size() / 2, gone);
      const auto on_host = refusal(host, damaged, image.data());
      const auto on_gpu = refusal(gpu, damaged, place.as<float>());
      fmt::print("{} bytes lost of {}: host: {}; GPU: {}  [{}]\n", gone, whole.size(),
                 on_host.empty() ? "nothing noticed" : on_host, on_gpu.empty() ? "nothing noticed" : on_gpu,
                 decoder->last());
    }
    const auto said = refusal(gpu, whole, place.as<float>());
    judge(said.empty(),
          fmt::format("a sound one after them: {}  [{}]", said.empty() ? "drawn" : said, decoder->last()));
  }
}

/// All files by these threads, each file in its place.
void draw_all(const std::vector<std::string>& files, std::vector<std::unique_ptr<PictureReader>>& readers, int threads,
              float* to) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> all;
  std::vector<std::string> errors(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      try {
        for (auto i = next++; i < files.size(); i = next++) {
          readers[static_cast<std::size_t>(t)]->draw(files[i], to + i * crop.floats());
        }
      } catch (const std::exception& error) {
        errors[static_cast<std::size_t>(t)] = error.what();
      }
    });
  }
  for (auto& thread : all) thread.join();
  for (const auto& error : errors) {
    if (!error.empty()) throw std::runtime_error(error);
  }
}

std::vector<std::unique_ptr<PictureReader>> readers_by(const std::vector<std::shared_ptr<GpuDecoder>>& decoders) {
  std::vector<std::unique_ptr<PictureReader>> readers;
  for (const auto& decoder : decoders) readers.push_back(std::make_unique<PictureReader>(crop, decoder));
  return readers;
}

void check_threads(const std::vector<std::shared_ptr<GpuDecoder>>& decoders) {
  std::vector<std::string> files;
  for (unsigned int i = 0; i < 64; ++i) {
    files.push_back(photograph(100 + i, static_cast<int>(300 + 7 * i), static_cast<int>(600 - 5 * i),
                               {90, i % 8 == 7, i % 3 == 0 ? 1 : 2, i % 3 == 2 ? 2 : 1}));
  }
  auto readers = readers_by(decoders);
  const DeviceMemory place(files.size() * crop.floats() * sizeof(float));
  const auto drawn = [&](int threads) {
    poison(place, files.size() * crop.floats());
    draw_all(files, readers, threads, place.as<float>());
    return read(place.as<float>(), files.size() * crop.floats());
  };
  const auto once = drawn(1), again = drawn(1);
  judge(std::memcmp(once.data(), again.data(), once.size() * sizeof(float)) == 0,
        "the same bits when the same files are drawn again");
  for (int time = 0; time < 3; ++time) {
    const auto together = drawn(static_cast<int>(decoders.size()));
    judge(std::memcmp(once.data(), together.data(), once.size() * sizeof(float)) == 0,
          fmt::format("the same bits by {} threads (most off {:.3g})", decoders.size(), distance(once, together).most));
  }
}

double per_second(const std::vector<std::string>& files, std::vector<std::unique_ptr<PictureReader>>& readers,
                  int threads, float* to) {
  draw_all(files, readers, threads, to);
  const auto begin = std::chrono::steady_clock::now();
  double seconds = 0;
  std::size_t images = 0;
  while (seconds < 2) {
    draw_all(files, readers, threads, to);
    images += files.size();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return static_cast<double>(images) / seconds;
}

/// `hybrid`: as many, without JPEG engines.
void time_all(const std::vector<std::shared_ptr<GpuDecoder>>& decoders,
              const std::vector<std::shared_ptr<GpuDecoder>>& hybrid) {
  std::vector<std::string> files;
  for (unsigned int i = 0; i < 256; ++i) files.push_back(photograph(i));
  auto gpu = readers_by(decoders), without_engines = readers_by(hybrid);
  auto host = readers_by(std::vector<std::shared_ptr<GpuDecoder>>(decoders.size()));
  const DeviceMemory place(files.size() * crop.floats() * sizeof(float));
  std::vector<float> image(files.size() * crop.floats());
  fmt::print("images/s of 500x375 ({} kB) | threads | libjpeg-turbo | nvJPEG | nvJPEG without engines\n",
             files[0].size() / 1000);
  for (const int threads : {1, 4, most_threads}) {
    const auto by_host = per_second(files, host, threads, image.data());
    const auto by_gpu = per_second(files, gpu, threads, place.as<float>());
    const auto by_hybrid = per_second(files, without_engines, threads, place.as<float>());
    fmt::print("images/s | {} | {:.0f} | {:.0f} | {:.0f}\n", threads, by_host, by_gpu, by_hybrid);
    std::fflush(stdout);
  }
  DecodedPictures all;
  for (const auto& reader : gpu) {
    all.engines += reader->decoded().engines;
    all.nvjpeg += reader->decoded().nvjpeg;
    all.host += reader->decoded().host;
  }
  fmt::print("of these by nvJPEG {}, of which by engines {}; by the host {}\n", all.nvjpeg, all.engines, all.host);
}

std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  cuda_call(cudaMemGetInfo(&free, &total), "ask for free memory");
  return free;
}

int check() {
  int gpus = 0;
  if (const auto status = cudaGetDeviceCount(&gpus); status != cudaSuccess || gpus == 0) {
    fmt::print("SKIPPED: no GPU: {}\n", cudaGetErrorString(status));
    return 77;
  }
  check_kernel();
  const auto before = free_memory();
  GpuDecoders decoders;
  try {
    decoders = nvjpeg_decoders(most_threads);
  } catch (const std::exception& error) {
    fmt::print("SKIPPED: nvJPEG can't be had: {}\n", error.what());
    return failed > 0 ? 1 : 77;
  }
  const bool has_engines = decoders.library.find(", with ") != std::string::npos;
  fmt::print("{}\n{} decoders take {:.1f} MiB of the GPU's memory when made\n", decoders.library, most_threads,
             static_cast<double>(before - std::min(before, free_memory())) / 1048576);
  check_pictures(decoders.all[0], has_engines);
  check_threads(decoders.all);
  const auto taken = before - std::min(before, free_memory());
  judge(taken < most_threads * gpu_decoder_bytes + (std::size_t{1} << 30),
        fmt::format("they take {:.1f} MiB after that; {:.1f} are counted, and 1024 for libraries",
                    static_cast<double>(taken) / 1048576,
                    static_cast<double>(most_threads * gpu_decoder_bytes) / 1048576));
  const auto hybrid = nvjpeg_decoders(most_threads, false);
  if (has_engines) {
    fmt::print("{}\n", hybrid.library);
    check_pictures(hybrid.all[0], false);
  }
  time_all(decoders.all, hybrid.all);
  // Last, since what it does to the library is least known.
  check_damaged(decoders.all[0]);
  fmt::print("{}\n", failed > 0 ? fmt::format("{} are NOT OK", failed) : "all as expected");
  return failed > 0 ? 1 : 0;
}

void make(const std::filesystem::path& folder, unsigned int count) {
  for (unsigned int i = 0; i < count; ++i) {
    const auto place = folder / (i % 2 == 0 ? "n01440764" : "n01443537");
    std::filesystem::create_directories(place);
    const auto bytes = photograph(i % 2 == 0 ? 0 : i, 500, 375, {94, i % 16 == 15});
    std::ofstream(place / fmt::format("ILSVRC2012_val_{:08}.JPEG", i), std::ios::binary) << bytes;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 4 && std::string(argv[1]) == "make") {
      make(argv[2], static_cast<unsigned int>(std::stoul(argv[3])));
      return 0;
    }
    return check();
  } catch (const std::exception& error) {
    fmt::print("pictures_check: {}\n", error.what());
    return 1;
  }
}
