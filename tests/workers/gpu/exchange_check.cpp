#include "tests/workers/gpu/exchange_check.h"

#include <fmt/format.h>

#include <set>

#include "tests/workers/gpu/gpu_arrays.h"
#include "workers/training/gpu/step/exchange_space.h"

namespace rv::workers {
namespace {

/// Plays the other ranks, whose gradients are this one's, or nought. What they move stays where it was.
class PlayedRanks : public RankExchange {
 public:
  PlayedRanks(int rank, int ranks, std::size_t bytes, bool same)
      : rank_(rank), ranks_(ranks), same_(same), own_(bytes) {
    cuda_call(cudaMemset(own_.as(), 0, bytes), "clear");
  }
  char* memory() const override { return own_.as<char>(); }
  int send(const void* from, const Moves& moves, void* stream) override {
    for (int other = 0; other < ranks_; ++other) {
      if (other == rank_ || !same_) continue;
      const auto move = moves(other, rank_);
      const auto* const theirs = static_cast<const char*>(from) + move.from;
      auto* const here = memory() + move.to;
      if (theirs == here) continue;
      cuda_call(cudaMemcpyAsync(here, theirs, move.bytes, cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(stream)),
                "send");
    }
    open_parts.insert(parts);
    return parts++;
  }
  void await(int part, void*) override { open_parts.erase(part); }
  void used(void*) override { steps += 1; }
  std::string way() const override { return "played"; }

  int parts = 0, steps = 0;
  std::set<int> open_parts;  ///< that nobody has waited for

 private:
  int rank_, ranks_;
  bool same_;
  DeviceMemory own_;
};

}  // namespace

int check_exchange(const std::string& name, const Reference& of, GpuPrecision precision, int ranks) {
  const float scale = precision == GpuPrecision::fp16 ? 1024.0F : 1.0F;
  GpuNetwork alone(of.network, request_for(precision, true));
  const auto whole = one_step(of, alone, precision, scale);
  int failed = 0;
  for (const bool same : {false, true}) {
    std::vector<double> expected(whole.momentum.begin(), whole.momentum.end());
    for (auto& value : expected) value *= same ? 1.0 : 1.0 / ranks;
    std::vector<double> moved(expected.size());
    bool ok = true;
    int parts = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      PlayedRanks others(rank, ranks, ExchangeSpace(of.network, storage_of(precision), ranks).total, same);
      auto request = request_for(precision, true);
      request.rank = rank;
      request.world = ranks;
      request.choices = alone.tuner().choices();
      request.exchange = &others;
      GpuNetwork gpu(of.network, request);
      const auto step = one_step(of, gpu, precision, scale);
      for (std::size_t i = 0; i < moved.size(); ++i) {
        if (rank == 0 || i >= of.network.fp32_space) moved[i] += static_cast<double>(step.momentum[i]);
      }
      parts = others.parts;
      ok = ok && step.state.skipped == 0 && parts > 0 && others.open_parts.empty() && others.steps == 1;
    }
    const auto off = all_squares(of.network, expected, moved).ratio();
    const double limit = 0x1p-9;  // the most that bf16 rounds
    ok = ok && off <= limit;
    if (!ok) ++failed;
    fmt::print("{:<44} {} momentum off {:.2e}, at most {:.2e}; {} parts\n",
               fmt::format("{}, {}", name, same ? "the same" : "nought"), ok ? "ok    " : "NOT OK", off, limit, parts);
  }
  return failed;
}

}  // namespace rv::workers
