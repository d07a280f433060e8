#include "workers/training/data/imagenet_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "shared/number.h"
#include "workers/system/regular_file.h"

namespace rv::workers {
namespace {

using std::filesystem::path;
using Known = std::unordered_map<std::string, int>;

/// ImageNet's list of 1.3 million images has 40 MB.
constexpr std::uint64_t largest_list = std::uint64_t{256} << 20;
constexpr auto kaggle = "LOC_val_solution.csv", caffe = "val.txt", kit = "ILSVRC2012_validation_ground_truth.txt";

std::optional<int> number(std::string_view text, int least) {
  return number_in<int>(text, least, 1 << 20);
}

/// Calls `take` for each line; it returns false if the line is malformed. Accepts Windows' line ends.
void each_line(const path& file, const std::function<bool(std::size_t, std::string_view)>& take) {
  const auto text = read_regular_file(file, largest_list);
  std::size_t count = 0;
  for (std::string_view left = text; !left.empty();) {
    auto line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    ++count;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (take(count, line)) continue;
    throw std::runtime_error(fmt::format("{}, line {}: \"{}\" does not give the class of an image", file.string(),
                                         count, line.substr(0, 80)));
  }
}

/// Lines "ILSVRC2012_val_00048981,n03995372 85 1 499 272" after a header line.
Known read_kaggle(const path& file) {
  std::map<std::string, std::string> synsets;
  std::set<std::string> order;
  each_line(file, [&](std::size_t count, std::string_view line) {
    if (count == 1 && line.starts_with("ImageId,")) return true;
    const auto comma = line.find(',');
    if (comma == std::string_view::npos || comma == 0) return false;
    const auto synset = line.substr(comma + 1, line.find(' ', comma) - comma - 1);
    if (synset.empty()) return false;
    order.emplace(synset);
    return synsets.emplace(std::string(line.substr(0, comma)) + ".JPEG", synset).second;
  });
  Known known;
  for (const auto& [image, synset] : synsets) {
    known[image] = static_cast<int>(std::distance(order.begin(), order.find(synset)));
  }
  return known;
}

/// Lines "ILSVRC2012_val_00000001.JPEG 65".
Known read_caffe(const path& file) {
  Known known;
  each_line(file, [&](std::size_t, std::string_view line) {
    const auto space = line.rfind(' ');
    if (space == std::string_view::npos || space == 0) return false;
    const auto label = number(line.substr(space + 1), 0);
    return label && known.emplace(line.substr(0, space), *label).second;
  });
  return known;
}

/// Line k is the ILSVRC2012_ID of image k.
Known read_kit(const path& file) {
  Known known;
  each_line(file, [&](std::size_t count, std::string_view line) {
    const auto label = number(line, 1);
    if (label) known[fmt::format("ILSVRC2012_val_{:08}.JPEG", count)] = *label - 1;
    return label.has_value();
  });
  return known;
}

}  // namespace

path labels_file(const path& folder) {
  auto place = folder;
  for (int above = 0; above < 5; ++above) {
    for (const auto* const name : {kaggle, caffe, kit}) {
      for (const auto& file : {place / name, place / "ILSVRC2012_devkit_t12" / "data" / name}) {
        std::error_code error;
        if (std::filesystem::is_regular_file(file, error)) return file;
      }
    }
    place = (place / "..").lexically_normal();
  }
  return {};
}

Labels read_labels(const path& file, const std::vector<std::string>& images) {
  const auto name = file.filename();
  const auto known = name == kaggle ? read_kaggle(file) : name == caffe ? read_caffe(file) : read_kit(file);
  Labels labels;
  for (const auto& [image, label] : known) labels.classes = std::max(labels.classes, label + 1);
  for (const auto& image : images) {
    const auto found = known.find(image);
    if (found == known.end()) {
      throw std::runtime_error(fmt::format("{} does not list {}: move one of them away", file.string(), image));
    }
    labels.labels.push_back(found->second);
  }
  return labels;
}

}  // namespace rv::workers
