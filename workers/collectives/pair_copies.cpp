#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "workers/collectives/pair_exchange.h"
#include "workers/collectives/stream_flags.h"
#include "workers/devices/cuda_call.h"
#include "workers/system/boot_id.h"

namespace rv::workers {
namespace {

using Handle = std::array<unsigned char, sizeof(cudaIpcMemHandle_t)>;

/// Whether somebody has told NCCL how GPUs are to reach each other's memory: because what is read there is wrong on
/// this machine, or to see in NCCL's log which way it takes (rv accept --fabric). Then it is left to NCCL.
bool left_to_nccl() {
  return std::getenv("NCCL_P2P_DISABLE") != nullptr || std::getenv("NCCL_P2P_LEVEL") != nullptr;
}

/// A failure is an answer here, and leaves nothing for the next check.
bool worked(cudaError_t status) {
  if (status != cudaSuccess) cudaGetLastError();
  return status == cudaSuccess;
}

/// In each rank's memory, raised by the other rank's GPU.
struct PairFlags {
  static constexpr int most_parts = 256;
  std::uint32_t used;              ///< it has used all that it was sent, so its memory can be written over
  std::uint32_t sent[most_parts];  ///< this part of a step has come
};

/// Each GPU's memory for what comes, with its flags behind it, and the way to the other's.
class PairCopies : public PairExchange {
 public:
  explicit PairCopies(std::size_t bytes) : flags_at_((bytes + 511) / 512 * 512), own_(flags_at_ + sizeof(PairFlags)) {
    const PairFlags start{1, {}};
    cuda_call(cudaMemcpy(own_flags(), &start, sizeof start, cudaMemcpyHostToDevice), "set flags");
    cuda_call(cudaDeviceSynchronize(), "set flags");
  }
  ~PairCopies() override {
    if (last_ != nullptr) release();
    if (theirs_ != nullptr) cudaIpcCloseMemHandle(theirs_);
  }
  PairCopies(const PairCopies&) = delete;
  PairCopies& operator=(const PairCopies&) = delete;

  Json handle() const {
    cudaIpcMemHandle_t handle;
    if (!worked(cudaIpcGetMemHandle(&handle, own_.as()))) return nullptr;
    Handle bytes;
    std::memcpy(bytes.data(), &handle, sizeof handle);
    return bytes;
  }
  bool open(const Json& theirs) {
    const auto bytes = theirs.get<Handle>();
    cudaIpcMemHandle_t handle;
    std::memcpy(&handle, bytes.data(), sizeof handle);
    void* memory = nullptr;
    if (!worked(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess))) return false;
    theirs_ = static_cast<char*>(memory);
    return true;
  }
  /// Whether a few bytes come to the other rank, and its here, within seconds.
  bool try_out(Peer& peer) {
    constexpr std::size_t bytes = 256;
    const DeviceMemory sent(bytes);
    const auto pattern = [](int rank) { return 0x5a + rank; };
    cuda_call(cudaMemset(sent.as(), pattern(peer.rank()), bytes), "fill GPU memory");
    const Timer timer;
    try {
      swap(sent.as(), 0, bytes, timer.stream());
      used(timer.stream());
    } catch (const std::runtime_error&) {
      return false;
    }
    const auto deadline = Clock::now() + std::chrono::seconds(5);
    while (cudaStreamQuery(timer.stream()) == cudaErrorNotReady) {
      peer.check();
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      if (Clock::now() < deadline) continue;
      release();
      break;
    }
    last_ = nullptr;
    if (Clock::now() >= deadline) return false;
    std::array<unsigned char, bytes> come{}, expected{};
    expected.fill(static_cast<unsigned char>(pattern(1 - peer.rank())));
    return worked(cudaMemcpy(come.data(), own_.as(), bytes, cudaMemcpyDeviceToHost)) && come == expected;
  }

  void* received() const override { return own_.as(); }

  void swap(const void* mine, std::size_t offset, std::size_t bytes, void* on) override {
    auto* const stream = static_cast<cudaStream_t>(on);
    if (part_ == PairFlags::most_parts) throw std::logic_error("two ranks swap too many parts in one step");
    const auto part = static_cast<std::size_t>(part_++);
    if (part == 0) flags_.await(&own_flags()->used, stream);
    cuda_call(cudaMemcpyAsync(theirs_ + offset, mine, bytes, cudaMemcpyDeviceToDevice, stream),
              "copy to the other GPU");
    flags_.raise(&flags_of(theirs_)->sent[part], stream);
    flags_.await(&own_flags()->sent[part], stream);
  }
  void used(void* stream) override {
    last_ = static_cast<cudaStream_t>(stream);
    flags_.raise(&flags_of(theirs_)->used, last_);
    part_ = 0;
  }
  std::string way() const override { return "copy engines"; }

 private:
  PairFlags* flags_of(char* memory) const { return reinterpret_cast<PairFlags*>(memory + flags_at_); }
  PairFlags* own_flags() const { return flags_of(own_.as<char>()); }

  /// What waits for the other GPU, which may have died, goes on. Each wait sets its flag back, so all are raised until
  /// the stream has nothing left to do; for a second at most, since more can't be done for it.
  void release() {
    PairFlags raised{1, {}};
    std::fill(std::begin(raised.sent), std::end(raised.sent), 1U);
    cudaStream_t beside = nullptr;
    if (!worked(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking))) return;
    for (int tries = 0; tries < 1000 && cudaStreamQuery(last_) == cudaErrorNotReady; ++tries) {
      if (!worked(cudaMemcpyAsync(own_flags(), &raised, sizeof raised, cudaMemcpyHostToDevice, beside))) break;
      if (!worked(cudaStreamSynchronize(beside))) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    cudaStreamDestroy(beside);
  }

  std::size_t flags_at_;
  DeviceMemory own_;
  StreamFlags flags_;
  char* theirs_ = nullptr;
  int part_ = 0;                 ///< of the step that is being enqueued
  cudaStream_t last_ = nullptr;  ///< that steps end on, recorded ones too
};

}  // namespace

std::unique_ptr<PairExchange> pair_copies(Peer& peer, const Device& device, std::size_t bytes) {
  std::unique_ptr<PairCopies> made;
  Json handle;
  try {
    made = std::make_unique<PairCopies>(bytes);
    if (!left_to_nccl()) handle = made->handle();
  } catch (const std::runtime_error&) {
    // Then not by copies; the other rank is told.
  }
  const auto boot = boot_id();
  const Json own = {{"boot", boot}, {"gpu", device.uuid}, {"handle", handle}};
  const auto all = peer.gather("memory for the other GPU", own);
  const auto &first = all.at(0), &second = all.at(1), &other = all.at(peer.rank() == 0 ? 1 : 0);
  const bool possible = !first.at("handle").is_null() && !second.at("handle").is_null() &&
                        first.at("boot") == second.at("boot") && !boot.empty() && first.at("gpu") != second.at("gpu");
  if (!possible) return nullptr;
  // What one rank can't do the other does not begin.
  const auto both = [&](const char* what, bool can) {
    const auto answers = peer.gather(what, can);
    return answers.at(0).get<bool>() && answers.at(1).get<bool>();
  };
  if (!both("the other GPU's memory", made->open(other.at("handle")))) return nullptr;
  if (!both("a copy to the other GPU", made->try_out(peer))) return nullptr;
  return made;
}

}  // namespace rv::workers
