#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "shared/system/boot_id.h"
#include "workers/collectives/rank_exchange.h"
#include "workers/collectives/stream_flags.h"
#include "workers/devices/cuda_call.h"

namespace rv::workers {
namespace {

using Handle = std::array<unsigned char, sizeof(cudaIpcMemHandle_t)>;

/// Whether the user has set how NCCL reaches other GPUs' memory, either because such reads are wrong on this machine,
/// or to see NCCL's choice in its log (rv accept --fabric). In both cases NCCL does the transfers.
bool left_to_nccl() {
  return std::getenv("NCCL_P2P_DISABLE") != nullptr || std::getenv("NCCL_P2P_LEVEL") != nullptr;
}

/// A failure only means "not supported" here; clears it so that the next check does not report it.
bool worked(cudaError_t status) {
  if (status != cudaSuccess) cudaGetLastError();
  return status == cudaSuccess;
}

/// Flags in each rank's memory, each set by another rank's GPU.
struct RankFlags {
  static constexpr int most_parts = 256;
  std::uint32_t used[RankExchange::most_ranks];  ///< it has used all that it received, so its memory may be overwritten
  std::uint32_t sent[most_parts][RankExchange::most_ranks];  ///< its share of this part of a step has arrived
};

/// Each GPU's receive buffer with its flags, and the mappings of the other ranks' buffers.
class RankCopies : public RankExchange {
 public:
  RankCopies(int rank, int ranks, std::size_t bytes)
      : rank_(rank),
        flags_at_((bytes + 511) / 512 * 512),
        own_(flags_at_ + sizeof(RankFlags)),
        theirs_(static_cast<std::size_t>(ranks)) {
    RankFlags start{};
    std::fill(std::begin(start.used), std::end(start.used), 1U);
    cuda_call(cudaMemset(own_.as(), 0, flags_at_), "clear GPU memory");
    cuda_call(cudaMemcpy(own_flags(), &start, sizeof start, cudaMemcpyHostToDevice), "set flags");
    cuda_call(cudaDeviceSynchronize(), "set flags");
  }
  ~RankCopies() override {
    if (last_ != nullptr) release();
    for (auto* const memory : theirs_) {
      if (memory != nullptr) cudaIpcCloseMemHandle(memory);
    }
  }
  RankCopies(const RankCopies&) = delete;
  RankCopies& operator=(const RankCopies&) = delete;

