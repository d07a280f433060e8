#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "workers/devices/random_input.h"
#include "workers/training/data/data_source.h"
#include "workers/training/data/image_files.h"

namespace rv::workers {
namespace {

/// Images of a set, each once an epoch, in an order of that epoch's; ranks take turns, so no two have the same.
class ImageData : public DataSource {
 public:
  ImageData(const DataRequest& request, ImageSet set) : request_(request), set_(std::move(set)) {
    if (request.sequence > 0) throw std::runtime_error(fmt::format("{} has no words for a transformer", request.mode));
    if (request.classes < set_.classes) {
      throw std::runtime_error(
          fmt::format("{} has {} classes; --num-classes {} are too few", request.mode, set_.classes, request.classes));
    }
    const auto whole = static_cast<std::size_t>(request.count) * static_cast<std::size_t>(request.world);
    if (whole > set_.count()) {
      throw std::runtime_error(
          fmt::format("{} has {} samples, and a step of all ranks takes {}", request.mode, set_.count(), whole));
    }
    // What is left of an epoch and fills no step is left out, so that every step has its full count.
    per_epoch_ = static_cast<std::int64_t>(set_.count() / whole);
  }

  Batch batch(std::int64_t step) override {
    const auto epoch = step / per_epoch_;
    if (epoch != ordered_epoch_) order(epoch);
    const auto count = static_cast<std::size_t>(request_.count), size = static_cast<std::size_t>(request_.image_size);
    Batch batch;
    batch.values.resize(count * size * size * 3);
    for (std::size_t i = 0; i < count; ++i) {
      const auto place =
          (static_cast<std::size_t>(step % per_epoch_) * count + i) * static_cast<std::size_t>(request_.world) +
          static_cast<std::size_t>(request_.rank);
      draw(order_[place], batch.values.data() + i * size * size * 3);
      batch.labels.push_back(set_.labels[order_[place]]);
    }
    return batch;
  }

 private:
  /// Fisher and Yates' shuffle, the same on every rank.
  void order(std::int64_t epoch) {
    order_.resize(set_.count());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto key = scramble(scramble(request_.seed + 0xe9) ^ static_cast<std::uint64_t>(epoch));
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[scramble(key + i) % i]);
    ordered_epoch_ = epoch;
  }

  /// Bilinear to the size that is asked for; grey becomes three equal colours; bytes become about -1 to 1.
  void draw(std::size_t sample, float* to) const {
    const auto h = static_cast<std::size_t>(set_.height), w = static_cast<std::size_t>(set_.width);
    const auto channels = static_cast<std::size_t>(set_.channels), size = static_cast<std::size_t>(request_.image_size);
    const auto* const from = set_.pixels.data() + sample * h * w * channels;
    const auto place = [size](std::size_t i, std::size_t extent) {
      const double at = (static_cast<double>(i) + 0.5) * static_cast<double>(extent) / static_cast<double>(size) - 0.5;
      return std::clamp(at, 0.0, static_cast<double>(extent - 1));
    };
    for (std::size_t i = 0; i < size; ++i) {
      const double y = place(i, h);
      const auto top = static_cast<std::size_t>(y), bottom = std::min(top + 1, h - 1);
      const double down = y - static_cast<double>(top);
      for (std::size_t j = 0; j < size; ++j) {
        const double x = place(j, w);
        const auto left = static_cast<std::size_t>(x), right = std::min(left + 1, w - 1);
        const double across = x - static_cast<double>(left);
        for (std::size_t c = 0; c < 3; ++c) {
          const auto pixel = [&](std::size_t r, std::size_t s) {
            return static_cast<double>(from[(r * w + s) * channels + c % channels]);
          };
          const double above = pixel(top, left) * (1 - across) + pixel(top, right) * across;
          const double below = pixel(bottom, left) * (1 - across) + pixel(bottom, right) * across;
          to[(i * size + j) * 3 + c] = static_cast<float>((above * (1 - down) + below * down) / 127.5 - 1);
        }
      }
    }
  }

  DataRequest request_;
  ImageSet set_;
  std::int64_t per_epoch_ = 0, ordered_epoch_ = -1;
  std::vector<std::size_t> order_;
};

}  // namespace

std::unique_ptr<DataSource> image_data(const DataRequest& request) {
  return std::make_unique<ImageData>(request, read_images(request.mode, request.folder));
}

}  // namespace rv::workers
