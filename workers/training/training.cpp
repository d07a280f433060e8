#include "workers/training/training.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <thread>

#include "workers/collectives/collective_suites.h"
#include "workers/collectives/named_rank.h"
#include "workers/devices/checksum.h"
#include "workers/devices/processor_time.h"
#include "workers/devices/stopping.h"
#include "workers/training/checkpoint.h"
#include "workers/training/load_curve.h"

namespace rv::workers {
namespace {

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class Training {
 public:
  Training(Peer& peer, Communicator& communicator, Mlp& mlp, const TrainRequest& request)
      : peer_(peer), communicator_(communicator), mlp_(mlp), request_(request), several_(peer.world() > 1) {
    at_.batch = request.batch;
    at_.epoch_losses.assign(static_cast<std::size_t>(request.epochs), 0.0);
    per_epoch_ = (ToyData::samples + request.batch - 1) / request.batch;
  }

  bool run(const std::function<bool()>& warned) {
    resume();
    const auto first = at_.step;
    const auto begin = Clock::now();
    bool stop = false;
    while (at_.step < total() && !stop) {
      const auto step_begin = Clock::now();
      stop = step(warned());
      times_.push_back(since(step_begin) * 1e3);
      const bool due = request_.save_every > 0 && at_.step % request_.save_every == 0;
      if (due || stop || at_.step == total()) save();
      const auto left = request_.step_seconds - since(step_begin);
      if (left > 0 && !stop) std::this_thread::sleep_for(std::chrono::duration<double>(left));
    }
    report_losses(first, since(begin), stop && at_.step < total());
    report_digests();
    if (several_) report_straggler();
    return at_.step == total();
  }

 private:
  std::int64_t total() const { return std::int64_t{per_epoch_} * request_.epochs; }

  Measurement begin_measurement(std::string name, std::string unit) const {
    Measurement m;
    m.suite = several_ ? "ddp" : "train";
    m.name = std::move(name);
    m.unit = std::move(unit);
    m.device = communicator_.device();
    if (several_) {
      m.device = {};
      m.device.index = all_devices;
      m.device.model = "all ranks";
    }
    return m;
  }
  void report(const Measurement& m) {
    if (peer_.rank() == 0) peer_.report(m);
  }

  void resume() {
    if (request_.folder.empty()) return;
    peer_.doing("reading the checkpoint");
    auto loaded = load_checkpoint(request_.folder);
    if (!loaded.warning.empty()) fmt::print(stderr, "rv-train: {}\n", loaded.warning);
    if (loaded.checkpoint) {
      if (loaded.checkpoint->batch != request_.batch || loaded.checkpoint->state.size() != Mlp::state_count) {
        throw std::runtime_error(
            fmt::format("the checkpoint in {} belongs to another training (batch {}); choose another folder",
                        request_.folder.string(), loaded.checkpoint->batch));
      }
      at_ = std::move(*loaded.checkpoint);
      at_.epoch_losses.resize(static_cast<std::size_t>(request_.epochs), 0.0);
      mlp_.restore(at_.state);
    }
    // A file system that shows one rank an older file would make the ranks diverge.
    for (const auto& other : peer_.gather("the step to go on from", at_.step)) {
      if (other != at_.step)
        throw std::runtime_error("the ranks see different checkpoints; check that the folder is shared");
    }
  }

  void save() {
    if (request_.folder.empty()) return;
    peer_.doing(fmt::format("saving step {}", at_.step));
    if (peer_.rank() == 0) {
      at_.state = mlp_.state();
      save_checkpoint(request_.folder, at_);
    }
    peer_.barrier("saved");
  }

  /// Device time: elapsed time while this rank waits for its GPU, CPU time on the host.
  double device_seconds() const {
    if (communicator_.device().index < 0) return processor_seconds();
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  }

  /// Makes one step; returns true if a rank was warned.
  bool step(bool warned) {
    peer_.doing(fmt::format("training step {} of {}", at_.step + 1, total()));
    const auto epoch = static_cast<int>(at_.step / per_epoch_);
    if (epoch != shuffled_epoch_) {
      order_ = shuffled_samples(epoch);
      shuffled_epoch_ = epoch;
    }
    const auto begin = static_cast<int>(at_.step % per_epoch_) * request_.batch;
    const auto count = std::min(request_.batch, ToyData::samples - begin);
    const auto share = samples_of_rank(count, peer_.rank(), peer_.world());
    const auto start = device_seconds();
    mlp_.differentiate({order_.data() + begin + share.begin, static_cast<std::size_t>(share.end - share.begin)},
                       1.0F / static_cast<float>(count), warned ? 1.0F : 0.0F);
    mlp_.sums();  // waits for the device, so that the time includes the work
    const bool slow = peer_.fault().hits(Fault::Kind::slow, peer_.rank());
    work_.push_back(device_seconds() - start + (slow ? static_cast<double>(peer_.fault().at) / 1e3 : 0));
    if (several_) communicator_.all_reduce(mlp_.gradients(), Mlp::gradient_count);
    const auto sums = mlp_.sums();
    losses_.push_back(static_cast<double>(sums.loss));
    mlp_.update(++at_.step);
    at_.epoch_losses[static_cast<std::size_t>(epoch)] += static_cast<double>(sums.loss);
    if (!request_.folder.empty() && peer_.rank() == 0) {
      std::filesystem::create_directories(request_.folder);
      log_step(request_.folder, at_.step);
    }
    return sums.passenger > 0;
  }

  void report_losses(std::int64_t first, double seconds, bool paused) {
    auto m = begin_measurement(several_ ? "ddp_train" : "train", "");
    const auto steps = static_cast<double>(at_.step - first);
    const auto start = at_.epoch_losses.front() / per_epoch_, end = at_.epoch_losses.back() / per_epoch_;
    const auto limit = several_ ? 0.8 : 0.7;
    m.params = {{"ranks", peer_.world()}, {"steps", at_.step},
                {"resumed_at", first},    {"batch", request_.batch},
                {"seconds", seconds},     {"milliseconds_per_step", steps > 0 ? Json(seconds / steps * 1e3) : Json()},
                {"limit", limit},         {"library", several_ ? communicator_.library() : "none"}};
    if (paused) {
      m.verdict = Verdict::skip;
      m.reason = "warned";
      m.params["detail"] =
          fmt::format("saved after step {} of {}; run the same command to continue", at_.step, total());
      report(m);
      return;
    }
    m.value = end / start;
    m.params["first_epoch_loss"] = start;
    m.params["last_epoch_loss"] = end;
    m.params["losses"] = thinned(losses_, 200);
    m.params["step_milliseconds"] = thinned(times_, 200);
    const bool fell = end < limit * start;  // false for NaN
    m.verdict = fell ? Verdict::pass : Verdict::fail;
    if (!fell) m.reason = fmt::format("the loss went from {:.4f} to {:.4f}, not below {} of it", start, end, limit);
    report(m);
  }

  void report_digests() {
    auto state = mlp_.state();
    if (peer_.fault().hits(Fault::Kind::corrupt, peer_.rank())) {
      auto& bits = state[static_cast<std::size_t>(peer_.fault().at) % state.size()];
      bits = std::bit_cast<float>(std::bit_cast<std::uint32_t>(bits) ^ 1U);
    }
    const auto all = peer_.gather("weights", checksum_of(state));
    auto m = begin_measurement("weights", "");
    std::vector<std::string> odd;
    std::vector<int> ranks;
    const auto votes = [&](const Json& one) { return std::count(all.begin(), all.end(), one); };
    const auto most = *std::max_element(all.begin(), all.end(), [&](auto& a, auto& b) { return votes(a) < votes(b); });
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      if (all[rank] == most) continue;
      odd.push_back(fmt::format("rank {} (host {})", rank, peer_.hosts()[rank]));
      ranks.push_back(static_cast<int>(rank));
    }
    m.params = {{"checksum", all[0]}, {"ranks", peer_.world()}};
    m.verdict = odd.empty() ? Verdict::pass : Verdict::fail;
    m.rank = named_most(ranks);
    if (!odd.empty()) m.reason = fmt::format("the weights of {} differ from those of the others", fmt::join(odd, ", "));
    report(m);
  }

