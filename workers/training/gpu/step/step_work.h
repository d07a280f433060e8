#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>
#include <vector>

namespace rv::workers {

/// What a part of a step can't do without.
struct LeastWork {
  double flop = 0, bytes = 0;
};

/// What one training step enqueues, in order, and the stream beside the caller's that some of it runs on. Nothing in it
/// waits for the GPU, so it can be recorded once and run as one.
class StepWork {
 public:
  using Work = std::function<void(cudaStream_t)>;

  /// Rehearsed, it has no streams, and what is added is never enqueued.
  explicit StepWork(bool rehearsal);
  ~StepWork();
  StepWork(const StepWork&) = delete;
  StepWork& operator=(const StepWork&) = delete;

  void add(std::string what, Work work, LeastWork least = {}) {
    parts_.push_back({std::move(what), std::move(work), least});
  }
  /// All parts on this stream.
  void enqueue(cudaStream_t stream);

  /// The mean seconds of each part, and what it can't do without, of `repeats` steps in which nothing runs beside
  /// anything else.
  struct PartTime {
    std::string what;
    double seconds = 0;
    LeastWork least;
  };
  std::vector<PartTime> profile(cudaStream_t stream, int repeats);

  /// `to` goes on after what is on `from` so far. Of a part that is being enqueued.
  void fork(cudaStream_t from, cudaStream_t to);
  cudaStream_t main() const { return main_; }  ///< to try ways to compute on
  cudaStream_t side() const { return side_; }

 private:
  struct Part {
    std::string what;
    Work work;
    LeastWork least;
  };

  cudaEvent_t event();

  std::vector<Part> parts_;
  cudaStream_t main_ = nullptr, side_ = nullptr;
  std::vector<cudaEvent_t> events_;
  std::size_t next_event_ = 0;
};

}  // namespace rv::workers
