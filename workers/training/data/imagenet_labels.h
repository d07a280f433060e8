#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rv::workers {

/// For messages: the files that contain the labels of ImageNet's validation images.
inline constexpr auto labels_files_text =
    "LOC_val_solution.csv (Kaggle), val.txt (Caffe's, \"FILE NUMBER\") or ILSVRC2012_validation_ground_truth.txt (of "
    "ILSVRC2012_devkit_t12.tar.gz)";

/// The first of these files in `folder`, in one of the four folders above it (Kaggle's archive has it that far from its
/// images), or in a folder ILSVRC2012_devkit_t12/data of these; empty: none.
std::filesystem::path labels_file(const std::filesystem::path& folder);

struct Labels {
  std::vector<int> labels;  ///< label of each image
  int classes = 0;          ///< number of classes in the whole list
};
/// Throws std::runtime_error that names the file and the line, or the image that is missing in the list.
Labels read_labels(const std::filesystem::path& file, const std::vector<std::string>& images);

}  // namespace rv::workers
