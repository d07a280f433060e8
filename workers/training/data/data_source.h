#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workers/training/data/batch.h"
#include "workers/training/data/batch_memory.h"
#include "workers/training/data/read_ahead.h"
#include "workers/training/pictures/gpu_decoder.h"
#include "workers/training/pictures/picture_reader.h"

namespace rv::workers {

/// A request for training data: `count` samples per step.
struct DataRequest {
  std::string mode = "synthetic";
  std::filesystem::path folder;
  int count = 32, classes = 1000;
  int image_size = 224;  ///< size of images
  int sequence = 0;      ///< length of a sequence of tokens; 0: images
  int rank = 0, world = 1;
  std::uint64_t seed = 42;
  int threads = 1;  ///< threads that decode images of files
  /// Decoders of these threads, one each: images are written to the GPU's memory, so `lie_in` must be called. Empty:
  /// they are in host memory.
  std::vector<std::shared_ptr<GpuDecoder>> gpu_decoders = {};
};

class DataSource {
 public:
  virtual ~DataSource() = default;
  /// The batch of a step (from 0); a step always has the same batch.
  virtual Batch batch(std::int64_t step) = 0;
  /// The number of steps after which batches repeat; 0: after all samples, in another order.
  virtual int cycle() const { return 0; }
  /// Figures about reading so far; nothing if nothing is read during the training.
  virtual std::optional<ReadFigures> figures() const { return std::nullopt; }
  /// How many images of files each decoder has decoded.
  virtual DecodedPictures decoded() const { return {}; }

  /// Sets the pool for the images of batches (default: ordinary memory). Call it before the first batch.
  void lie_in(BatchMemory memory) { memory_ = std::move(memory); }

 protected:
  /// Memory for `count` numbers; the caller must set all of them.
  BatchValues place(std::size_t count) const { return memory_.take(count); }

 private:
  BatchMemory memory_;
};

/// Throws std::runtime_error that names a missing or damaged file.
std::unique_ptr<DataSource> data_source(const DataRequest& request);

/// Normally distributed images or uniform tokens, with random labels: two alternating batches.
std::unique_ptr<DataSource> synthetic_data(const DataRequest& request);
/// Published sets of small images: each epoch is shuffled by the seed, and ranks have disjoint samples.
std::unique_ptr<DataSource> image_data(const DataRequest& request);
/// ImageNet's files (imagenet_files.h), shuffled and divided in the same way. A damaged file ends the training.
std::unique_ptr<DataSource> imagenet_data(const DataRequest& request);
/// The batches of the safetensors file `folder`: images and labels, or tokens. They are taken in turn by ranks, then by
/// steps.
std::unique_ptr<DataSource> file_batches(const DataRequest& request);

}  // namespace rv::workers
