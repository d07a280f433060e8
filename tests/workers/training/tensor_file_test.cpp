#include "workers/training/data/tensor_file.h"

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <random>

#include "tests/base/temporary_folder.h"
#include "tests/workers/counted_memory.h"
#include "workers/training/data/data_source.h"

using namespace rv;
using namespace rv::workers;

namespace {

/// The file's bytes: the header's length, the header, the data.
std::string file_of(const std::string& header, const std::string& data) {
  const std::uint64_t size = header.size();
  std::string bytes(sizeof size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  return bytes + header + data;
}

template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  std::string bytes(numbers.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

const std::string two_tensors =
    R"({"__metadata__":{"made":"by hand"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
    R"("b":{"dtype":"I64","shape":[],"data_offsets":[24,32]}})";

std::string refusal(const std::string& header, std::uint64_t data_bytes) {
  try {
    stored_tensors(header, data_bytes);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

std::string described(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
}

}  // namespace

TEST_CASE("a file of tensors comes back as it was written, and only whole") {
  const TemporaryFolder folder;
  const auto path = folder / "t";
  write_tensors(path, {{"x", {2, 2}, {1, 2, 3, -4.5F}}, {"y", {}, {7}}, {"none", {0, 3}, {}}});
  const TensorFile file(path);
  CHECK(file.tensors().size() == 3);
  CHECK(file.floats("x") == std::vector<float>{1, 2, 3, -4.5F});
  CHECK(file.floats("y") == std::vector<float>{7});
  CHECK(file.floats("none").empty());
  CHECK(shape_text(file.tensor("x", "F32").shape) == "2x2");
  CHECK(shape_text(file.tensor("y", "F32").shape) == "one number");
  CHECK_THROWS_WITH(file.floats("z"), (path.string() + ": z is missing").c_str());
  CHECK_THROWS_WITH(file.integers("x"), (path.string() + ": x is F32 and should be I64").c_str());

  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CAPTURE(length);
    folder.write("cut", bytes.substr(0, length));
    CHECK_THROWS_AS(TensorFile(folder / "cut"), std::runtime_error);
  }
  folder.write("longer", bytes + "x");
  CHECK_THROWS_AS(TensorFile(folder / "longer"), std::runtime_error);
  CHECK_THROWS_AS(TensorFile(folder / "not there"), std::runtime_error);
  CHECK_THROWS_AS(TensorFile(folder.path()), std::runtime_error);
}

TEST_CASE("what the format forbids is refused with its terms") {
  CHECK(stored_tensors(two_tensors, 32).at("a").shape == std::vector<std::uint64_t>{2, 3});
  CHECK(refusal(two_tensors, 31) == "b extends beyond the end of the file, which is cut off");
  CHECK(refusal(two_tensors, 33) == "has 33 bytes of tensors instead of 32");
  const auto no_json = "has a header that is not a JSON object; check that it is a safetensors file";
  for (const auto* const text : {"", "[]", "{", "7", "{\"a\":", "\xff\xfe", "{\"a\":1}x"})
    CHECK(refusal(text, 0) == no_json);
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[[[1]]],"data_offsets":[0,4]}})", 4) ==
        "has a header that is nested too deep");
  CHECK(refusal(std::string(100000, '['), 0) == no_json);  // beyond the limits of any document
  const std::string a = R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  CHECK(refusal("{" + a + "," + a + "}", 1) == "has a twice");
  CHECK(refusal(R"({"a":{"dtype":"U8","shape":[1]}})", 1) == "a is not described by dtype, shape and data_offsets");
  CHECK(refusal(described("F99", "[1]", "[0,4]"), 4) == "a has type F99, which is not supported");
  CHECK(refusal(described("F32", "[1]", "[4,0]"), 4) == "a extends beyond the end of the file, which is cut off");
  CHECK(refusal(described("F32", "[3]", "[0,4]"), 4) == "a has 4 bytes, which is not 3 of F32");
  for (const auto* const shape : {"[-1]", "[1.5]", "[1e3]", "[null]", "7", "[99999999999999999999]"}) {
    CHECK(refusal(described("F32", shape, "[0,4]"), 4) == "a has no sensible shape or data_offsets");
  }
  // 2⁶⁴ and more, which a product that overflows would find to be nothing.
  CHECK(refusal(described("F32", "[4294967296,4294967296]", "[0,0]"), 0) ==
        "a is larger than the file: 4294967296x4294967296");
  CHECK(refusal(described("F32", "[4611686018427387905]", "[0,4]"), 4) ==
        "a is larger than the file: 4611686018427387905");
  CHECK(stored_tensors(described("F32", "[4294967296,4294967296,0]", "[0,0]"), 0).size() == 1);
  // Bytes of two tensors, and of none.
  const std::string b = R"("b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})",
                    c = R"("c":{"dtype":"U8","shape":[1],"data_offsets":[2,3]})";
  CHECK(refusal("{" + a + "," + b + "}", 1) == "has bytes of no tensor or of two tensors at 0");
  CHECK(refusal("{" + a + "," + c + "}", 3) == "has bytes of no tensor or of two tensors at 2");
}

