#include "workers/training/data/image_files.h"

#include <fmt/format.h>

#include <stdexcept>

#include "workers/system/checked_product.h"
#include "workers/system/regular_file.h"
#include "workers/training/data/cifar_pickle.h"
#include "workers/training/data/gzip.h"
#include "workers/training/data/published_files.h"

namespace rv::workers {
namespace {

using std::filesystem::path;

/// The maximum unpacked size of a file: the largest set of EMNIST, 697,932 images of 28 × 28, has 522 MiB. DEFLATE
/// packs up to 1,032 bytes into one, so that a small file could fill a node's memory.
constexpr std::size_t most_unpacked = std::size_t{1} << 30;

constexpr auto fashion_source = "https://github.com/zalandoresearch/fashion-mnist";
constexpr auto cifar_source = "https://www.cs.toronto.edu/~kriz/cifar.html (the binary version)";

/// The first of these folders that has the file; empty: none.
path found(const std::vector<path>& folders, const std::vector<std::string>& names) {
  std::error_code error;
  for (const auto& folder : folders) {
    for (const auto& name : names) {
      if (std::filesystem::is_regular_file(folder / name, error)) return folder / name;
    }
  }
  return {};
}

std::runtime_error missing(const path& file, const char* source) {
  return std::runtime_error(
      fmt::format("{} is missing; download it from {} and unpack it there, or give its folder with --data-dir",
                  file.string(), source));
}

path find(const std::vector<path>& folders, const std::vector<std::string>& names, const char* source) {
  auto file = found(folders, names);
  if (file.empty()) throw missing(folders.front() / names.front(), source);
  return file;
}

std::string text_of(const path& file, std::size_t most = most_unpacked) {
  auto bytes = read_regular_file(file, most);
  if (file.extension() != ".gz") return bytes;
  try {
    return gunzip(bytes, most_unpacked);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{} {}", file.string(), error.what()));
  }
}

std::runtime_error wrong(const path& file, const std::string& what, const char* source) {
  return std::runtime_error(fmt::format("{} {}; download it again from {}", file.string(), what, source));
}

/// The bytes of an IDX file of unsigned bytes, and its dimensions.
struct Idx {
  std::vector<int> extents;
  std::vector<std::uint8_t> bytes;
};
Idx read_idx(const path& file, std::size_t dimensions) {
  const auto raw = text_of(file);
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(raw[i]); };
  const auto header = 4 + 4 * dimensions;
  if (raw.size() < header || at(0) != 0 || at(1) != 0 || at(2) != 8 || at(3) != dimensions) {
    throw wrong(file, fmt::format("is not an IDX file of bytes in {} dimensions", dimensions), fashion_source);
  }
  Idx idx;
  std::uint64_t count = 1;
  bool fits = true;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto first = 4 + 4 * d;
    const auto extent = std::uint32_t{at(first)} << 24 | std::uint32_t{at(first + 1)} << 16 |
                        std::uint32_t{at(first + 2)} << 8 | at(first + 3);
    if (extent == 0 || extent > 1U << 24) throw wrong(file, "has invalid dimensions", fashion_source);
    idx.extents.push_back(static_cast<int>(extent));
    const auto product = checked_product({count, extent});
    fits = fits && product;
    count = product.value_or(0);
  }
  if (!fits) throw wrong(file, "has dimensions whose product overflows 64 bits", fashion_source);
  if (raw.size() - header != count) {
    throw wrong(file, fmt::format("has {} bytes instead of {}", raw.size() - header, count), fashion_source);
  }
  idx.bytes.assign(raw.begin() + static_cast<std::ptrdiff_t>(header), raw.end());
  return idx;
}

ImageSet fashion(const path& folder, bool check) {
  const std::vector<path> folders{folder, folder / "FashionMNIST" / "raw", folder / "fashion"};
  const auto either = [](const std::string& name) { return std::vector<std::string>{name + ".gz", name}; };
  const auto images_file = find(folders, either("train-images-idx3-ubyte"), fashion_source);
  const auto labels_file = find(folders, either("train-labels-idx1-ubyte"), fashion_source);
  for (const auto& file : {images_file, labels_file}) {
    if (check) check_published(file);
  }
  auto images = read_idx(images_file, 3), labels = read_idx(labels_file, 1);
  if (images.extents[0] != labels.extents[0]) {
    throw wrong(labels_file, fmt::format("has {} labels for {} images", labels.extents[0], images.extents[0]),
                fashion_source);
  }
  return {images.extents[1], images.extents[2], 1, 10, std::move(images.bytes), std::move(labels.bytes)};
}

