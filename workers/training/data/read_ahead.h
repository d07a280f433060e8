#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "workers/training/data/batch.h"
#include "workers/training/data/batch_memory.h"

namespace rv::workers {

/// Figures about reading: the number of images that were made, and the time of the threads that made them.
struct ReadFigures {
  int threads = 0;
  std::int64_t images = 0;
  double seconds = 0;  ///< of all threads together
  /// Images per second that the threads could make if they never had to wait for space in a batch.
  double per_second() const { return seconds > 0 ? static_cast<double>(images) * threads / seconds : 0; }
};

/// Makes batches of images on its own threads, some steps ahead of the requested one. The threads share the images of a
/// batch, so that a slow image delays only one thread.
class ReadAhead {
 public:
  struct Work {
    std::size_t floats = 0;                                              ///< floats per image
    std::function<std::vector<std::size_t>(std::int64_t step)> samples;  ///< called by one thread at a time
    std::function<int(std::size_t sample)> label;
    /// Called by many threads; `thread` is the number of the calling thread, from 0.
    std::function<void(std::size_t sample, float* to, int thread)> draw;
    /// Returns the memory of a batch; images are written directly to their position in it.
    std::function<BatchValues(std::size_t count)> place = [memory = BatchMemory()](auto n) { return memory.take(n); };
  };

  /// `ahead`: maximum number of batches in memory, including the one that is waited for.
  ReadAhead(Work work, int threads, int ahead);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Returns the batch of a step, and starts on the next ones. Throws what `draw` threw for one of its samples. Call it
  /// from one thread.
  Batch take(std::int64_t step);
  ReadFigures figures() const;

 private:
  struct Job {
    std::int64_t step = 0;
    std::vector<std::size_t> samples;
    Batch batch;
    std::size_t begun = 0, done = 0;
    std::exception_ptr error;
    bool over() const { return done == samples.size() || (error && done == begun); }
  };

  void work(int thread);
  std::shared_ptr<Job> job_to_do() const;
  void begin(std::int64_t step);

  const Work work_;
  const std::size_t ahead_;
  mutable std::mutex mutex_;
  std::condition_variable to_do_, done_;
  std::deque<std::shared_ptr<Job>> jobs_;  ///< jobs of consecutive steps
  bool ending_ = false;
  ReadFigures figures_;
  std::vector<std::thread> threads_;
};

}  // namespace rv::workers
