// Assigns consecutive numbers to keys, in the order of their first use.
#pragma once

#include <unordered_map>

namespace rv::planner {

/// Used because a replay compares numbers instead of names.
template <class Key>
class Numbering {
 public:
  /// Returns the key's number; a new key gets the next number.
  int of(const Key& key) { return numbers_.try_emplace(key, size()).first->second; }

  /// Returns the key's number; -1: it has none.
  int find(const Key& key) const {
    const auto found = numbers_.find(key);
    return found == numbers_.end() ? -1 : found->second;
  }

  int size() const { return static_cast<int>(numbers_.size()); }

 private:
  std::unordered_map<Key, int> numbers_;
};

}  // namespace rv::planner
