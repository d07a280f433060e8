#pragma once

#include <memory>
#include <span>
#include <string>

#include "workers/collectives/collective.h"
#include "workers/devices/device.h"
#include "workers/ranks/peer.h"

namespace rv::workers {

/// What the check of a received buffer found.
struct Received {
  std::uint64_t wrong = 0;  ///< elements whose bits are not the right ones
  std::uint64_t first = 0;  ///< index of the first of them
  double expected = 0, got = 0;
};

/// Bytes for another rank, and from one; where the device computes.
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

/// One rank's side of the collectives on one device. Every rank calls the same in the same order. What goes wrong is an
/// exception; RunEnded if it went wrong elsewhere, or if a wait passed the step's deadline.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual const Device& device() const = 0;
  virtual std::string library() const = 0;  ///< "NCCL 2.28.9", "gloo"
  virtual bool supports(ElementType type) const = 0;
  /// The largest send or receive buffer that fits, bytes.
  virtual std::size_t most_bytes() const = 0;

  /// Makes the buffers for calls up to this size.
  virtual void reserve(std::size_t bytes) = 0;
  /// Fills what is sent and overwrites what is received with other bits.
  virtual void prepare(const Call& call) = 0;
  /// `iterations` back to back after one that is not timed and aligns the ranks; seconds for the timed ones.
  virtual double run(const Call& call, int iterations) = 0;
  /// Once, on what `prepare` made.
  virtual void run_once(const Call& call) = 0;
  /// Looks at every element.
  virtual Received check(const Call& call) = 0;
  /// For tests of the check: element `index` of the receive buffer changes by one, or becomes NaN.
  virtual void corrupt(const Call& call, std::uint64_t index, bool nan) = 0;

  /// `bytes` from one rank to another, `both`: and at the same time the other way; seconds per transfer on the ranks
  /// that take part, 0 on others.
  virtual double transfer(int from, int to, std::size_t bytes, int iterations, bool both) = 0;

  /// A fixed amount of arithmetic on the device, the same on every rank; seconds. `rounds` scales it.
  virtual double work(int rounds) = 0;

  /// Adds up `data`, which lies where the device computes, over all ranks, in place; all get the same bits.
  virtual void all_reduce(float* data, std::size_t count) = 0;
  /// The same, enqueued on a stream of the device, which may be recording; on the host at once.
  virtual void all_reduce_on(float* data, std::size_t count, void* stream) = 0;
  /// Enqueued likewise: all of these at once. What one rank sends the other one receives.
  virtual void swap_on(std::span<const SentTo> sent, std::span<const ReceivedFrom> received, void* stream) = 0;
};

/// On the host, over TCP; null in a build without gloo.
std::unique_ptr<Communicator> gloo_communicator(Peer& peer);
/// On GPU `peer.local_rank()` of this process's; null in a build without NCCL's header.
std::unique_ptr<Communicator> nccl_communicator(Peer& peer, const Device& device);

}  // namespace rv::workers
