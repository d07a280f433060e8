#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rv::workers {

/// Small images in memory: count × height × width × channels bytes, and one label each.
struct ImageSet {
  int height = 0, width = 0, channels = 0, classes = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels;
  std::size_t count() const { return labels.size(); }
};

/// Reads the training set of `mode` (fashion_mnist, cifar10, cifar100) in its published form: train-images-idx3-ubyte
/// and train-labels-idx1-ubyte, plain or with .gz; data_batch_1.bin to data_batch_5.bin, or data_batch_1 to
/// data_batch_5 of the Python archive; train.bin, or train. The files are searched for in the folder and in the folder
/// that unpacking the published archive creates there. With `check`, a published archive beside them must have its
/// published MD5. Throws std::runtime_error that names the file and where to get it.
ImageSet read_images(const std::string& mode, const std::filesystem::path& folder, bool check = true);

}  // namespace rv::workers
