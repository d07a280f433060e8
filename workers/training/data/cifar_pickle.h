#pragma once

#include <string_view>

#include "workers/training/data/image_files.h"

namespace rv::workers {

/// The samples of one file of CIFAR's Python archives (data_batch_1 of cifar-10-batches-py, train of cifar-100-python)
/// behind those that `into` has: a pickled dict whose "data" is a numpy array of bytes, a row of 3 × 1024 for each
/// sample, colour by colour, and whose `labels` ("labels", "fine_labels") is a list of numbers. Throws
/// std::runtime_error that completes "FILE …" where it is anything else.
void add_pickled(std::string_view bytes, std::string_view labels, ImageSet& into);

}  // namespace rv::workers