  void report_straggler() {
    if (work_.empty()) return;
    const auto all = peer_.gather("work per step", median(work_));
    std::vector<double> times;
    times.reserve(all.size());
    for (const auto& time : all) times.push_back(time.get<double>());
    auto m = begin_measurement("work before all_reduce", "ms");
    m.suite = "straggler";
    m.value = median(times) * 1e3;
    m.spread = median_absolute_deviation(times) * 1e3;
    Json by_rank = Json::array();
    for (const auto time : times) by_rank.push_back(time * 1e3);
    m.params = {{"milliseconds_by_rank", by_rank}};
    std::vector<std::string> slow;
    std::vector<int> ranks;
    // The host's work in a step takes microseconds, so only large differences count.
    for (const auto i : slow_ranks(times, communicator_.device().index < 0 ? 10 : 3)) {
      slow.push_back(fmt::format("rank {} (host {}) took {:.3g} ms for the same work, {:.2f} times the median", i,
                                 peer_.hosts()[i], times[i] * 1e3, times[i] / median(times)));
      ranks.push_back(static_cast<int>(i));
    }
    m.verdict = slow.empty() ? Verdict::pass : Verdict::fail;
    m.rank = named_most(ranks);
    if (!slow.empty()) m.reason = fmt::format("{}", fmt::join(slow, "; "));
    report(m);
  }

  Peer& peer_;
  Communicator& communicator_;
  Mlp& mlp_;
  const TrainRequest& request_;
  bool several_;
  int per_epoch_ = 0, shuffled_epoch_ = -1;
  std::vector<int> order_;
  std::vector<double> work_, losses_, times_;  // one per step
  Checkpoint at_;
};

}  // namespace

SampleRange samples_of_rank(int count, int rank, int world) {
  const auto place = [&](int r) { return static_cast<int>(std::int64_t{count} * r / world); };
  return {place(rank), place(rank + 1)};
}

bool run_training(Peer& peer, Communicator& communicator, Mlp& mlp, const TrainRequest& request,
                  const std::function<bool()>& warned) {
  return Training(peer, communicator, mlp, request).run(warned);
}

}  // namespace rv::workers
