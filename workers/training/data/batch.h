#pragma once

#include <vector>

namespace rv::workers {

/// What one rank trains on in one step: images (n × h × w × 3, channels innermost) or tokens, and a label for each row
/// of scores.
struct Batch {
  std::vector<float> values;
  std::vector<int> tokens;
  std::vector<int> labels;
};

}  // namespace rv::workers
