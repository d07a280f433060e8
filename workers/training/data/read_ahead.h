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

/// How reading went: images of a batch that were made, and the seconds of the threads that made them.
struct ReadFigures {
  int threads = 0;
  std::int64_t images = 0;
  double seconds = 0;  ///< of all threads together
  /// What the threads could do if they never had to wait for a place in a batch.
  double per_second() const { return seconds > 0 ? static_cast<double>(images) * threads / seconds : 0; }
};

/// Makes batches of images on threads of its own, some steps ahead of the one that is asked for. The threads share the
/// images of a batch, so that one that takes long holds up one thread.
class ReadAhead {
 public:
  struct Work {
    std::size_t floats = 0;                                              ///< of an image
    std::function<std::vector<std::size_t>(std::int64_t step)> samples;  ///< called by one thread at a time
    std::function<int(std::size_t sample)> label;
    /// Called by many threads, each of which says which it is, from 0.
    std::function<void(std::size_t sample, float* to, int thread)> draw;
    /// Where a batch's images are drawn, each in its place and nowhere else before.
    std::function<BatchValues(std::size_t count)> place = [memory = BatchMemory()](auto n) { return memory.take(n); };
  };

  /// `ahead`: batches that are in memory at most, the one that is waited for included.
  ReadAhead(Work work, int threads, int ahead);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// The batch of a step; the next ones are begun. Throws what `draw` threw for one of its samples. For one thread.
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
  std::deque<std::shared_ptr<Job>> jobs_;  ///< of consecutive steps
  bool ending_ = false;
  ReadFigures figures_;
  std::vector<std::thread> threads_;
};

}  // namespace rv::workers
