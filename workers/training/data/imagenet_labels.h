#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rv::workers {

/// For people: the files that say what ImageNet's validation images show.
inline constexpr auto labels_files_text =
    "LOC_val_solution.csv (Kaggle), val.txt (Caffe's, \"FILE NUMBER\") or ILSVRC2012_validation_ground_truth.txt (of "
    "ILSVRC2012_devkit_t12.tar.gz)";

/// The first of them in `folder`, in one of the four above it (so far is Kaggle's from its images), or in an
/// ILSVRC2012_devkit_t12/data there; empty: none.
std::filesystem::path labels_file(const std::filesystem::path& folder);

struct Labels {
  std::vector<int> labels;  ///< of each image
  int classes = 0;          ///< of the whole list
};
/// Throws std::runtime_error that names the file and the line, or the image that the list lacks.
Labels read_labels(const std::filesystem::path& file, const std::vector<std::string>& images);

}  // namespace rv::workers
