#include "workers/training/data/published_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "workers/system/regular_file.h"
#include "workers/training/data/md5.h"

namespace rv::workers {
namespace {

// MD5s: https://www.cs.toronto.edu/~kriz/cifar.html, and the README of
// https://github.com/zalandoresearch/fashion-mnist. Lengths: Content-Length of the servers.
constexpr PublishedFile files[] = {
    {"cifar-10-binary.tar.gz", 170052171, "c32a1d4ab5d03f1284b67883e8d87530"},
    {"cifar-10-python.tar.gz", 170498071, "c58f30108f718f92721af3b95e74349a"},
    {"cifar-100-binary.tar.gz", 168513733, "03b5dce01913d631647c71ecec9e9cb8"},
    {"cifar-100-python.tar.gz", 169001437, "eb9058c3a382ffc7106e4002c42a8d85"},
    {"train-images-idx3-ubyte.gz", 26421880, "8d4fb7e6c68d591d4c3dfef9ec88bf0d"},
    {"train-labels-idx1-ubyte.gz", 29515, "25c81989df183df01b3e8a0aad5dffbe"},
};

/// The MD5 of a file; empty if it is shorter than its length.
std::string md5_of(const std::filesystem::path& file) {
  const RegularFile opened(file);
  Md5 sum;
  std::string part;
  for (std::uint64_t at = 0; at < opened.bytes(); at += part.size()) {
    part.resize(std::min<std::uint64_t>(std::size_t{1} << 20, opened.bytes() - at));
    if (!opened.read(at, part.data(), part.size())) return "";
    sum.add(part);
  }
  return sum.digest();
}

}  // namespace

const PublishedFile* published(std::string_view name) {
  const auto* const found = std::find_if(std::begin(files), std::end(files), [&](auto& f) { return f.name == name; });
  return found == std::end(files) ? nullptr : found;
}

void check_published(const std::filesystem::path& file) {
  const auto* const known = published(file.filename().string());
  std::error_code error;
  if (known == nullptr || std::filesystem::file_size(file, error) != known->bytes || error) return;
  std::string sum;
  try {
    sum = md5_of(file);
  } catch (const std::runtime_error&) {
    return;
  }
  if (sum.empty() || sum == known->md5) return;
  throw std::runtime_error(
      fmt::format("{} is damaged: its MD5 is {} instead of the published {}, so what was unpacked from it may be "
                  "damaged too; download it again and unpack it, or move it away to use what is there unchecked",
                  file.string(), sum, known->md5));
}

std::string archive_advice(const std::filesystem::path& folder, const std::string& name) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(folder / name, error);
  if (error) return "";
  const auto* const known = published(name);
  if (known != nullptr && bytes != known->bytes) {
    return fmt::format("{} has {} bytes instead of the published {}: download it again", (folder / name).string(),
                       bytes, known->bytes);
  }
  check_published(folder / name);
  return fmt::format("{} is still packed: unpack it with tar xf", (folder / name).string());
}

}  // namespace rv::workers
