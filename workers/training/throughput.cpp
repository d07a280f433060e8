#include "workers/training/throughput.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <future>
#include <numeric>

#include "workers/collectives/collective_suites.h"
#include "workers/collectives/named_rank.h"
#include "workers/devices/stopping.h"
#include "workers/training/checkpoint.h"
#include "workers/training/data/data_source.h"
#include "workers/training/given_weights.h"
#include "workers/training/load_curve.h"
#include "workers/training/reader_threads.h"
#include "workers/training/step_means.h"

namespace rv::workers {
namespace {

double quantile(std::vector<double> sorted, double share) {
  if (sorted.empty()) return 0;
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
}

Json step_times(const std::vector<double>& seconds) {
  return {{"p50", quantile(seconds, 0.5)},
          {"p95", quantile(seconds, 0.95)},
          {"p99", quantile(seconds, 0.99)},
          {"max", quantile(seconds, 1)}};
}

Json agreed(const ThroughputRequest& r) {
  return {{"model", r.model},
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
          {"initial_weights", r.initial_weights.empty() ? Json() : Json(r.initial_weights.string())}};
}

class Throughput {
 public:
  Throughput(Peer& peer, Communicator& communicator, bool on_gpu, const ThroughputRequest& request)
      : peer_(peer), communicator_(communicator), on_gpu_(on_gpu), request_(request) {}

  bool run(const std::function<bool()>& warned) {
    check_agreement();
    peer_.doing("making the network");
    network_ = network_of(request_, on_gpu_);
    resume();
    LearnerRequest learner{request_.precision, request_.seed, request_.rate, choices_, !request_.folder.empty()};
    try {
      learner_ = (on_gpu_ ? gpu_learner : host_learner)(network_, learner, peer_, communicator_);
    } catch (const OutOfGpuMemory& error) {
      throw std::runtime_error(fmt::format("{}; {}", error.what(), what_fits(error.free)));
    }
    if (!request_.initial_weights.empty() && at_.step == 0) {
      learner_->begin_with(given_weights(peer_, request_.initial_weights, network_));
    }
    if (at_.step > 0) learner_->restore({at_.state.data(), at_.state.size() - choices_.size() - 1}, at_.step);
    source_ = data_source(
        {request_.data_mode, request_.data_folder, *request_.batch, *request_.classes, *request_.image_size,
         network_.input < 0 ? *request_.sequence : 0, peer_.rank(), peer_.world(), request_.seed,
         request_.data_threads.value_or(request_.data_mode == "imagenet" ? share_of_processors(peer_) : 1)});

    const std::int64_t total = *request_.warmup + std::int64_t{request_.repeats} * *request_.active;
    bool stopped = !train_until(std::min<std::int64_t>(*request_.warmup, total), warned);
    learner_->step_seconds();  // of the warm-up: not wanted
    // Of one GPU, for the page; the ranks wait for each other at every step.
    std::optional<LoadCurve> load;
    if (on_gpu_ && peer_.rank() == 0) load.emplace(communicator_.device().pci_bus_id);
    for (int repeat = 0; repeat < request_.repeats && !stopped; ++repeat) {
      const auto end = *request_.warmup + std::int64_t{repeat + 1} * *request_.active;
      const auto first = at_.step;
      if (first >= end) continue;
      peer_.barrier("the timed steps begin");
      const auto begin = Clock::now();
      stopped = !train_until(end, warned);
      const auto seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      auto steps = learner_->step_seconds();
      const auto done = at_.step - first;
      if (done == 0) break;
      timed_seconds_ += seconds;
      timed_steps_ += done;
      repeats_.push_back(seconds / static_cast<double>(done));
      steps_.insert(steps_.end(), steps.begin(), steps.end());
    }
    if (load) load_ = load->stop();
    save(true);
    if (!stopped && peer_.rank() == 0 && !request_.final_weights.empty()) leave_weights();
    report(stopped, total);
    return !stopped;
  }