  Json handle() const {
    cudaIpcMemHandle_t handle;
    if (!worked(cudaIpcGetMemHandle(&handle, own_.as()))) return nullptr;
    Handle bytes;
    std::memcpy(bytes.data(), &handle, sizeof handle);
    return bytes;
  }
  bool open(int other, const Json& theirs) {
    const auto bytes = theirs.get<Handle>();
    cudaIpcMemHandle_t handle;
    std::memcpy(&handle, bytes.data(), sizeof handle);
    void* memory = nullptr;
    if (!worked(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess))) return false;
    theirs_[static_cast<std::size_t>(other)] = static_cast<char*>(memory);
    return true;
  }
  /// Tests whether a few bytes arrive at each other rank, and theirs here, within seconds.
  bool try_out(Peer& peer) {
    constexpr std::size_t bytes = 256;
    const auto place = [](int sender) { return bytes * static_cast<std::size_t>(sender); };
    const DeviceMemory sent(bytes);
    const auto pattern = [](int rank) { return 0x5a + rank; };
    cuda_call(cudaMemset(sent.as(), pattern(rank_), bytes), "fill GPU memory");
    const Timer timer;
    try {
      await(send(
                sent.as(),
                [&](int sender, int) {
                  return Move{0, place(sender), bytes};
                },
                timer.stream()),
            timer.stream());
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
    bool all_came = true;
    for_others([&](int other) {
      std::array<unsigned char, bytes> come{}, expected{};
      expected.fill(static_cast<unsigned char>(pattern(other)));
      auto* const here = memory() + place(other);
      all_came = all_came && worked(cudaMemcpy(come.data(), here, bytes, cudaMemcpyDeviceToHost)) && come == expected &&
                 worked(cudaMemset(here, 0, bytes));
    });
    return all_came;
  }

  char* memory() const override { return own_.as<char>(); }

  int send(const void* from, const Moves& moves, void* on) override {
    auto* const stream = static_cast<cudaStream_t>(on);
    if (part_ == RankFlags::most_parts) throw std::logic_error("ranks send each other too many parts in one step");
    const int part = part_++;
    if (part == 0) {
      flags_.await(all_flags([&](int other) { return &own_flags()->used[other]; }), stream);
    }
    for_others([&](int other) {
      const auto move = moves(rank_, other);
      if (move.bytes == 0) return;
      cuda_call(cudaMemcpyAsync(theirs(other) + move.to, static_cast<const char*>(from) + move.from, move.bytes,
                                cudaMemcpyDeviceToDevice, stream),
                "copy to another GPU");
    });
    flags_.raise(all_flags([&](int other) { return &flags_of(theirs(other))->sent[part][rank_]; }), stream);
    return part;
  }
  void await(int part, void* stream) override {
    flags_.await(all_flags([&](int other) { return &own_flags()->sent[part][other]; }),
                 static_cast<cudaStream_t>(stream));
  }
  void used(void* stream) override {
    last_ = static_cast<cudaStream_t>(stream);
    flags_.raise(all_flags([&](int other) { return &flags_of(theirs(other))->used[rank_]; }), last_);
    part_ = 0;
  }
  std::string way() const override { return "copy engines"; }

 private:
  char* theirs(int other) const { return theirs_[static_cast<std::size_t>(other)]; }
  RankFlags* flags_of(char* memory) const { return reinterpret_cast<RankFlags*>(memory + flags_at_); }
  RankFlags* own_flags() const { return flags_of(own_.as<char>()); }

  /// Each rank starts with the next one, so that not all send to the same rank first.
  template <class Call>
  void for_others(Call call) const {
    const int ranks = static_cast<int>(theirs_.size());
    for (int i = 1; i < ranks; ++i) call((rank_ + i) % ranks);
  }
  template <class FlagOf>
  std::vector<std::uint32_t*> all_flags(FlagOf flag_of) const {
    std::vector<std::uint32_t*> all;
    for_others([&](int other) { all.push_back(flag_of(other)); });
    return all;
  }

  /// Releases streams that wait for another GPU whose process may have died. Each wait resets its flag, so all flags
  /// are set repeatedly until the stream is idle; for at most a second, since nothing more can be done.
  void release() {
    RankFlags raised{};
    std::fill(std::begin(raised.used), std::end(raised.used), 1U);
    for (auto& part : raised.sent) std::fill(std::begin(part), std::end(part), 1U);
    cudaStream_t beside = nullptr;
    if (!worked(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking))) return;
    for (int tries = 0; tries < 1000 && cudaStreamQuery(last_) == cudaErrorNotReady; ++tries) {
      if (!worked(cudaMemcpyAsync(own_flags(), &raised, sizeof raised, cudaMemcpyHostToDevice, beside))) break;
      if (!worked(cudaStreamSynchronize(beside))) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    cudaStreamDestroy(beside);
  }

  int rank_;
  std::size_t flags_at_;
  DeviceMemory own_;
  StreamFlags flags_;
  std::vector<char*> theirs_;    ///< by rank; null for this one
  int part_ = 0;                 ///< of the step being enqueued
  cudaStream_t last_ = nullptr;  ///< stream on which steps end, including captured ones
};

/// Whether these ranks' GPUs may access each other: all on one host, and no two ranks on one GPU.
bool possible(const std::vector<Json>& all) {
  const auto text = [](const Json& one, const char* key) { return one.at(key).get<std::string>(); };
  std::set<std::string> gpus;
  for (const auto& one : all) {
    const auto boot = text(one, "boot");
    if (one.at("handle").is_null() || boot.empty() || boot != text(all.front(), "boot")) return false;
    if (!gpus.insert(text(one, "gpu")).second) return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<RankExchange> rank_copies(Peer& peer, const Device& device, std::size_t bytes) {
  std::unique_ptr<RankCopies> made;
  Json handle;
  try {
    made = std::make_unique<RankCopies>(peer.rank(), peer.world(), bytes);
    if (!left_to_nccl()) handle = made->handle();
  } catch (const std::runtime_error&) {
    // Without a handle the copies are not used: the other ranks see that below.
  }
  const auto all =
      peer.gather("memory for the other GPUs", {{"boot", os::boot_id()}, {"gpu", device.uuid}, {"handle", handle}});
  if (!possible(all)) return nullptr;
  // If one rank can't do a step, no rank does it.
  const auto each = [&](const char* what, bool can) {
    const auto answers = peer.gather(what, can);
    return std::all_of(answers.begin(), answers.end(), [](const Json& answer) { return answer.get<bool>(); });
  };
  bool opened = true;
  for (int other = 0; other < peer.world(); ++other) {
    if (other == peer.rank()) continue;
    opened = opened && made->open(other, all.at(static_cast<std::size_t>(other)).at("handle"));
  }
  if (!each("the other GPUs' memory", opened)) return nullptr;
  if (!each("a copy to the other GPUs", made->try_out(peer))) return nullptr;
  return made;
}

}  // namespace rv::workers
