#include "workers/devices/random_input.h"
#include "workers/training/data/data_source.h"

namespace rv::workers {
namespace {

class Synthetic : public DataSource {
 public:
  explicit Synthetic(const DataRequest& request) : request_(request) {}

  int cycle() const override { return 2; }

  Batch batch(std::int64_t step) override {
    const auto seed = scramble(request_.seed + 0x5eed) ^
                      (static_cast<std::uint64_t>(request_.rank) << 32 | static_cast<std::uint64_t>(step % cycle()));
    const auto count = static_cast<std::size_t>(request_.count);
    const auto classes = static_cast<std::uint64_t>(request_.classes);
    Batch batch;
    if (request_.sequence == 0) {
      const auto size = static_cast<std::size_t>(request_.image_size);
      batch.values = place(count * size * size * 3);
      for (std::size_t i = 0; i < batch.values.size(); ++i) {
        batch.values[i] = static_cast<float>(random_input(seed, i));
      }
      for (std::size_t i = 0; i < count; ++i) batch.labels.push_back(static_cast<int>(scramble(seed + i) % classes));
      return batch;
    }
    // One token more than positions: each position predicts the next token.
    const auto length = static_cast<std::size_t>(request_.sequence);
    for (std::size_t n = 0; n < count; ++n) {
      const auto token = [&](std::size_t i) {
        return static_cast<int>(scramble(scramble(seed) + n * (length + 1) + i) % classes);
      };
      for (std::size_t i = 0; i < length; ++i) {
        batch.tokens.push_back(token(i));
        batch.labels.push_back(token(i + 1));
      }
    }
    return batch;
  }

 private:
  DataRequest request_;
};

}  // namespace

std::unique_ptr<DataSource> synthetic_data(const DataRequest& request) {
  return std::make_unique<Synthetic>(request);
}

}  // namespace rv::workers
