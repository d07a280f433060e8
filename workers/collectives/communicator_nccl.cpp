#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "shared/documents/json_integer.h"
#include "workers/collectives/collective_kernels.h"
#include "workers/collectives/communicator.h"
#include "workers/collectives/nccl_library.h"
#include "workers/devices/cuda_call.h"

namespace rv::workers {
namespace {

ncclDataType_t nccl_type(ElementType type) {
  switch (type) {
    case ElementType::int8:
      return ncclInt8;
    case ElementType::int32:
      return ncclInt32;
    case ElementType::int64:
      return ncclInt64;
    case ElementType::fp16:
      return ncclFloat16;
    case ElementType::bf16:
      return ncclBfloat16;
    case ElementType::fp32:
      return ncclFloat32;
    case ElementType::fp64:
      return ncclFloat64;
  }
  return ncclFloat32;
}

class NcclCommunicator : public Communicator {
 public:
  NcclCommunicator(Peer& peer, Device device)
      : peer_(peer), device_((cuda_call(cudaSetDevice(device.index), "use the GPU"), std::move(device))) {
    // NCCL keeps a thread on rank 0 that the start of the others needs; it exists as long as the process.
    std::vector<int> bytes;
    if (peer.rank() == 0) {
      ncclUniqueId id;
      call(nccl_.get_unique_id(&id), "make NCCL's meeting point");
      bytes.assign(std::begin(id.internal), std::end(id.internal));
    }
    const auto from_all = peer.gather("NCCL's meeting point", bytes);
    bytes = integers_of<int>(from_all[0]);
    ncclUniqueId id;
    for (std::size_t i = 0; i < sizeof id.internal && i < bytes.size(); ++i) {
      id.internal[i] = static_cast<char>(bytes[i]);
    }
    // Blocking, because NCCL otherwise starts a thread per call, which is measurable for small sizes. If the start
    // hangs, the peer's thread ends the process.
    call(nccl_.comm_init_rank(&comm_, peer.world(), id, peer.rank()), "connect the GPUs");
    cuda_call(cudaEventCreate(&begin_), "create an event");
    cuda_call(cudaEventCreate(&end_), "create an event");
    cuda_call(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream");
    small_ = std::make_unique<DeviceMemory>(256);
  }

  ~NcclCommunicator() override {
    if (comm_ != nullptr) {
      if (broken_ || peer_.ended()) {
        nccl_.comm_abort(comm_);
      } else {
        nccl_.comm_destroy(comm_);
      }
    }
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
    if (begin_ != nullptr) cudaEventDestroy(begin_);
    if (end_ != nullptr) cudaEventDestroy(end_);
  }
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  const Device& device() const override { return device_; }
  std::string library() const override { return "NCCL " + nccl_.version(); }
  bool supports(ElementType type) const override {
    return type != ElementType::bf16 || device_.compute_capability >= 80;
  }

  std::size_t most_bytes() const override {
    std::size_t free = 0, total = 0;
    cuda_call(cudaMemGetInfo(&free, &total), "ask for free memory");
    // Two buffers, and a reserve for the memory that NCCL allocates when it connects more ranks.
    constexpr auto reserve = std::size_t{2} << 30;
    return (free > 2 * reserve ? free - reserve : free / 2) / 2;
  }

  void reserve(std::size_t bytes) override {
    send_.reset();
    receive_.reset();
    send_ = std::make_unique<DeviceMemory>(bytes);
    receive_ = std::make_unique<DeviceMemory>(bytes);
  }

  void prepare(const Call& c) override {
    cuda_call(cudaMemsetAsync(receive_->as(), 0xff, c.received() * element_bytes(c.type), stream_),
              "poison the buffer");
    fill_sent(c, peer_.rank(), source(c), stream_);
    wait("prepare");
  }

  double run(const Call& c, int iterations) override {
    enqueue(c);  // untimed: aligns the ranks
    cuda_call(cudaEventRecord(begin_, stream_), "record an event");
    for (int i = 0; i < iterations; ++i) enqueue(c);
    return timed();
  }

  void run_once(const Call& c) override {
    enqueue(c);
    wait("collective");
  }

  Received check(const Call& c) override {
    const WrongElements none;
    auto* const wrong = small_->as<WrongElements>();
    cuda_call(cudaMemcpyAsync(wrong, &none, sizeof none, cudaMemcpyHostToDevice, stream_), "clear the count");
    find_wrong(c, peer_.rank(), sink(c), wrong, stream_);
    WrongElements found;
    cuda_call(cudaMemcpyAsync(&found, wrong, sizeof found, cudaMemcpyDeviceToHost, stream_), "read the count");
    wait("check");
    if (found.count == 0) return {};
    const auto pair = read_element(c, peer_.rank(), sink(c), found.first, stream_);
    return {found.count, found.first, pair.expected, pair.got};
  }

  void corrupt(const Call& c, std::uint64_t index, bool nan) override {
    change_element(c.type, sink(c), index % c.received(), nan, stream_);
    wait("corrupt");
  }

  double transfer(int from, int to, std::size_t bytes, int iterations, bool both) override {
    const int me = peer_.rank();
    if (me != from && me != to) return 0;
    const int other = me == from ? to : from;
    for (int i = -1; i < iterations; ++i) {
      if (i == 0) cuda_call(cudaEventRecord(begin_, stream_), "record an event");
      call(nccl_.group_start(), "group");
      if (me == from || both) call(nccl_.send(send_->as(), bytes, ncclInt8, other, comm_, stream_), "send");
      if (me == to || both) call(nccl_.recv(receive_->as(), bytes, ncclInt8, other, comm_, stream_), "receive");
      call(nccl_.group_end(), "send and receive");
    }
    return timed() / iterations;
  }

  double work(int rounds) override {
    cuda_call(cudaEventRecord(begin_, stream_), "record an event");
    burn(rounds, small_->as<float>(), stream_);
    return timed();
  }

  void all_reduce(float* data, std::size_t count) override {
    // The caller's kernels may be on another stream.
    cuda_call(cudaDeviceSynchronize(), "wait for the gradients");
    call(nccl_.all_reduce(data, data, count, ncclFloat32, ncclSum, comm_, stream_), "add up over the ranks");
    wait("add up over the ranks");
  }

  void all_reduce_on(float* data, std::size_t count, void* stream) override {
    call(nccl_.all_reduce(data, data, count, ncclFloat32, ncclSum, comm_, static_cast<cudaStream_t>(stream)),
         "add up over the ranks");
  }

  void swap_on(std::span<const SentTo> sent, std::span<const ReceivedFrom> received, void* on) override {
    auto* const stream = static_cast<cudaStream_t>(on);
    call(nccl_.group_start(), "group");
    for (const auto& s : sent) call(nccl_.send(s.from, s.bytes, ncclInt8, s.rank, comm_, stream), "send");
    for (const auto& r : received) call(nccl_.recv(r.to, r.bytes, ncclInt8, r.rank, comm_, stream), "receive");
    call(nccl_.group_end(), "send and receive");
  }

 private:
  void call(ncclResult_t result, const char* what) {
    if (result == ncclSuccess) return;
    broken_ = true;
    const auto* const detail = nccl_.get_last_error != nullptr ? nccl_.get_last_error(comm_) : "";
    const auto text = fmt::format("{}: {}{}{}", what, nccl_.get_error_string(result), *detail != 0 ? ", " : "", detail);
    // These two mean that the other end or the connection to it failed.
    if (result == ncclRemoteError || result == ncclSystemError) throw LinkBroken("NCCL: " + text);
    throw std::runtime_error("NCCL: " + text);
  }

  /// Waits for the stream, and checks for failures of peers and NCCL, and for the deadline.
  void wait(const char* what) {
    cuda_call(cudaEventRecord(end_, stream_), "record an event");
    const auto deadline = Clock::now() + peer_.deadlines().step;
    for (unsigned polls = 1;; ++polls) {
      const auto status = cudaEventQuery(end_);
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) {
        broken_ = true;
        cuda_call(status, what);
      }
      if (polls % 256 != 0) continue;
      peer_.check();
      ncclResult_t error = ncclSuccess;
      call(nccl_.comm_get_async_error(comm_, &error), "look for errors");
      if (error != ncclInProgress) call(error, what);
      if (Clock::now() > deadline) {
        broken_ = true;
        throw LinkBroken(fmt::format("NCCL: {} did not end within the deadline", what));
      }
    }
  }

