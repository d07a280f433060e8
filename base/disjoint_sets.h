// Disjoint sets of the numbers 0 to size-1: union-find with path halving, without ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace rv {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }

  /// Returns the root of the set of `number`, which is its smallest number.
  int root_of(int number) {
    while (parent_[number] != number) number = parent_[number] = parent_[parent_[number]];
    return number;
  }
  /// Merges the sets of `first` and `second`.
  void join(int first, int second) {
    const int a = root_of(first);
    const int b = root_of(second);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace rv
