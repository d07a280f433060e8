#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rv::workers {

/// Image files and their labels.
struct LabelledFiles {
  std::filesystem::path folder;
  std::vector<std::string> names;  ///< relative to the folder
  std::vector<int> labels;
  int classes = 0;
};

/// Finds ImageNet's validation images in `data`, in `data`/val, or in the folder of Kaggle's archive
/// (`data`/ILSVRC/Data/CLS-LOC/val), in one of two forms:
/// - A folder per class (n01440764/ILSVRC2012_val_00000293.JPEG). Classes are numbered in the order of their names. Any
///   other set of images in this form works too.
/// - All images in one folder, as in ILSVRC2012_img_val.tar, with a file of labels that labels_file() finds:
///   LOC_val_solution.csv (Kaggle: "ImageId,WNID …", numbered in the order of the WNIDs), val.txt (Caffe: "FILE
///   NUMBER"), or ILSVRC2012_validation_ground_truth.txt (the development kit: line k has the ILSVRC2012_ID of image
///   k, from 1, which is its number).
/// Images are files with .jpeg, .jpg or .png in upper or lower case. Their order is the same on every machine.
/// Throws std::runtime_error that says what is missing and where to get it.
LabelledFiles imagenet_files(const std::filesystem::path& data);

}  // namespace rv::workers
