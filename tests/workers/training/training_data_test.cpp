#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "tests/base/temporary_folder.h"
#include "tests/workers/counted_memory.h"
#include "workers/training/data/data_source.h"
#include "workers/training/data/gzip.h"
#include "workers/training/data/image_files.h"

using namespace rv;
using namespace rv::workers;

namespace {

std::string number(int value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

/// `count` images of 3 × 2, each of one brightness, which is its label's 20-fold.
std::string idx_images(int count) {
  std::string bytes = std::string("\0\0\x08\x03", 4) + number(count) + number(3) + number(2);
  for (int i = 0; i < count; ++i) bytes += std::string(6, static_cast<char>(i % 10 * 20));
  return bytes;
}
std::string idx_labels(int count) {
  std::string bytes = std::string("\0\0\x08\x01", 4) + number(count);
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(i % 10);
  return bytes;
}

void gzip(const TemporaryFolder& folder, const std::string& name) {
  REQUIRE(std::system(("gzip -9 " + (folder / name).string()).c_str()) == 0);
}

std::string error_of(const std::string& mode, const TemporaryFolder& folder) {
  try {
    read_images(mode, folder.path());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("gzip's own files come back whole, of every kind of block, and damaged ones are found") {
  const TemporaryFolder folder;
  std::string mixed;
  for (int i = 0; i < 70000; ++i) mixed += static_cast<char>(i % 3 == 0 ? (i * 7919) >> 5 : 65 + i % 5);
  std::string noise;
  unsigned int state = 1;
  for (int i = 0; i < 3000; ++i) noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  for (const auto& text : {std::string(), std::string("a"), std::string(1000, 'x'), mixed, noise}) {
    folder.write("t", text);
    gzip(folder, "t");
    std::ifstream file(folder / "t.gz", std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    CHECK(gunzip(bytes, text.size()) == text);
    CHECK_THROWS_WITH(gunzip(std::string_view(bytes).substr(0, bytes.size() - 5), 100000), "is damaged or cut off");
    if (text.size() > 100) {
      bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
      CHECK_THROWS(gunzip(bytes, 100000));
    }
    std::filesystem::remove(folder / "t.gz");
  }
  CHECK_THROWS_WITH(gunzip("hello, world", 100), "is not a gzip file");
}

TEST_CASE("gzip is unpacked up to a limit: a small file can hold a thousand times its size") {
  const TemporaryFolder folder;
  for (const auto& text : {std::string(1000000, 'x'), std::string("not compressible")}) {
    folder.write("t", text);
    gzip(folder, "t");
    std::ifstream file(folder / "t.gz", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    CHECK(gunzip(bytes, text.size()) == text);
    CHECK_THROWS_WITH(gunzip(bytes, text.size() - 1),
                      ("unpacks to more than " + std::to_string(text.size() - 1) + " bytes").c_str());
    std::filesystem::remove(folder / "t.gz");
  }
}

TEST_CASE("extents whose product overflows 64 bits are refused") {
  const TemporaryFolder folder;
  const std::string start("\0\0\x08\x03", 4);
  folder.write("train-labels-idx1-ubyte", std::string("\0\0\x08\x01", 4) + number(65536) + std::string(65536, '\0'));
  // 2^16 * 2^24 * 2^24 is 2^64, which wraps to 0.
  using Header = std::pair<std::string, std::size_t>;
  for (const auto& [extents, bytes] : {Header{number(65536) + number(1 << 24) + number(1 << 24), 0},
                                       Header{number(1 << 24) + number(1 << 24) + number(1 << 16), 1},
                                       // 2^24 * (2^23 + 1) * 2^20 is 2^67 + 2^44, which wraps to 2^44.
                                       Header{number(1 << 24) + number((1 << 23) + 1) + number(1 << 20), 64}}) {
    folder.write("train-images-idx3-ubyte", start + extents + std::string(bytes, 'x'));
    CHECK(says(error_of("fashion_mnist", folder), "has dimensions whose product overflows 64 bits"));
  }
  folder.write("train-images-idx3-ubyte", start + number(65536) + number(1 << 24) + number(1 << 23));
  CHECK(says(error_of("fashion_mnist", folder), "has 0 bytes instead of 9223372036854775808"));
}

TEST_CASE("FashionMNIST's files are read, with .gz and without") {
  const TemporaryFolder folder;
  folder.write("train-images-idx3-ubyte", idx_images(30));
  folder.write("train-labels-idx1-ubyte", idx_labels(30));
  gzip(folder, "train-images-idx3-ubyte");
  const auto set = read_images("fashion_mnist", folder.path());
  CHECK(set.count() == 30);
  CHECK(set.height == 3);
  CHECK(set.width == 2);
  CHECK(set.channels == 1);
  CHECK(set.pixels.size() == 180);
  CHECK(int{set.labels[13]} == 3);
  CHECK(int{set.pixels[13 * 6 + 5]} == 60);
}

TEST_CASE("CIFAR's binary records are read, colours side by side, the fine one of two labels") {
  const TemporaryFolder folder;
  std::string record;
  for (int plane = 0; plane < 3; ++plane) record += std::string(1024, static_cast<char>(10 + plane));
  for (int i = 1; i <= 5; ++i) folder.write("data_batch_" + std::to_string(i) + ".bin", static_cast<char>(i) + record);
  folder.write("train.bin", std::string("\x02\x63", 2) + record);
  const auto ten = read_images("cifar10", folder.path());
  CHECK(ten.count() == 5);
  CHECK(int{ten.labels[4]} == 5);
  CHECK(int{ten.pixels[3 * 1000 + 2]} == 12);
  const auto hundred = read_images("cifar100", folder.path());
  CHECK(hundred.count() == 1);
  CHECK(int{hundred.labels[0]} == 99);
}

TEST_CASE("what is missing or damaged is named, with where to get it") {
  const TemporaryFolder folder;
  CHECK(says(error_of("fashion_mnist", folder), (folder / "train-images-idx3-ubyte.gz").string() + " is missing"));
  CHECK(says(error_of("fashion_mnist", folder), "github.com/zalandoresearch"));
  folder.write("train-images-idx3-ubyte", idx_images(30).substr(0, 100));
  folder.write("train-labels-idx1-ubyte", idx_labels(30));
  CHECK(says(error_of("fashion_mnist", folder), "has 84 bytes instead of 180"));
  folder.write("train-images-idx3-ubyte", idx_images(20));
  CHECK(says(error_of("fashion_mnist", folder), "has 30 labels for 20 images"));
  folder.write("train-images-idx3-ubyte.gz", "no");
  CHECK(says(error_of("fashion_mnist", folder), "train-images-idx3-ubyte.gz is"));
  CHECK(says(error_of("cifar10", folder), "data_batch_1.bin is missing"));
  folder.write("train.bin", std::string(3073, 'a'));
  CHECK(says(error_of("cifar100", folder), "not a multiple of 3074"));
  folder.write("train.bin", std::string(3074, 'e'));
  CHECK(says(error_of("cifar100", folder), "sample 0 has label 101"));
}

TEST_CASE("ranks see disjoint samples, each once an epoch, in another order the next") {
  const TemporaryFolder folder;
  folder.write("train-images-idx3-ubyte", idx_images(240));
  // The place of a sample shows in its label and brightness; of 240 there are 24 of each.
  folder.write("train-labels-idx1-ubyte", idx_labels(240));
  DataRequest request{"fashion_mnist", folder.path(), 5, 10, 4, 0, 0, 2, 1};
  const auto first = data_source(request);
  request.rank = 1;
  const auto second = data_source(request);
  std::vector<int> seen(10, 0);
  for (int step = 0; step < 24; ++step) {
    for (const auto* source : {&first, &second}) {
      const auto batch = (*source)->batch(step);
      REQUIRE(batch.labels.size() == 5);
      REQUIRE(batch.values.size() == 5 * 4 * 4 * 3);
      for (std::size_t i = 0; i < 5; ++i) {
        ++seen[static_cast<std::size_t>(batch.labels[i])];
        CHECK(batch.values[i * 48] == doctest::Approx(batch.labels[i] * 20 / 127.5 - 1));
      }
    }
  }
  CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 24; }));
  CHECK(first->batch(0).labels == first->batch(0).labels);
  const tests::CountedMemory counted;
  const auto expected = first->batch(1).values;
  first->lie_in(counted.memory());
  for (int i = 0; i < 3; ++i) CHECK(first->batch(1).values == expected);
  CHECK(counted.places() == 1);
  std::set<std::vector<int>> orders;
  for (int epoch = 0; epoch < 4; ++epoch) orders.insert(first->batch(epoch * 24).labels);
  CHECK(orders.size() > 1);
  request.count = 200;
  CHECK_THROWS_WITH(data_source(request), "fashion_mnist has 240 samples, but a step of all ranks needs 400");
  request.count = 5;
  request.classes = 9;
  CHECK_THROWS_WITH(data_source(request), "fashion_mnist has 10 classes; --num-classes 9 are too few");
}
