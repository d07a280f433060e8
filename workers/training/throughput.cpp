#include "workers/training/throughput.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "shared/documents/json_integer.h"
#include "workers/collectives/agreement.h"
#include "workers/devices/checksum.h"
#include "workers/devices/stopping.h"
#include "workers/training/checkpoint.h"
#include "workers/training/data/data_source.h"
#include "workers/training/fitting_batch.h"
#include "workers/training/given_weights.h"
#include "workers/training/image_decoders.h"
#include "workers/training/input_feed.h"
#include "workers/training/load_curve.h"
#include "workers/training/reader_threads.h"
#include "workers/training/stored_choices.h"
#include "workers/training/throughput_report.h"

namespace rv::workers {
namespace {

double mean(const std::vector<double>& values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class Throughput {
 public:
  Throughput(Peer& peer, Communicator& communicator, bool on_gpu, const ThroughputRequest& request)
      : peer_(peer), communicator_(communicator), on_gpu_(on_gpu), request_(request) {}

  ThroughputEnd run(const std::function<bool()>& warned) {
    check_agreement(peer_, agreed_options(request_));
    peer_.doing("making the network");
    network_ = network_of(request_, on_gpu_);
    if (on_gpu_) gpu_memory_.emplace(communicator_.device().uuid);
    LearnerRequest learner{request_.precision, request_.seed, request_.rate, {}, !request_.folder.empty()};
    prepare_to_read(learner);
    if (auto refusal = refuse_what_does_not_fit(peer_, on_gpu_, request_, learner)) return {false, std::move(refusal)};
    resume();
    learner.choices = choices_;
    learner_ = (on_gpu_ ? gpu_learner : host_learner)(network_, learner, peer_, communicator_);
    note_memory();
    if (!request_.initial_weights.empty() && at_.step == 0) {
      learner_->begin_with(given_weights(peer_, request_.initial_weights, network_));
    }
    if (at_.step > 0) learner_->restore(at_.state, at_.step);
    source_ = data_source({request_.data_mode, request_.data_folder, *request_.batch, *request_.classes,
                           *request_.image_size, network_.input < 0 ? *request_.sequence : 0, peer_.rank(),
                           peer_.world(), request_.seed, decoders_.threads, decoders_.gpu.all});
    feed_.emplace(*source_, *learner_);
    time_one_rank();
    result_.stopped = !train_until(std::min<std::int64_t>(*request_.warmup, total()), warned);
    time_steps(warned);
    save(true);
    if (!result_.stopped) {
      const auto learnt = learner_->state();
      leave_weights(learnt);
      if (result_.timed_steps > 0) time_parts(learnt);
    }
    report();
    return {!result_.stopped, std::nullopt};
  }

 private:
  std::int64_t total() const { return *request_.warmup + std::int64_t{request_.repeats} * *request_.active; }

  /// Creates the decoders first, because they use memory.
  void prepare_to_read(LearnerRequest& learner) {
    if (request_.data_mode != "imagenet") return;
    peer_.doing("making the images' decoders");
    const int threads = request_.data_threads ? *request_.data_threads : share_of_processors(peer_);
    decoders_ = image_decoders(peer_, request_.decoder, on_gpu_, threads);
    learner.gpu_decoders = decoders_.most;
  }

  void leave_weights(std::span<const float> learnt) {
    if (peer_.rank() != 0 || request_.final_weights.empty()) return;
    peer_.doing("writing the final weights");
    const auto space = network_.parameter_space;
    write_weights(request_.final_weights, network_, learnt.first(space),
                  learnt.subspan(2 * space, network_.running_space));
  }

  void resume() {
    at_.batch = std::int64_t{*request_.batch} * peer_.world();
    if (request_.folder.empty()) return;
    peer_.doing("reading the checkpoint");
    auto loaded = load_checkpoint(request_.folder, checkpoint_name(peer_.rank()));
    if (!loaded.warning.empty()) fmt::print(stderr, "rv-train: {}\n", loaded.warning);
    if (loaded.checkpoint) {
      if (loaded.checkpoint->batch != at_.batch) {
        throw std::runtime_error(fmt::format("{} belongs to another training: {} samples per step instead of {}",
                                             request_.folder.string(), loaded.checkpoint->batch, at_.batch));
      }
      at_ = std::move(*loaded.checkpoint);
      try {
        choices_ = take_choices(at_.state);
      } catch (const std::runtime_error& error) {
        throw std::runtime_error(fmt::format("{}: {}", request_.folder.string(), error.what()));
      }
    }
    for (const auto& step : peer_.gather("checkpoint", at_.step)) {
      if (step != at_.step) {
        throw std::runtime_error("the ranks have checkpoints of different steps; check that the folder is shared");
      }
    }
    result_.resumed_at = at_.step;
  }

  static std::string checkpoint_name(int rank) { return fmt::format("rv-train.{}", rank); }

  /// Every rank saves its own checkpoint: running statistics differ between ranks.
  void save(bool last) {
    if (request_.folder.empty()) return;
    if (!last && (request_.save_every == 0 || at_.step % request_.save_every != 0)) return;
    if (saved_ == at_.step) return;
    learner_->finish();
    peer_.doing(fmt::format("saving step {}", at_.step));
    at_.state = learner_->state();
    append_choices(at_.state, learner_->choices());
    save_checkpoint(request_.folder, at_, checkpoint_name(peer_.rank()));
    saved_ = at_.step;
    peer_.barrier("saved");
  }

  /// Makes the timed steps with all repeats.
  void time_steps(const std::function<bool()>& warned) {
    // The page shows rank 0's curve; of the others only throttling is reported.
    std::optional<LoadCurve> load;
    if (on_gpu_) load.emplace(communicator_.device().pci_bus_id);
    for (int repeat = 0; repeat < request_.repeats && !result_.stopped; ++repeat) {
      const auto end = *request_.warmup + std::int64_t{repeat + 1} * *request_.active;
      const auto first = at_.step;
      if (first >= end) continue;
      peer_.barrier("the timed steps begin");
      learner_->step_seconds();  // discards the times of earlier steps
      const auto begin = Clock::now();
      result_.stopped = !train_until(end, warned);
      const auto seconds = since(begin);
      auto steps = learner_->step_seconds();
      const auto done = at_.step - first;
      if (done == 0) break;
      result_.timed_seconds += seconds;
      result_.timed_steps += done;
      result_.repeats.push_back(seconds / static_cast<double>(done));
      result_.steps.insert(result_.steps.end(), steps.begin(), steps.end());
    }
    if (load) result_.load = load->stop();
  }

  /// Measures the shares of a step's time: makes steps that leave something out, after the timed ones. They change the
  /// weights, so the learnt state is restored.
  void time_parts(std::span<const float> learnt) {
    const int steps = on_gpu_ ? std::min(*request_.active, 20) : 5;
    StepTimes times;
    times.whole = mean(result_.steps);
    const auto alone = peer_.world() > 1 ? steps_alone(steps, true) : result_.steps;
    times.alone = mean(alone);
    result_.alone_seconds = median(alone);
    times.computing = mean(steps_alone(steps, false));
    result_.times = times;
    learner_->restore(learnt, at_.step);
  }

  /// Seconds of steps without the other ranks, except the first, which warms up. All ranks start together, since GPUs
  /// of one host share its power and its links.
  std::vector<double> steps_alone(int count, bool with_input) {
    peer_.doing("timing steps without the other ranks");
    peer_.barrier("steps without the other ranks");
    run_alone(1, with_input);
    learner_->step_seconds();
    run_alone(count, with_input);
    return learner_->step_seconds();
  }

  void run_alone(int count, bool with_input) {
    for (int i = 0; i < count; ++i) {
      report_progress(!on_gpu_, [] { return std::string("timing steps without the other ranks"); });
      std::optional<int> slot;
      if (with_input) slot = feed_->load(at_.step + alone_steps_++);
      be_slow();
      learner_->step_alone(slot);
    }
    learner_->finish();
    learner_->losses();  // discards losses that do not belong to the training
    learner_->accuracies();
  }

  /// Times one rank by itself while the others wait, as the reference for all together. It takes at most a quarter of
  /// the time that they may wait.
  void time_one_rank() {
    if (!request_.scaling || peer_.world() == 1) return;
    peer_.doing("timing one rank alone");
    const auto fresh = learner_->state();
    if (peer_.rank() == 0) {
      run_alone(std::clamp(*request_.warmup, 1, 10), true);
      const auto pilot = Clock::now();
      run_alone(1, true);
      const auto room =
          std::chrono::duration<double>(peer_.deadlines().step).count() / 4 / std::max(since(pilot), 1e-6);
      const auto steps = static_cast<int>(std::clamp<double>(room, 1, *request_.active));
      const auto begin = Clock::now();
      run_alone(steps, true);
      result_.one_rank_seconds = since(begin) / steps;
      learner_->step_seconds();
      learner_->restore(fresh, at_.step);
      alone_steps_ = 0;
    }
    peer_.barrier("one rank alone");
  }

  /// For tests: makes a rank slower.
  void be_slow() const {
    if (!peer_.fault().hits(Fault::Kind::slow, peer_.rank())) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(peer_.fault().at));
  }

  /// Returns false if a warning ended it.
  bool train_until(std::int64_t end, const std::function<bool()>& warned) {
    bool stop = false;
    const auto step_text = [&] { return fmt::format("training step {} of {}", at_.step + 1, total()); };
    while (at_.step < end && !stop) {
      report_progress(at_.step % 64 == 0 || !on_gpu_, step_text);
      suffer(peer_.fault(), peer_.rank(), at_.step + 1);
      const int slot = feed_->load(at_.step);
      be_slow();
      learner_->step(slot, warned());
      ++at_.step;
      stop = learner_->warned();
      save(false);
    }
    learner_->finish();
    const auto losses = learner_->losses();
    result_.losses.insert(result_.losses.end(), losses.begin(), losses.end());
    const auto accuracies = learner_->accuracies();
    result_.accuracies.insert(result_.accuracies.end(), accuracies.begin(), accuracies.end());
    return !stop;
  }

  /// Reports progress: as a `step` by which ranks are compared, or else often enough for users and the deadline, and
  /// rarely enough for many ranks with short steps.
  void report_progress(bool step, const std::function<std::string()>& what) {
    if (step) return peer_.doing(what());
    constexpr auto every = std::chrono::milliseconds(300);
    if (Clock::now() - reported_at_ < every) return;
    reported_at_ = Clock::now();
    peer_.reached(what());
  }

  void note_memory() {
    const auto allocated = integer_or(learner_->details(), "allocated_gpu_memory_bytes", std::uint64_t{0});
    if (gpu_memory_) gpu_memory_->sample(allocated);
    result_.memory = gpu_memory_ ? gpu_memory_->most() : host_memory_taken();
  }

  void report() {
    result_.step = at_.step;
    result_.total = total();
    result_.details = learner_->details();
    note_memory();
    result_.reader = reader_json(*source_, decoders_.gpu.library);
    const auto state = learner_->state();
    result_.weights =
        checksum_of(std::span(state).first(2 * network_.parameter_space)) + learner_->checksum_of_copies();
    if (peer_.fault().hits(Fault::Kind::corrupt, peer_.rank())) result_.weights += "x";
    report_throughput(peer_, communicator_, on_gpu_, request_, network_, result_);
  }

  Peer& peer_;
  Communicator& communicator_;
  bool on_gpu_;
  const ThroughputRequest& request_;
  Network network_;
  ImageDecoders decoders_;
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<DataSource> source_;
  std::optional<InputFeed> feed_;
  std::optional<GpuMemoryTaken> gpu_memory_;
  Checkpoint at_;
  std::vector<int> choices_;
  Clock::time_point reported_at_{};
  std::int64_t saved_ = -1, alone_steps_ = 0;
  RankResult result_;
};

}  // namespace

Json agreed_options(const ThroughputRequest& r) {
  Json options = {{"model", r.model},
                  {"data_mode", r.data_mode},
                  {"batch_size_per_gpu", *r.batch},
                  {"num_classes", *r.classes},
                  {"learning_rate", r.rate},
                  {"warmup_iterations", *r.warmup},
                  {"active_iterations", *r.active},
                  {"repeats", r.repeats},
                  {"precision", r.precision},
                  {"seed", r.seed},
                  {"image_size", *r.image_size},
                  {"sequence", *r.sequence},
                  {"dropout", r.dropout},
                  {"initial_weights", r.initial_weights.empty() ? Json() : Json(r.initial_weights.string())},
                  {"scaling", r.scaling}};
  if (r.data_mode == "imagenet") options["decoder"] = r.decoder;
  return options;
}

void complete(ThroughputRequest& r, bool on_gpu) {
  if (r.precision.empty()) r.precision = on_gpu ? "bf16" : "fp32";
  if (!on_gpu && r.precision != "fp32") {
    throw std::runtime_error(
        fmt::format("--precision {} needs a GPU; on the host's processor there is fp32", r.precision));
  }
  r.batch = r.batch.value_or(on_gpu ? 32 : 4);
  r.warmup = r.warmup.value_or(on_gpu ? 50 : 1);
  r.active = r.active.value_or(on_gpu ? 100 : 3);
  r.image_size = r.image_size.value_or(on_gpu ? 224 : 32);
  r.sequence = r.sequence.value_or(on_gpu ? 511 : 15);
  r.classes = r.classes.value_or(on_gpu ? 1000 : 16);
}

Network network_of(const ThroughputRequest& r, bool on_gpu) {
  if (r.model == "resnet18") return resnet(18, *r.batch, *r.image_size, *r.classes);
  if (r.model == "resnet50") return resnet(50, *r.batch, *r.image_size, *r.classes);
  TransformerSize size;
  if (!on_gpu) size = {2, 64, 4, 128, 0};
  size.dropout = r.dropout;
  return transformer(*r.batch, *r.sequence, *r.classes, size);
}

ThroughputEnd run_throughput(Peer& peer, Communicator& communicator, bool on_gpu, const ThroughputRequest& request,
                             const std::function<bool()>& warned) {
  auto whole = request;
  complete(whole, on_gpu);
  return Throughput(peer, communicator, on_gpu, whole).run(warned);
}

}  // namespace rv::workers
