#include <algorithm>

#include "workers/training/data/data_source.h"
#include "workers/training/data/epoch_order.h"
#include "workers/training/data/image_files.h"

namespace rv::workers {
namespace {

/// A set of small images in memory.
class ImageData : public DataSource {
 public:
  ImageData(const DataRequest& request, ImageSet set)
      : request_(request), set_(std::move(set)), order_(request, set_.count()) {
    check_request(request, set_.classes);
  }

  Batch batch(std::int64_t step) override {
    const auto size = static_cast<std::size_t>(request_.image_size);
    const auto samples = order_.samples(step);
    Batch batch;
    batch.values = place(samples.size() * size * size * 3);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      draw(samples[i], batch.values.data() + i * size * size * 3);
      batch.labels.push_back(set_.labels[samples[i]]);
    }
    return batch;
  }

 private:
  /// Resizes an image bilinearly to the requested size; grey becomes three equal colours, bytes become about -1 to 1.
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
  EpochOrder order_;
};

}  // namespace

std::unique_ptr<DataSource> image_data(const DataRequest& request) {
  return std::make_unique<ImageData>(request, read_images(request.mode, request.folder, request.rank == 0));
}

}  // namespace rv::workers
