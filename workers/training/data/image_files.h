#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rv::workers {

/// Small images in memory: count × height × width × channels bytes, and a label for each.
struct ImageSet {
  int height = 0, width = 0, channels = 0, classes = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels;
  std::size_t count() const { return labels.size(); }
};

/// The training set of `mode` (fashion_mnist, cifar10, cifar100) as it is published: train-images-idx3-ubyte and
/// train-labels-idx1-ubyte, as they are or with .gz; data_batch_1.bin and on, or data_batch_1 and on of the Python
/// archive; train.bin, or train. They are looked for in the folder and in the one that the published archive makes
/// there. With `check`, a published archive beside them is held to its MD5. Throws std::runtime_error that names the
/// file and says where to get it.
ImageSet read_images(const std::string& mode, const std::filesystem::path& folder, bool check = true);

}  // namespace rv::workers