  double timed() {
    wait("timed calls");
    float milliseconds = 0;
    cuda_call(cudaEventElapsedTime(&milliseconds, begin_, end_), "read a timer");
    return milliseconds / 1e3;
  }

  std::size_t own_part(const Call& c) const {
    return static_cast<std::size_t>(peer_.rank()) * c.part * element_bytes(c.type);
  }
  /// The send buffer. In place, it is the receive buffer, and for all_gather and reduce_scatter this rank's part of it.
  char* source(const Call& c) const {
    if (!c.in_place) return send_->as<char>();
    return receive_->as<char>() + (c.collective == Collective::all_gather ? own_part(c) : 0);
  }
  char* sink(const Call& c) const {
    const bool part = c.in_place && c.collective == Collective::reduce_scatter;
    return receive_->as<char>() + (part ? own_part(c) : 0);
  }

  void enqueue(const Call& c) {
    const auto type = nccl_type(c.type);
    auto* const in = source(c);
    auto* const out = sink(c);
    const auto bytes = c.part * element_bytes(c.type);
    switch (c.collective) {
      case Collective::all_reduce:
        return call(nccl_.all_reduce(in, out, c.part, type, ncclSum, comm_, stream_), "all_reduce");
      case Collective::all_gather:
        return call(nccl_.all_gather(in, out, c.part, type, comm_, stream_), "all_gather");
      case Collective::reduce_scatter:
        return call(nccl_.reduce_scatter(in, out, c.part, type, ncclSum, comm_, stream_), "reduce_scatter");
      case Collective::broadcast:
        return call(nccl_.broadcast(in, out, c.part, type, c.root, comm_, stream_), "broadcast");
      case Collective::alltoall:
        call(nccl_.group_start(), "group");
        for (int other = 0; other < c.world; ++other) {
          const auto offset = static_cast<std::size_t>(other) * bytes;
          call(nccl_.send(in + offset, c.part, type, other, comm_, stream_), "send");
          call(nccl_.recv(out + offset, c.part, type, other, comm_, stream_), "receive");
        }
        return call(nccl_.group_end(), "alltoall");
      case Collective::sendrecv:
        call(nccl_.group_start(), "group");
        call(nccl_.send(in, c.part, type, (peer_.rank() + 1) % c.world, comm_, stream_), "send");
        call(nccl_.recv(out, c.part, type, (peer_.rank() + c.world - 1) % c.world, comm_, stream_), "receive");
        return call(nccl_.group_end(), "sendrecv");
    }
  }

  Peer& peer_;
  Device device_;
  Nccl nccl_;
  ncclComm_t comm_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  std::unique_ptr<DeviceMemory> send_, receive_, small_;
  bool broken_ = false;
};

}  // namespace

std::unique_ptr<Communicator> nccl_communicator(Peer& peer, const Device& device) {
  return std::make_unique<NcclCommunicator>(peer, device);
}

}  // namespace rv::workers
