#include "workers/training/data/imagenet_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "workers/training/data/imagenet_labels.h"

namespace rv::workers {
namespace {

using std::filesystem::path;

constexpr auto source = "https://www.image-net.org/download.php (ILSVRC2012_img_val.tar)";

bool is_image(const path& file) {
  auto extension = file.extension().string();
  for (auto& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension == ".jpeg" || extension == ".jpg" || extension == ".png";
}

/// The names of a folder's visible folders and images, sorted: the order of readdir differs between disks.
struct Names {
  std::vector<std::string> folders, images;
};
Names names_in(const path& folder) {
  Names names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const auto name = entry->path().filename().string();
    std::error_code unknown;
    if (name.starts_with(".") || name == "lost+found") continue;
    if (is_image(name)) {
      names.images.push_back(name);
    } else if (entry->is_directory(unknown)) {
      names.folders.push_back(name);
    }
  }
  if (error) throw std::runtime_error(fmt::format("cannot read {}: {}", folder.string(), error.message()));
  std::sort(names.folders.begin(), names.folders.end());
  std::sort(names.images.begin(), names.images.end());
  return names;
}

LabelledFiles by_folder(const path& folder, const std::vector<std::string>& classes) {
  LabelledFiles files{folder, {}, {}, static_cast<int>(classes.size())};
  for (std::size_t label = 0; label < classes.size(); ++label) {
    const auto images = names_in(folder / classes[label]).images;
    if (images.empty()) {
      throw std::runtime_error(
          fmt::format("{} has no images, so its class can't be learnt: unpack it again, or move the folder away",
                      (folder / classes[label]).string()));
    }
    for (const auto& image : images) {
      files.names.push_back(classes[label] + "/" + image);
      files.labels.push_back(static_cast<int>(label));
    }
  }
  return files;
}

LabelledFiles by_list(const path& folder, std::vector<std::string> images) {
  const auto list = labels_file(folder);
  if (list.empty()) {
    throw std::runtime_error(
        fmt::format("{} has {} images and no folders by class, but no file with their labels: put {} there, or move "
                    "them into a folder for each class",
                    folder.string(), images.size(), labels_files_text));
  }
  auto labels = read_labels(list, images);
  return {folder, std::move(images), std::move(labels.labels), labels.classes};
}

std::runtime_error none(const path& data) {
  if (std::filesystem::exists(data / "ILSVRC2012_img_val.tar")) {
    const auto tar = (data / "ILSVRC2012_img_val.tar").string();
    return std::runtime_error(fmt::format("{} is still packed: mkdir {} && tar xf {} -C {}, with {} beside it", tar,
                                          (data / "val").string(), tar, (data / "val").string(), labels_files_text));
  }
  if (std::filesystem::is_directory(data / "train")) {
    return std::runtime_error(fmt::format("{0} has no val folder; to train on {1}, use --data-dir {1}", data.string(),
                                          (data / "train").string()));
  }
  return std::runtime_error(fmt::format(
      "{} has no images of ImageNet; download them from {} and unpack them there, or give their folder with --data-dir",
      data.string(), source));
}

}  // namespace

LabelledFiles imagenet_files(const path& data) {
  for (const auto& folder : {data / "val", data / "ILSVRC" / "Data" / "CLS-LOC" / "val", data}) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) continue;
    auto names = names_in(folder);
    if (!names.images.empty()) return by_list(folder, std::move(names.images));
    const auto holds_images = [&](const auto& name) { return !names_in(folder / name).images.empty(); };
    // One folder with images means that all folders are classes, and all must have images.
    if (std::any_of(names.folders.begin(), names.folders.end(), holds_images)) return by_folder(folder, names.folders);
  }
  throw none(data);
}

}  // namespace rv::workers
