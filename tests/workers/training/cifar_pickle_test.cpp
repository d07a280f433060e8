#include "workers/training/data/cifar_pickle.h"

#include <doctest/doctest.h>

#include <random>
#include <stdexcept>

#include "tests/workers/error_of.h"
#include "workers/training/data/pickle.h"

using namespace rv::tests;
using namespace rv::workers;

namespace {

using Text = std::string;

/// Python 2's opcodes, as its cPickle wrote CIFAR's files.
Text string(const Text& text) {
  if (text.size() < 256) return Text("U") + static_cast<char>(text.size()) + text;
  Text length;
  for (int i = 0; i < 4; ++i) length += static_cast<char>(text.size() >> (8 * i));
  return "T" + length + text;
}
Text small(int value) {
  return value < 256 ? Text("K") + static_cast<char>(value)
                     : Text("M") + static_cast<char>(value) + static_cast<char>(value >> 8);
}
Text dtype(const Text& code = "u1") {
  return "cnumpy\ndtype\nq\x0a" + string(code) + "K" + Text(1, '\0') + "K\x01\x87Rq\x0b(K\x03" + string("|") +
         "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK" + Text(1, '\0') + "tb";
}
Text matrix(int rows, int columns, const Text& bytes, bool columns_first = false, const Text& type = dtype()) {
  return "cnumpy.core.multiarray\n_reconstruct\nq\x06" + Text("cnumpy\nndarray\nq\x07K") + Text(1, '\0') + "\x85" +
         string("b") + "\x87Rq\x08(K\x01" + small(rows) + small(columns) + "\x86" + type +
         (columns_first ? "\x88" : "\x89") + string(bytes) + "tb";
}
Text file(const Text& labels, const Text& data, const Text& key = "labels") {
  return Text("\x80\x02}q\x01(") + string("batch_label") + "q\x02" + string("training batch 1 of 5") + "q\x03" +
         string(key) + "q\x04]q\x05(" + labels + "e" + string("data") + data + string("filenames") + "]q\x0c(" +
         string("leptodactylus_pentadactylus_s_000004.png") + "q\x0d" + "h\x0d" + "eu.";
}
/// Two samples; the value of a pixel tells its sample, colour and place.
const Text& pixels() {
  static const auto made = [] {
    Text bytes;
    for (int i = 0; i < 2 * 3072; ++i) bytes += static_cast<char>(i / 3072 * 100 + i % 3072 / 1024 * 10 + i % 7);
    return bytes;
  }();
  return made;
}

ImageSet read(const Text& bytes, std::string_view key = "labels", int classes = 10) {
  ImageSet set{32, 32, 3, classes, {}, {}};
  // A copy of its own length on the heap, so that the address sanitizer sees one byte beyond it.
  const std::vector<char> exact(bytes.begin(), bytes.end());
  add_pickled({exact.data(), exact.size()}, key, set);
  return set;
}
Text refusal(const Text& bytes) {
  return error_of([&] { read(bytes); });
}

}  // namespace

TEST_CASE("a pickle of CIFAR's Python archive gives labels and colours side by side") {
  const auto set = read(file("K\x06K\x09", matrix(2, 3072, pixels())));
  REQUIRE(set.count() == 2);
  CHECK(int{set.labels[0]} == 6);
  CHECK(int{set.labels[1]} == 9);
  REQUIRE(set.pixels.size() == 2 * 3072);
  for (std::size_t p : {0, 1, 500, 1023}) {
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(std::size_t{set.pixels[3072 + 3 * p + c]} == 100 + 10 * c + (3072 + c * 1024 + p) % 7);
    }
  }
  Text turned;
  for (int column = 0; column < 3072; ++column) {
    for (int row = 0; row < 2; ++row) turned += pixels()[static_cast<std::size_t>(row * 3072 + column)];
  }
  CHECK(read(file("K\x06K\x09", matrix(2, 3072, turned, true))).pixels == set.pixels);
  CHECK(read(file("K\x06K\x63", matrix(2, 3072, pixels()), "fine_labels"), "fine_labels", 100).labels[1] == 99);
}

TEST_CASE("objects that the published pickles do not contain are refused and named") {
  const auto data = matrix(2, 3072, pixels());
  CHECK(refusal("hello, world") == "is not a pickle of protocol 2");
  CHECK(refusal("\x80\x04\x95") == "is a pickle of protocol 4, and the published ones are of 2");
  CHECK(refusal(Text("\x80\x02") + "cos\nsystem\nU\x02id\x85R.") == "uses os.system, which the published files do not");
  CHECK(refusal(Text("\x80\x02") + "X\x01" + Text(3, '\0') + "a.") ==
        "has opcode 0x58 at byte 2, which the published files do not use");
  CHECK(refusal(Text("\x80\x02") + "}.") == "has no data or no list of labels");
  CHECK(refusal(file("K\x06", data)) == "has 1 labels and data of 2 × 3072 in place of 3072 columns");
  CHECK(refusal(file("K\x06K\x0a", data)) == "has no label of 10 classes for its sample 1");
  CHECK(refusal(file("K\x06N", data)) == "has no label of 10 classes for its sample 1");
  CHECK(refusal(file("K\x06K\x09", matrix(2, 3073, pixels()))) == "has 6144 bytes of data for 2 × 3073");
  CHECK(refusal(file("K\x06K\x09", matrix(3072, 2, pixels()))) ==
        "has 2 labels and data of 3072 × 2 in place of 3072 columns");
  CHECK(refusal(file("K\x06K\x09", matrix(2, 3072, pixels(), false, dtype("f8")))) ==
        "has no matrix of bytes as its data");
  CHECK(refusal(file("K\x06K\x09", string(pixels()))) == "has no matrix of bytes as its data");
  CHECK(refusal(file("K\x06K\x09", data) + "N") ==
        "is damaged at byte " + std::to_string(file("K\x06K\x09", data).size()));
  // A stack with nothing on it, a mark that nobody set, a memo that has no such place, a list that is in itself.
  for (const auto* const odd : {"a.", "e.", "h\x05.", "(u.", "R.", "b.", "\x87."}) {
    CHECK(refusal(Text("\x80\x02") + odd).starts_with("is damaged at byte "));
  }
  CHECK(refusal(Text("\x80\x02") + "]q\x01h\x01" + "a.") == "has no data or no list of labels");
}

TEST_CASE("a pickle that is cut off at any byte, or damaged at some, is refused or read within its bounds") {
  // Few bytes but the pixels', so that what is damaged is often the pickle's own.
  const auto whole = file("K\x06K\x09", matrix(2, 3072, pixels()));
  const auto begin = whole.find(pixels());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    if (length > begin + 20 && length + 200 < whole.size() && length % 500 != 0) continue;
    CHECK(!refusal(whole.substr(0, length)).empty());
  }
  std::mt19937 random(17);
  int refused = 0;
  for (int time = 0; time < 4000; ++time) {
    auto bytes = whole;
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
      auto at = random() % (bytes.size() - pixels().size());
      if (at >= begin) at += pixels().size();
      if (at >= bytes.size()) continue;
      if (random() % 4 == 0) {
        bytes.erase(at, 1 + random() % 3);
      } else {
        bytes[at] = static_cast<char>(random() % 3 == 0 ? "()]}htbRqUT.KM"[random() % 14] : random() % 256);
      }
    }
    try {
      const auto set = read(bytes);
      CHECK(set.pixels.size() == set.count() * 3072);
    } catch (const std::runtime_error& error) {
      CHECK(Text(error.what()) != "");
      ++refused;
    }
  }
  CHECK(refused > 1000);
}