 private:
  /// Ranks with other options would train something else, or wait for each other for ever.
  void check_agreement() {
    const auto all = peer_.gather("options", agreed(request_));
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      for (const auto& [key, value] : all[0].items()) {
        if (all[rank].at(key) == value) continue;
        throw std::runtime_error(
            fmt::format("rank {} (host {}) has {} {}, and rank 0 has {}; start all ranks with "
                        "the same options",
                        rank, peer_.hosts()[rank], key, all[rank].at(key).dump(), value.dump()));
      }
    }
  }

  void leave_weights() const {
    peer_.doing("writing the final weights");
    const auto state = learner_->state();
    const auto space = network_.parameter_space;
    const std::span all(state);
    write_weights(request_.final_weights, network_, all.first(space), all.subspan(2 * space, network_.running_space));
  }

  std::string what_fits(std::size_t free) const {
    const auto fits = [&](int batch) {
      auto less = request_;
      less.batch = batch;
      LearnerRequest learner;
      learner.precision = request_.precision;
      return gpu_bytes_needed(network_of(less, true), learner) <= free;
    };
    int known = 0, not_known = *request_.batch;
    while (not_known - known > 1) {
      const int middle = known + (not_known - known) / 2;
      (fits(middle) ? known : not_known) = middle;
    }
    return known > 0 ? fmt::format("--batch-size {} fits", known) : "no batch fits";
  }

  void resume() {
    at_.batch = std::int64_t{*request_.batch} * peer_.world();
    if (request_.folder.empty()) return;
    peer_.doing("reading the checkpoint");
    auto loaded = load_checkpoint(request_.folder, checkpoint_name(peer_.rank()));
    if (!loaded.warning.empty()) fmt::print(stderr, "rv-train: {}\n", loaded.warning);
    if (loaded.checkpoint) {
      if (loaded.checkpoint->batch != at_.batch) {
        throw std::runtime_error(fmt::format("{} is of another training: {} samples a step in place of {}",
                                             request_.folder.string(), loaded.checkpoint->batch, at_.batch));
      }
      at_ = std::move(*loaded.checkpoint);
      const auto count = static_cast<std::size_t>(at_.state.back());
      for (std::size_t i = 0; i < count; ++i) {
        choices_.push_back(static_cast<int>(at_.state[at_.state.size() - 1 - count + i]));
      }
    }
    for (const auto& step : peer_.gather("checkpoint", at_.step)) {
      if (step != at_.step) {
        throw std::runtime_error("the ranks' checkpoints are of different steps; is the folder shared?");
      }
    }
    resumed_at_ = at_.step;
  }

  static std::string checkpoint_name(int rank) { return fmt::format("rv-train.{}", rank); }

  /// Every rank its own: running statistics are not the same on all.
  void save(bool last) {
    if (request_.folder.empty()) return;
    if (!last && (request_.save_every == 0 || at_.step % request_.save_every != 0)) return;
    if (saved_ == at_.step) return;
    learner_->finish();
    peer_.doing(fmt::format("saving step {}", at_.step));
    at_.state = learner_->state();
    const auto choices = learner_->choices();
    for (const auto choice : choices) at_.state.push_back(static_cast<float>(choice));
    at_.state.push_back(static_cast<float>(choices.size()));
    save_checkpoint(request_.folder, at_, checkpoint_name(peer_.rank()));
    saved_ = at_.step;
    peer_.barrier("saved");
  }

  /// The batch of a step into its slot; what comes again stays where it is.
  void load(std::int64_t step) {
    const auto slot = static_cast<int>(step % learner_->slots());
    const auto cycle = source_->cycle();
    if (cycle > 0 && cycle <= learner_->slots() && loaded_ >= cycle) return;
    learner_->load(slot, prepared_.valid() ? prepared_.get() : source_->batch(step));
    ++loaded_;
    if (cycle > 0 && loaded_ >= cycle) return;
    prepared_ = std::async(std::launch::async, [this, step] { return source_->batch(step + 1); });
  }

