#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>

#include "workers/training/data/data_source.h"
#include "workers/training/data/tensor_file.h"

namespace rv::workers {
namespace {

/// All batches of a file, taken in turn by ranks and steps.
class FileBatches : public DataSource {
 public:
  explicit FileBatches(const DataRequest& request) : request_(request), file_(request.folder) {
    if (request.sequence > 0) {
      read_tokens();
    } else {
      read_images();
    }
  }

  int cycle() const override {
    const auto batches = static_cast<int>(batches_.size());
    const auto cycle = batches / std::gcd(batches, request_.world);
    // A single batch that repeats counts as two equal ones.
    return cycle == 1 ? 2 : cycle;
  }

  Batch batch(std::int64_t step) override {
    auto batch = batches_[static_cast<std::size_t>(step * request_.world + request_.rank) % batches_.size()];
    if (const std::span<const float> read = batch.values; !read.empty()) {
      batch.values = place(read.size());
      std::copy(read.begin(), read.end(), batch.values.data());
    }
    return batch;
  }

 private:
  using Shape = std::vector<std::uint64_t>;

  /// Returns the tensor's first dimension, the number of batches; the others must be `each`.
  std::size_t batches_in(const std::string& name, const std::string& type, const Shape& each) const {
    const auto& shape = file_.tensor(name, type).shape;
    if (!shape.empty() && shape[0] > 0 && Shape(shape.begin() + 1, shape.end()) == each) return shape[0];
    throw file_.wrong(fmt::format("{} is {} and should be N batches of {} with these options", name, shape_text(shape),
                                  shape_text(each)));
  }

  std::vector<std::int64_t> classes_in(const std::string& name) const {
    auto numbers = file_.integers(name);
    for (const auto one : numbers) {
      if (one >= 0 && one < request_.classes) continue;
      throw file_.wrong(fmt::format("{} has {}, but there are {} classes", name, one, request_.classes));
    }
    return numbers;
  }

  void refuse_others(std::size_t known) const {
    if (file_.tensors().size() == known) return;
    throw file_.wrong(request_.sequence > 0 ? "contains tensors other than tokens"
                                            : "contains tensors other than images and labels");
  }

  /// N × samples × (positions + 1): each position predicts the next token.
  void read_tokens() {
    const auto samples = static_cast<std::size_t>(request_.count), length = static_cast<std::size_t>(request_.sequence);
    batches_.resize(batches_in("tokens", "I64", {samples, length + 1}));
    refuse_others(1);
    const auto numbers = classes_in("tokens");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      auto& batch = batches_[i / (samples * (length + 1))];
      const auto position = i % (length + 1);
      if (position < length) batch.tokens.push_back(static_cast<int>(numbers[i]));
      if (position > 0) batch.labels.push_back(static_cast<int>(numbers[i]));
    }
  }

  /// N × samples × 3 × height × width, one colour after another as in PyTorch; N × samples labels.
  void read_images() {
    const auto samples = static_cast<std::uint64_t>(request_.count),
               side = static_cast<std::uint64_t>(request_.image_size);
    const auto count = batches_in("images", "F32", {samples, 3, side, side});
    if (batches_in("labels", "I64", {samples}) != count)
      throw file_.wrong("has different numbers of batches of labels and of images");
    refuse_others(2);
    const auto labels = classes_in("labels");
    const auto numbers = file_.floats("images");
    batches_.resize(count);
    const auto pixels = side * side, image = 3 * pixels;
    for (std::size_t b = 0; b < count; ++b) {
      auto& batch = batches_[b];
      batch.values.resize(samples * image);
      for (std::size_t i = 0; i < batch.values.size(); ++i) {
        const auto sample = i / image, colour = i % image / pixels, pixel = i % pixels;
        batch.values[sample * image + pixel * 3 + colour] = numbers[b * samples * image + i];
      }
      for (std::size_t i = 0; i < samples; ++i) batch.labels.push_back(static_cast<int>(labels[b * samples + i]));
    }
  }

  DataRequest request_;
  TensorFile file_;
  std::vector<Batch> batches_;
};

}  // namespace

std::unique_ptr<DataSource> file_batches(const DataRequest& request) {
  return std::make_unique<FileBatches>(request);
}

}  // namespace rv::workers
