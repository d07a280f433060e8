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

/// What a rank is given to train on: `count` samples a step.
struct DataRequest {
  std::string mode = "synthetic";
  std::filesystem::path folder;
  int count = 32, classes = 1000;
  int image_size = 224;  ///< of images
  int sequence = 0;      ///< of tokens; 0: images
  int rank = 0, world = 1;
  std::uint64_t seed = 42;
  int threads = 1;  ///< that decode images of files
  /// Of these threads, one for each: images are drawn in the GPU's memory, which `lie_in` must be told of. None: in the
  /// host's.
  std::vector<std::shared_ptr<GpuDecoder>> gpu_decoders = {};
};

class DataSource {
 public:
  virtual ~DataSource() = default;
  /// The batch of a step, which counts from 0; the same whenever it is asked for.
  virtual Batch batch(std::int64_t step) = 0;
  /// After how many steps batches come again; 0: when all samples have been seen, in another order.
  virtual int cycle() const { return 0; }
  /// How reading went so far; none where nothing is read while training goes on.
  virtual std::optional<ReadFigures> figures() const { return std::nullopt; }
  /// Who decoded the images of files.
  virtual DecodedPictures decoded() const { return {}; }

  /// Where the images of its batches are to lie; to be said before the first is asked for. Else in ordinary memory.
  void lie_in(BatchMemory memory) { memory_ = std::move(memory); }

 protected:
  /// For so many numbers, all of which are to be set.
  BatchValues place(std::size_t count) const { return memory_.take(count); }

 private:
  BatchMemory memory_;
};

/// Throws std::runtime_error that names the file that is missing or damaged.
std::unique_ptr<DataSource> data_source(const DataRequest& request);

/// Normal images or uniform tokens, with random labels: two batches in turn.
std::unique_ptr<DataSource> synthetic_data(const DataRequest& request);
/// Published sets of small images: epochs shuffled by the seed, ranks with disjoint samples.
std::unique_ptr<DataSource> image_data(const DataRequest& request);
/// ImageNet's files (imagenet_files.h), each epoch and rank as above. A file that is damaged ends the training.
std::unique_ptr<DataSource> imagenet_data(const DataRequest& request);
/// What `folder`, a safetensors file, holds: images and labels, or tokens; in turn over ranks, then steps.
std::unique_ptr<DataSource> file_batches(const DataRequest& request);

}  // namespace rv::workers