  /// False: a warning came.
  bool train_until(std::int64_t end, const std::function<bool()>& warned) {
    bool stop = false;
    while (at_.step < end && !stop) {
      if (at_.step % 64 == 0 || !on_gpu_) peer_.doing(fmt::format("training step {}", at_.step + 1));
      suffer(peer_.fault(), peer_.rank(), at_.step + 1);
      load(at_.step);
      learner_->step(static_cast<int>(at_.step % learner_->slots()), warned());
      ++at_.step;
      stop = learner_->warned();
      save(false);
    }
    learner_->finish();
    const auto losses = learner_->losses();
    losses_.insert(losses_.end(), losses.begin(), losses.end());
    const auto accuracies = learner_->accuracies();
    accuracies_.insert(accuracies_.end(), accuracies.begin(), accuracies.end());
    return !stop;
  }

  Measurement begin_measurement(std::string name, std::string unit) const {
    Measurement m;
    m.suite = peer_.world() > 1 ? "ddp" : "train";
    m.name = std::move(name);
    m.unit = std::move(unit);
    m.device = communicator_.device();
    if (peer_.world() > 1) {
      m.device = {};
      m.device.index = all_devices;
      m.device.model = "all ranks";
    }
    return m;
  }

  void report(bool stopped, std::int64_t total) {
    const auto state = learner_->state();
    auto own_digest = digest(std::span(state).first(2 * network_.parameter_space));
    if (peer_.fault().hits(Fault::Kind::corrupt, peer_.rank())) own_digest += "x";
    const auto all = peer_.gather("results", Json{{"seconds", timed_seconds_},
                                                  {"steps", timed_steps_},
                                                  {"step", step_times(steps_)},
                                                  {"losses", losses_},
                                                  {"accuracies", accuracies_},
                                                  {"weights", own_digest},
                                                  {"details", learner_->details()}});
    if (peer_.rank() != 0) return;
    auto m = begin_measurement("throughput", "samples/s");
    m.params = agreed(request_);
    m.params.update({{"ranks", peer_.world()}, {"steps", at_.step}, {"resumed_at", resumed_at_}});
    m.params["parameters"] = network_.learnt();
    if (stopped || timed_steps_ == 0) {
      m.verdict = Verdict::skip;
      m.reason = stopped ? "warned" : "nothing_timed";
      m.params["detail"] = stopped ? fmt::format("saved after step {} of {}; start it again to go on", at_.step, total)
                                   : fmt::format("all {} steps had been done before; move {} away to train anew", total,
                                                 request_.folder.string());
      peer_.report(m);
      report_weights(all);
      return;
    }
    double slowest = 0;
    for (const auto& one : all) slowest = std::max(slowest, one.at("seconds").get<double>());
    const auto global = std::int64_t{*request_.batch} * peer_.world();
    const auto samples = global * timed_steps_;
    const auto rate = static_cast<double>(samples) / slowest;
    const auto flops = network_.flop_per_step() * static_cast<double>(timed_steps_) / slowest;
    bool finite = true;
    const auto means = means_over_ranks(all, "losses", finite),
               accuracies = means_over_ranks(all, "accuracies", finite);
    Json by_rank = Json::array(), speeds = Json::array();
    for (const auto& one : all) by_rank.push_back(one.at("step"));
    for (const auto seconds : repeats_) speeds.push_back(static_cast<double>(global) / seconds);
    const auto variation = coefficient_of_variation();
    m.value = rate;
    m.params.update({{"milliseconds_per_step", slowest / static_cast<double>(timed_steps_) * 1e3},
                     {"model_tflops_per_rank", flops / 1e12},
                     {"first_loss", means.front()},
                     {"last_loss", means.back()},
                     {"accuracy", newest_mean(accuracies)},
                     {"library", peer_.world() > 1 ? communicator_.library() : "none"}});
    m.params.update(all[0].at("details"));
    m.verdict = finite ? Verdict::pass : Verdict::fail;
    if (!finite) m.reason = "a loss is infinite or no number";
    peer_.report(m);
    report_weights(all);
    if (request_.results.empty()) return;
    const auto& device = communicator_.device();
    Json results = {{"model", request_.model},
                    {"world_size", peer_.world()},
                    {"batch_size_per_gpu", *request_.batch},
                    {"global_batch_size", global},
                    {"total_time_seconds", slowest},
                    {"average_step_time_seconds", slowest / static_cast<double>(timed_steps_)},
                    {"throughput_samples_per_second", rate},
                    {"total_samples", samples},
                    {"device", device.index < 0 ? "cpu" : fmt::format("cuda:{}", device.index)},
                    {"backend", on_gpu_ ? "nccl" : "gloo"},
                    {"precision", request_.precision},
                    {"data_mode", request_.data_mode},
                    {"seed", request_.seed},
                    {"step_seconds_by_rank", by_rank},
                    {"samples_per_second_by_repeat", speeds},
                    {"coefficient_of_variation", variation ? Json(*variation) : Json()},
                    {"model_flops_per_second_per_rank", flops},
                    {"parameters", network_.learnt()},
                    {"losses", means},
                    {"accuracies", accuracies},
                    {"accuracy", newest_mean(accuracies)},
                    {"step_seconds", thinned(steps_, 1000)},
                    {"load", load_},
                    {"weights", all[0].at("weights")}};
    results.update(all[0].at("details"));
    results["reader"] = reader_json(*source_);
    std::ofstream file(request_.results);
    file << results.dump(1) << '\n';
    file.close();
    if (!file) throw std::runtime_error(fmt::format("cannot write {}", request_.results.string()));
  }

