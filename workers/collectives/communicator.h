#pragma once

#include <memory>
#include <span>
#include <string>

#include "workers/collectives/collective.h"
#include "workers/devices/device.h"
#include "workers/ranks/peer.h"

namespace rv::workers {

/// The result of checking a receive buffer.
struct Received {
  std::uint64_t wrong = 0;  ///< number of elements with wrong bits
  std::uint64_t first = 0;  ///< index of the first wrong element
  double expected = 0, got = 0;
};

/// A transfer to another rank, and one from another rank. The pointers are device pointers on a GPU, host pointers on
/// the CPU.
struct SentTo {
  int rank;
  const void* from;
  std::size_t bytes;
};
struct ReceivedFrom {
  int rank;
  void* to;
  std::size_t bytes;
};

/// The collectives of one rank on one device. Every rank makes the same calls in the same order. A failure on this rank
/// is an exception; a failure elsewhere, or a wait beyond the step's deadline, is a RunEnded.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual const Device& device() const = 0;
  virtual std::string library() const = 0;  ///< "NCCL 2.28.9", "gloo"
  virtual bool supports(ElementType type) const = 0;
  /// The size of the largest send or receive buffer that fits, in bytes.
  virtual std::size_t most_bytes() const = 0;

  /// Allocates the buffers for calls up to this size.
  virtual void reserve(std::size_t bytes) = 0;
  /// Fills the send buffer, and overwrites the receive buffer with different bits.
  virtual void prepare(const Call& call) = 0;
  /// Runs the call `iterations` times back to back, after one untimed call that aligns the ranks. Returns the seconds
  /// of the timed calls.
  virtual double run(const Call& call, int iterations) = 0;
  /// Runs the call once, on the buffers that `prepare` filled.
  virtual void run_once(const Call& call) = 0;
  /// Checks every element of the receive buffer.
  virtual Received check(const Call& call) = 0;
  /// For tests of `check`: adds one to element `index` of the receive buffer, or sets it to NaN.
  virtual void corrupt(const Call& call, std::uint64_t index, bool nan) = 0;

  /// Sends `bytes` from one rank to another, with `both` in both directions at the same time. Returns the seconds per
  /// transfer on the two ranks, 0 on the others.
  virtual double transfer(int from, int to, std::size_t bytes, int iterations, bool both) = 0;

  /// Does a fixed amount of arithmetic on the device, the same on every rank, and returns its seconds. `rounds` scales
  /// it.
  virtual double work(int rounds) = 0;

  /// Sums `data` over all ranks, in place. `data` is in device memory on a GPU, else in host memory. All ranks get the
  /// same bits.
  virtual void all_reduce(float* data, std::size_t count) = 0;
  /// Enqueues that sum on a stream of the device, which may be capturing a graph. On the host it runs at once.
  virtual void all_reduce_on(float* data, std::size_t count, void* stream) = 0;
  /// Enqueues all these transfers as one group. Each transfer that one rank sends must be received by the other.
  virtual void swap_on(std::span<const SentTo> sent, std::span<const ReceivedFrom> received, void* stream) = 0;
};

/// Creates a communicator for host memory over TCP; null in a build without gloo.
std::unique_ptr<Communicator> gloo_communicator(Peer& peer);
/// Creates a communicator for GPU `peer.local_rank()` of this process; null in a build without NCCL's header.
std::unique_ptr<Communicator> nccl_communicator(Peer& peer, const Device& device);

}  // namespace rv::workers
