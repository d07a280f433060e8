// A file descriptor that is closed with its owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace rv::os {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  /// False, with errno, when the system could not close it as it should; it is gone all the same.
  bool close() { return number_ < 0 || ::close(release()) == 0; }

 private:
  int number_;
};

}  // namespace rv::os