  std::optional<double> coefficient_of_variation() const {
    if (repeats_.size() < 2) return std::nullopt;
    const auto n = static_cast<double>(repeats_.size());
    const auto mean = std::accumulate(repeats_.begin(), repeats_.end(), 0.0) / n;
    double squares = 0;
    for (const auto one : repeats_) squares += (one - mean) * (one - mean);
    return std::sqrt(squares / (n - 1)) / mean;
  }

  /// Parameters and momentum are the same on all ranks, or something added up wrong.
  void report_weights(const std::vector<Json>& all) {
    auto m = begin_measurement("weights", "");
    std::vector<std::string> odd;
    std::vector<int> ranks;
    const auto weights = [](const Json& one) { return one.at("weights").get<std::string>(); };
    const auto votes = [&](const Json& one) {
      return std::count_if(all.begin(), all.end(), [&](const Json& other) { return weights(other) == weights(one); });
    };
    const auto& most = *std::max_element(all.begin(), all.end(), [&](auto& a, auto& b) { return votes(a) < votes(b); });
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      if (weights(all[rank]) == weights(most)) continue;
      odd.push_back(fmt::format("rank {} (host {})", rank, peer_.hosts()[rank]));
      ranks.push_back(static_cast<int>(rank));
    }
    m.params = {{"checksum", weights(all[0])}, {"ranks", peer_.world()}};
    m.verdict = odd.empty() ? Verdict::pass : Verdict::fail;
    m.rank = named_most(ranks);
    if (!odd.empty()) m.reason = fmt::format("the weights of {} differ from those of the others", fmt::join(odd, ", "));
    peer_.report(m);
  }

  Peer& peer_;
  Communicator& communicator_;
  bool on_gpu_;
  const ThroughputRequest& request_;
  Network network_;
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<DataSource> source_;
  std::future<Batch> prepared_;
  Checkpoint at_;
  std::vector<int> choices_;
  std::int64_t resumed_at_ = 0, saved_ = -1, timed_steps_ = 0;
  Json load_;
  int loaded_ = 0;
  double timed_seconds_ = 0;
  std::vector<double> steps_, repeats_;
  std::vector<float> losses_, accuracies_;
};

}  // namespace

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

bool run_throughput(Peer& peer, Communicator& communicator, bool on_gpu, const ThroughputRequest& request,
                    const std::function<bool()>& warned) {
  auto whole = request;
  complete(whole, on_gpu);
  return Throughput(peer, communicator, on_gpu, whole).run(warned);
}

}  // namespace rv::workers