TEST_CASE("a header that damage has changed is refused, or describes what is there") {
  std::mt19937 random(5);
  int understood = 0;
  for (int time = 0; time < 3000; ++time) {
    auto text = two_tensors;
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
      const auto at = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(at, 1 + random() % 9);
      } else {
        text[at] = random() % 2 == 0 ? static_cast<char>(random()) : "{}[]\",:0129"[random() % 11];
      }
      if (text.empty()) break;
    }
    CAPTURE(text);
    try {
      for (const auto& [name, tensor] : stored_tensors(text, 32)) {
        CHECK(tensor.begin <= tensor.end);
        CHECK(tensor.end <= 32);
      }
      ++understood;
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()) != "");
    }
  }
  CHECK(understood > 0);
}

TEST_CASE("NaN, and a header that is longer than the file, are named") {
  const TemporaryFolder folder;
  const std::vector<float> bad{1, std::numeric_limits<float>::quiet_NaN()};
  folder.write("nan", file_of(described("F32", "[2]", "[0,8]"), bytes_of(bad)));
  CHECK_THROWS_WITH(TensorFile(folder / "nan").floats("a"),
                    ((folder / "nan").string() + ": a has an element that is infinite or NaN").c_str());
  folder.write("long", std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10));
  CHECK_THROWS_AS(TensorFile(folder / "long"), std::runtime_error);
}

namespace {

DataRequest request(const TemporaryFolder& folder, int count, int sequence) {
  DataRequest request;
  request.mode = "batches";
  request.folder = folder / "batches";
  request.count = count;
  request.classes = 5;
  request.image_size = 2;
  request.sequence = sequence;
  return request;
}

}  // namespace

TEST_CASE("batches of a file are taken in turn by ranks, and each position predicts the next token") {
  const TemporaryFolder folder;
  // Three batches of one sample of four tokens.
  const std::vector<std::int64_t> tokens{0, 1, 2, 3, 1, 2, 3, 4, 4, 3, 2, 1};
  folder.write("batches",
               file_of(R"({"tokens":{"dtype":"I64","shape":[3,1,4],"data_offsets":[0,96]}})", bytes_of(tokens)));
  auto one = request(folder, 1, 3);
  const auto source = data_source(one);
  CHECK(source->cycle() == 3);
  CHECK(source->batch(1).tokens == std::vector<int>{1, 2, 3});
  CHECK(source->batch(1).labels == std::vector<int>{2, 3, 4});
  CHECK(source->batch(4).tokens == source->batch(1).tokens);
  one.world = 2;
  one.rank = 1;
  const auto second = data_source(one);
  CHECK(second->cycle() == 3);
  CHECK(second->batch(0).tokens == source->batch(1).tokens);
  CHECK(second->batch(1).tokens == source->batch(0).tokens);  // (1 · 2 + 1) mod 3
  one.world = 3;
  CHECK(data_source(one)->cycle() == 2);  // always the same one, which is twice the same
  CHECK_THROWS_WITH(
      data_source(request(folder, 2, 3)),
      ((folder / "batches").string() + ": tokens is 3x1x4 and should be N batches of 2x4 with these options").c_str());
  CHECK_THROWS(data_source(request(folder, 1, 4)));
  auto few = request(folder, 1, 3);
  few.classes = 4;
  CHECK_THROWS_WITH(data_source(few),
                    ((folder / "batches").string() + ": tokens has 4, but there are 4 classes").c_str());
  CHECK_THROWS(data_source(request(folder, 1, 0)));  // no images
}

TEST_CASE("images of a file are turned from colour by colour to pixel by pixel") {
  const TemporaryFolder folder;
  // One batch of two samples of 3 × 2 × 2.
  std::vector<float> images(24);
  for (std::size_t i = 0; i < images.size(); ++i) images[i] = static_cast<float>(i);
  const std::string head =
      R"({"images":{"dtype":"F32","shape":[1,2,3,2,2],"data_offsets":[0,96]},"labels":{"dtype":"I64","shape":[1,)";
  folder.write("batches",
               file_of(head + R"(2],"data_offsets":[96,112]}})", bytes_of(images) + bytes_of<std::int64_t>({4, 0})));
  const auto source = data_source(request(folder, 2, 0));
  const auto batch = source->batch(0);
  CHECK(batch.labels == std::vector<int>{4, 0});
  CHECK(batch.values[0] == 0);  // sample 0, pixel 0: red, green, blue
  CHECK(batch.values[1] == 4);
  CHECK(batch.values[2] == 8);
  CHECK(batch.values[3] == 1);    // pixel 1, red
  CHECK(batch.values[12] == 12);  // sample 1
  CHECK(batch.values[23] == 23);
  CHECK(source->cycle() == 2);
  const tests::CountedMemory counted;
  source->lie_in(counted.memory());
  for (int i = 0; i < 3; ++i) CHECK(source->batch(0).values == batch.values);
  CHECK(counted.places() == 1);
  folder.write("batches",
               file_of(head + R"(1],"data_offsets":[96,104]}})", bytes_of(images) + bytes_of<std::int64_t>({4})));
  CHECK_THROWS(data_source(request(folder, 2, 0)));
}
