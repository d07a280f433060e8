// A note about something that takes longer than it should.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace rv::cli {

/// Prints a note on stderr if the object lives longer than a second, and erases it at the end. A separate thread
/// waits for that second, because what it is about is one call that does not return in between.
class DelayedNote {
 public:
  /// Nothing happens unless it is `wanted`.
  DelayedNote(std::string text, bool wanted);
  ~DelayedNote();
  DelayedNote(const DelayedNote&) = delete;
  DelayedNote& operator=(const DelayedNote&) = delete;

 private:
  void wait();

  std::string text_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace rv::cli
