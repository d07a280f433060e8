#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rv::workers {

/// Images in files, and what each shows.
struct LabelledFiles {
  std::filesystem::path folder;
  std::vector<std::string> names;  ///< below the folder
  std::vector<int> labels;
  int classes = 0;
};

/// ImageNet's validation images as people have them, in `data` itself, in `data`/val, or where Kaggle's archive puts
/// them (`data`/ILSVRC/Data/CLS-LOC/val); any other set in the first of these forms does as well:
/// - a folder for each class (n01440764/ILSVRC2012_val_00000293.JPEG), the classes numbered in the order of their
/// names;
/// - all in one folder, as ILSVRC2012_img_val.tar has them, with one of these where labels_file looks:
///   LOC_val_solution.csv (Kaggle: "ImageId,WNID …", numbered in the order of the WNIDs), val.txt (Caffe: "FILE
///   NUMBER"), ILSVRC2012_validation_ground_truth.txt (the development kit: in line k the ILSVRC2012_ID, from 1, of
///   image k; numbered by that).
/// Files with .jpeg, .jpg or .png, in large letters or small, count. The order is the same on every machine.
/// Throws std::runtime_error that says what is missing and where to get it.
LabelledFiles imagenet_files(const std::filesystem::path& data);

}  // namespace rv::workers
