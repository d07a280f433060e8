#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "workers/system/checked_product.h"

namespace rv::ppo {

/// Serialises values and arrays into one state, one after another.
class StateWriter {
 public:
  template <class T>
  void put(const T* data, std::size_t count) {
    const auto at = bytes_.size();
    bytes_.resize(at + sizeof count + count * sizeof(T));
    std::memcpy(bytes_.data() + at, &count, sizeof count);
    if (count > 0) std::memcpy(bytes_.data() + at + sizeof count, data, count * sizeof(T));
  }
  template <class T>
  void put(const std::vector<T>& all) {
    put(all.data(), all.size());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads them in the same order. Throws std::runtime_error if the number of elements differs.
class StateReader {
 public:
  explicit StateReader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}
  template <class T>
  void take(T* data, std::size_t count) {
    std::size_t there = 0;
    if (bytes_.size() - at_ < sizeof there) throw other();
    std::memcpy(&there, bytes_.data() + at_, sizeof there);
    at_ += sizeof there;
    const auto bytes = workers::checked_product({count, sizeof(T)});
    if (there != count || !bytes || bytes_.size() - at_ < *bytes) throw other();
    if (count > 0) std::memcpy(data, bytes_.data() + at_, *bytes);
    at_ += *bytes;
  }
  /// Reads the rest, one array.
  std::vector<std::byte> take_rest() {
    std::size_t there = 0;
    if (bytes_.size() - at_ < sizeof there) throw other();
    std::memcpy(&there, bytes_.data() + at_, sizeof there);
    if (bytes_.size() - at_ - sizeof there != there) throw other();
    return {bytes_.begin() + static_cast<std::ptrdiff_t>(at_ + sizeof there), bytes_.end()};
  }

 private:
  static std::runtime_error other() { return std::runtime_error("the checkpoint belongs to another training"); }

  const std::vector<std::byte>& bytes_;
  std::size_t at_ = 0;
};

}  // namespace rv::ppo