/// Records of labels and 32 × 32 pixels, one colour after another.
void read_cifar(const path& file, std::size_t labels, ImageSet& into) {
  constexpr std::size_t pixels = std::size_t{32} * 32;
  const auto raw = text_of(file);
  const auto record = labels + 3 * pixels;
  if (raw.empty() || raw.size() % record != 0) {
    throw wrong(file, fmt::format("has {} bytes, which is not a multiple of {}", raw.size(), record), cifar_source);
  }
  for (std::size_t first = 0; first < raw.size(); first += record) {
    // the last label, which is the fine one if there are two
    into.labels.push_back(static_cast<std::uint8_t>(raw[first + labels - 1]));
    for (std::size_t p = 0; p < pixels; ++p) {
      for (std::size_t c = 0; c < 3; ++c) {
        into.pixels.push_back(static_cast<std::uint8_t>(raw[first + labels + c * pixels + p]));
      }
    }
  }
}

/// Reads a file of the Python archive.
void read_pickled(const path& file, const char* labels, ImageSet& into) {
  // The published files have at most 150 MiB.
  const auto raw = text_of(file, std::size_t{1} << 28);
  try {
    add_pickled(raw, labels, into);
  } catch (const std::runtime_error& fault) {
    throw wrong(file, fault.what(), cifar_source);
  }
}

/// One of CIFAR's two sets, and the names in its archives: first the binary one, then the Python one.
struct Cifar {
  int classes;
  std::size_t labels;  ///< number of label bytes before a record's pixels
  const char* key;     ///< key of the pickled labels
  const char* archives[2];
  const char* folders[2];
};
constexpr Cifar cifar_10{10,
                         1,
                         "labels",
                         {"cifar-10-binary.tar.gz", "cifar-10-python.tar.gz"},
                         {"cifar-10-batches-bin", "cifar-10-batches-py"}};
constexpr Cifar cifar_100{100,
                          2,
                          "fine_labels",
                          {"cifar-100-binary.tar.gz", "cifar-100-python.tar.gz"},
                          {"cifar-100-binary", "cifar-100-python"}};

/// The error for a missing file: if the packed archive is there, the hint is to unpack it.
std::runtime_error not_there(const path& folder, const path& file, const Cifar& names) {
  for (const auto* const archive : names.archives) {
    const auto advice = archive_advice(folder, archive);
    if (!advice.empty()) return std::runtime_error(fmt::format("{} is missing; {}", file.string(), advice));
  }
  return missing(file, cifar_source);
}

ImageSet cifar(const path& folder, const Cifar& names, const std::vector<std::string>& parts, bool check) {
  const auto file_of = [&](const std::string& part, int kind) {
    return found({folder, folder / names.folders[kind]}, {kind == 0 ? part + ".bin" : part});
  };
  const int kind = file_of(parts.front(), 0).empty() && !file_of(parts.front(), 1).empty() ? 1 : 0;
  // Beside the unpacked folder, or inside it.
  for (const auto& place : {folder, folder / ".."}) {
    if (check) check_published((place / names.archives[kind]).lexically_normal());
  }
  ImageSet set{32, 32, 3, names.classes, {}, {}};
  for (const auto& part : parts) {
    const auto file = file_of(part, kind);
    if (file.empty()) throw not_there(folder, folder / (kind == 0 ? part + ".bin" : part), names);
    if (kind == 0) {
      read_cifar(file, names.labels, set);
    } else {
      read_pickled(file, names.key, set);
    }
  }
  return set;
}

}  // namespace

ImageSet read_images(const std::string& mode, const path& folder, bool check) {
  auto set = mode == "fashion_mnist" ? fashion(folder, check)
             : mode == "cifar100"
                 ? cifar(folder, cifar_100, {"train"}, check)
                 : cifar(folder, cifar_10,
                         {"data_batch_1", "data_batch_2", "data_batch_3", "data_batch_4", "data_batch_5"}, check);
  for (std::size_t i = 0; i < set.labels.size(); ++i) {
    if (set.labels[i] < set.classes) continue;
    throw std::runtime_error(fmt::format("{}: sample {} has label {}, but there are {} classes", folder.string(), i,
                                         set.labels[i], set.classes));
  }
  return set;
}

}  // namespace rv::workers
