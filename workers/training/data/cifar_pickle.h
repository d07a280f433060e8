#pragma once

#include <string_view>

#include "workers/training/data/image_files.h"

namespace rv::workers {

/// Appends the samples of one file of CIFAR's Python archives (data_batch_1 of cifar-10-batches-py, train of
/// cifar-100-python) to `into`. The file is a pickled dict: "data" is a numpy array of bytes with a row of 3 × 1024 per
/// sample, one colour after another, and `labels` ("labels" or "fine_labels") names a list of numbers. Throws
/// std::runtime_error that completes "FILE …" for anything else.
void add_pickled(std::string_view bytes, std::string_view labels, ImageSet& into);

}  // namespace rv::workers
