#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <stdexcept>

#include "workers/devices/out_of_memory.h"
#include "workers/system/regular_file.h"
#include "workers/training/data/data_source.h"
#include "workers/training/data/epoch_order.h"
#include "workers/training/data/imagenet_files.h"
#include "workers/training/data/read_ahead.h"
#include "workers/training/pictures/picture.h"
#include "workers/training/pictures/picture_reader.h"

namespace rv::workers {
namespace {

constexpr std::uint64_t largest_image = std::uint64_t{1} << 30;

std::string bytes_of(const std::filesystem::path& file) {
  try {
    return read_regular_file(file, largest_image);
  } catch (const std::runtime_error&) {
    throw std::runtime_error(fmt::format("can't be read, or is not a file of at most {} bytes", largest_image));
  }
}

/// Resizes to 256 for 224, as is usual when evaluating ResNets.
Crop crop_to(int size) {
  return {static_cast<int>(std::lround(size * 256 / 224.0)), size};
}

/// Images of files, decoded by threads some steps ahead.
class ImageNet : public DataSource {
 public:
  ImageNet(const DataRequest& request, LabelledFiles files)
      : files_(std::move(files)), order_(request, files_.names.size()), crop_(crop_to(request.image_size)) {
    check_request(request, files_.classes);
    for (int i = 0; i < request.threads; ++i) {
      readers_.emplace_back(
          crop_, request.gpu_decoders.empty() ? nullptr : request.gpu_decoders.at(static_cast<std::size_t>(i)));
    }
    reader_.emplace(ReadAhead::Work{crop_.floats(), [this](auto step) { return order_.samples(step); },
                                    [this](auto sample) { return files_.labels[sample]; },
                                    [this](auto sample, float* to, int thread) { draw(sample, to, thread); },
                                    [this](auto count) { return place(count); }},
                    request.threads, batches_ahead);
  }

  Batch batch(std::int64_t step) override { return reader_->take(step); }
  std::optional<ReadFigures> figures() const override { return reader_->figures(); }
  DecodedPictures decoded() const override {
    DecodedPictures all;
    for (const auto& reader : readers_) {
      const auto one = reader.decoded();
      all.host += one.host;
      all.nvjpeg += one.nvjpeg;
      all.engines += one.engines;
    }
    return all;
  }

 private:
  /// One being trained on, one being copied, and one that the threads decode.
  static constexpr int batches_ahead = 3;

  void draw(std::size_t sample, float* to, int thread) {
    const auto file = files_.folder / files_.names[sample];
    try {
      readers_[static_cast<std::size_t>(thread)].draw(bytes_of(file), to);
    } catch (const OutOfMemory&) {
      throw;
    } catch (const GpuDecoderFault& fault) {
      throw std::runtime_error(fmt::format("{}, at {}; --decoder host works without it", fault.what(), file.string()));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(fmt::format(
          "{} {}; unpack it again from the archive, or move it away to train without it", file.string(), error.what()));
    }
  }

  LabelledFiles files_;
  EpochOrder order_;
  Crop crop_;
  std::deque<PictureReader> readers_;  // one per thread
  std::optional<ReadAhead> reader_;    // last member: its threads use the others
};

}  // namespace

std::unique_ptr<DataSource> imagenet_data(const DataRequest& request) {
  if (!can_decode()) {
    throw std::runtime_error(
        "this rv-train was built without libjpeg-turbo and libpng, so it can't read ImageNet; build it with "
        "libjpeg62-turbo-dev and libpng-dev");
  }
  return std::make_unique<ImageNet>(request, imagenet_files(request.folder));
}

}  // namespace rv::workers
