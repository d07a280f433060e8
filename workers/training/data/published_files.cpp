#include "workers/training/data/published_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "workers/training/data/md5.h"

namespace rv::workers {
namespace {

// MD5s: https://www.cs.toronto.edu/~kriz/cifar.html, and the README of
// https://github.com/zalandoresearch/fashion-mnist. Lengths: what the servers of these files say.
constexpr PublishedFile files[] = {
    {"cifar-10-binary.tar.gz", 170052171, "c32a1d4ab5d03f1284b67883e8d87530"},
    {"cifar-10-python.tar.gz", 170498071, "c58f30108f718f92721af3b95e74349a"},
    {"cifar-100-binary.tar.gz", 168513733, "03b5dce01913d631647c71ecec9e9cb8"},
    {"cifar-100-python.tar.gz", 169001437, "eb9058c3a382ffc7106e4002c42a8d85"},
    {"train-images-idx3-ubyte.gz", 26421880, "8d4fb7e6c68d591d4c3dfef9ec88bf0d"},
    {"train-labels-idx1-ubyte.gz", 29515, "25c81989df183df01b3e8a0aad5dffbe"},
};

std::string md5_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  Md5 sum;
  std::string part(std::size_t{1} << 20, '\0');
  while (stream.read(part.data(), static_cast<std::streamsize>(part.size())) || stream.gcount() > 0) {
    sum.add(std::string_view(part).substr(0, static_cast<std::size_t>(stream.gcount())));
  }
  return stream.bad() || !stream.eof() ? "" : sum.digest();
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
  const auto sum = md5_of(file);
  if (sum.empty() || sum == known->md5) return;
  throw std::runtime_error(
      fmt::format("{} is damaged: its MD5 is {} in place of the published {}, so what was unpacked from it may be "
                  "damaged too; get it anew, unpack it again, or move it away to use what is there unchecked",
                  file.string(), sum, known->md5));
}

std::string archive_advice(const std::filesystem::path& folder, const std::string& name) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(folder / name, error);
  if (error) return "";
  const auto* const known = published(name);
  if (known != nullptr && bytes != known->bytes) {
    return fmt::format("{} lies there with {} bytes in place of the published {}: get it anew",
                       (folder / name).string(), bytes, known->bytes);
  }
  check_published(folder / name);
  return fmt::format("{} lies there: unpack it with tar xf", (folder / name).string());
}

}  // namespace rv::workers
