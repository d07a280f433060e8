#include "workers/training/data/data_source.h"

#include <fmt/format.h>

#include <stdexcept>

namespace rv::workers {

std::unique_ptr<DataSource> data_source(const DataRequest& request) {
  if (request.mode == "synthetic") return synthetic_data(request);
  if (request.mode == "imagenet") return imagenet_data(request);
  if (request.mode == "batches") return file_batches(request);
  for (const auto* const mode : {"fashion_mnist", "cifar10", "cifar100"}) {
    if (request.mode == mode) return image_data(request);
  }
  throw std::runtime_error(fmt::format("unknown data mode {}", request.mode));
}

}  // namespace rv::workers
