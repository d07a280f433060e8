#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>
#include <vector>

namespace rv::workers {

/// The minimum work of a part of a step.
struct LeastWork {
  double flop = 0, bytes = 0;
};

/// The operations that one training step enqueues, in order, and the additional stream that some of them use. No
/// operation waits for the GPU, so a step can be captured once and replayed.
class StepWork {
 public:
  using Work = std::function<void(cudaStream_t)>;

  /// In a rehearsal there are no streams, and the operations are never enqueued.
  explicit StepWork(bool rehearsal);
  ~StepWork();
  StepWork(const StepWork&) = delete;
  StepWork& operator=(const StepWork&) = delete;

  void add(std::string what, Work work, LeastWork least = {}) {
    parts_.push_back({std::move(what), std::move(work), least});
  }
  /// Enqueues all parts on this stream.
  void enqueue(cudaStream_t stream);

  /// The mean seconds of each part and its minimum work, over `repeats` steps in which the parts run one after another.
  struct PartTime {
    std::string what;
    double seconds = 0;
    LeastWork least;
  };
  std::vector<PartTime> profile(cudaStream_t stream, int repeats);

  /// Within a part: `to` waits for the work that is on `from` so far.
  void fork(cudaStream_t from, cudaStream_t to);
  cudaStream_t main() const { return main_; }  ///< stream for timing algorithms
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
