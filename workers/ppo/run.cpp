#include "workers/ppo/run.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "shared/documents/json_dump.h"
#include "workers/collectives/agreement.h"
#include "workers/devices/checksum.h"
#include "workers/devices/random_input.h"
#include "workers/devices/stopping.h"
#include "workers/ppo/iteration_log.h"
#include "workers/training/checkpoint.h"

namespace rv::ppo {
namespace {

using workers::Clock;
using workers::Json;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The checkpoint file stores floats: bytes are copied into them, and the last float has the number of bytes.
std::vector<float> as_floats(const std::vector<std::byte>& bytes) {
  std::vector<float> floats((bytes.size() + 3) / 4 + 2);
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  const std::uint64_t count = bytes.size();
  std::memcpy(floats.data() + floats.size() - 2, &count, sizeof count);
  return floats;
}

std::vector<std::byte> as_bytes(const std::vector<float>& floats) {
  std::uint64_t count = 0;
  if (floats.size() >= 2) std::memcpy(&count, floats.data() + floats.size() - 2, sizeof count);
  if (count > floats.size() * sizeof(float)) throw std::runtime_error("the checkpoint belongs to another training");
  std::vector<std::byte> bytes(count);
  std::memcpy(bytes.data(), floats.data(), count);
  return bytes;
}

Json known(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

class Run {
 public:
  Run(workers::Peer& peer, workers::Communicator& communicator, bool on_gpu, const TaskSource& task,
      const RunRequest& request)
      : peer_(peer), communicator_(communicator), on_gpu_(on_gpu), task_(task), request_(request) {}

  RunResult run(const std::function<bool()>& warned) {
    workers::check_agreement(peer_, agreed_options());
    if (auto refusal = make_room()) return {false, std::move(refusal)};
    peer_.doing("making the environments");
    environments_ = task_.make(request_.environments, peer_.rank() * request_.environments);
    peer_.doing("making the networks");
    learner_ = (on_gpu_ ? gpu_learner : host_learner)(*environments_, learner_request());
    if (learner_ == nullptr) throw std::runtime_error("this rv-envs was built without CUDA");
    if (auto refusal = resume()) return {false, std::move(refusal)};
    begin_ = Clock::now();
    first_ = learner_->iterations();
    const auto wanted = static_cast<std::uint64_t>(request_.iterations);
    bool stopped = false;
    while (learner_->iterations() < wanted && !stopped) {
      const auto next = learner_->iterations() + 1;
      peer_.doing(fmt::format("iteration {} of {}", next, wanted));
      workers::suffer(peer_.fault(), peer_.rank(), static_cast<std::int64_t>(next));
      const auto outcome = learner_->iterate(warned());
      stopped = outcome.warned && next < wanted;
      note(outcome);
      const bool due = request_.save_every > 0 && next % static_cast<std::uint64_t>(request_.save_every) == 0;
      if (due || stopped || next == wanted) save();
    }
    report(stopped);
    return {!stopped, std::nullopt};
  }

 private:
  LearnerRequest learner_request() const {
    LearnerRequest learner;
    learner.settings = request_.settings;
    learner.seed = request_.seed;
    learner.first_environment = peer_.rank() * request_.environments;
    learner.precision = request_.precision;
    learner.world = peer_.world();
    learner.all_reduce = [this](float* data, std::size_t count, void* stream) {
      communicator_.all_reduce_on(data, count, stream);
    };
    learner.check = [this] { peer_.check(); };
    return learner;
  }

  Json agreed_options() const {
    return {{"--task", request_.task}, {"--num-envs", request_.environments}, {"--iterations", request_.iterations},
            {"--seed", request_.seed}, {"--speed", request_.speed},           {"--precision", request_.precision}};
  }

  std::size_t needed(int environments) const {
    const auto sizes = task_.sizes(environments);
    const auto learner = (on_gpu_ ? gpu_learner_bytes : host_learner_bytes)(sizes, learner_request());
    return task_.bytes(environments) + learner;
  }

  /// Reports the needed memory before anything is allocated; returns a refusal if it does not fit.
  std::optional<workers::Refusal> make_room() {
    const auto memory = on_gpu_ ? workers::available_gpu_memory() : workers::available_host_memory();
    needed_ = needed(request_.environments);
    if (!memory) return workers::agreed_refusal(peer_, {});
    memory_ = *memory;
    // Ranks of one host share its memory; a GPU belongs to one rank.
    const auto sharing = on_gpu_ ? std::size_t{1} : static_cast<std::size_t>(peer_.world());
    const auto refusal = refuse_what_does_not_fit(request_.environments, memory_, on_gpu_,
                                                  [&](int count) { return sharing * needed(count); });
    if (!refusal && peer_.rank() == 0) {
      say(fmt::format("{} environments need {} of {} of {}memory, and {} are in use\n",
                      with_commas(request_.environments), gigabytes_text(static_cast<double>(sharing * needed_)),
                      gigabytes_text(static_cast<double>(memory_.total)), on_gpu_ ? "GPU " : "",
                      gigabytes_text(static_cast<double>(memory_.total - memory_.free))));
    }
    return workers::agreed_refusal(peer_, refusal);
  }

  std::string checkpoint_name() const { return fmt::format("rv-envs.{}", peer_.rank()); }

  std::optional<workers::Refusal> resume() {
    if (request_.folder.empty()) return std::nullopt;
    peer_.doing("reading the checkpoint");
    std::optional<workers::Refusal> refusal;
    std::uint64_t at = 0;
    try {
      auto loaded = workers::load_checkpoint(request_.folder, checkpoint_name());
      if (!loaded.warning.empty()) fmt::print(stderr, "rv-envs: {}\n", loaded.warning);
      if (loaded.checkpoint) {
        if (loaded.checkpoint->batch != identity())
          throw std::runtime_error("the checkpoint belongs to another training");
        learner_->restore(as_bytes(loaded.checkpoint->state));
        at = learner_->iterations();
      }
    } catch (const std::runtime_error& error) {
      refusal = workers::Refusal{fmt::format("{}: {}", request_.folder.string(), error.what()),
                                 "use the options that it was started with, or another folder", 3};
    }
    if (auto said = workers::agreed_refusal(peer_, refusal)) return said;
    for (const auto& other : peer_.gather("the iteration to go on from", at)) {
      if (other == at) continue;
      return workers::Refusal{
          fmt::format("{}: the ranks have checkpoints of different iterations", request_.folder.string()),
          "use a folder that all ranks share, or a new one", 3};
    }
    return std::nullopt;
  }

  /// A number for everything that a checkpoint of this training must have in common with it.
  std::int64_t identity() const {
    std::uint64_t sum = workers::scramble(request_.seed);
    for (const auto number : {request_.environments, peer_.world(), request_.task == "flat" ? 1 : 0}) {
      sum = workers::scramble(sum ^ static_cast<std::uint64_t>(number));
    }
    for (const char c : request_.precision) sum = workers::scramble(sum ^ static_cast<unsigned char>(c));
    return static_cast<std::int64_t>(sum >> 1);
  }

  void save() {
    if (request_.folder.empty()) return;
    peer_.doing(fmt::format("saving iteration {}", learner_->iterations()));
    workers::Checkpoint checkpoint;
    checkpoint.step = static_cast<std::int64_t>(learner_->iterations());
    checkpoint.batch = identity();
    checkpoint.state = as_floats(learner_->state());
    workers::save_checkpoint(request_.folder, checkpoint, checkpoint_name());
    peer_.barrier("saved");
  }

  void say(const std::string& text) const {
    auto* const out = request_.log ? stdout : stderr;
    std::fwrite(text.data(), 1, text.size(), out);
    std::fflush(out);
  }

  void note(const Outcome& outcome) {
    const auto figures = environments_->figures();
    if (peer_.rank() != 0) return;
    IterationProgress at;
    at.iteration = learner_->iterations();
    at.iterations = static_cast<std::uint64_t>(request_.iterations);
    at.steps = static_cast<double>(request_.environments) * request_.settings.steps * peer_.world();
    at.total_steps = at.steps * static_cast<double>(at.iteration);
    at.elapsed_seconds = since(begin_);
    at.done_here = at.iteration - first_;
    say(iteration_text(at, outcome, figures));
    const auto seconds = outcome.collection_seconds + outcome.learning_seconds;
    rates_.push_back(at.steps / seconds);
    const Json line = {{"iteration", at.iteration},
                       {"collection_seconds", outcome.collection_seconds},
                       {"learning_seconds", outcome.learning_seconds},
                       {"mean_step_reward", known(outcome.step_reward)},
                       {"episodes", outcome.episodes},
                       {"mean_reward", outcome.episodes > 0 ? known(outcome.episode_reward) : Json()},
                       {"mean_episode_length", outcome.episodes > 0 ? known(outcome.episode_length) : Json()},
                       {"value_loss", known(outcome.value_loss)},
                       {"surrogate_loss", known(outcome.surrogate_loss)},
                       {"kl", known(outcome.kl)},
                       {"entropy", known(outcome.entropy)},
                       {"action_std", known(outcome.mean_std)},
                       {"learning_rate", outcome.rate},
                       {"terrain_level", known(figures.mean_terrain_level)},
                       {"tracking_error", known(figures.mean_tracking_error)},
                       {"speed", known(figures.mean_speed)}};
    finite_ = finite_ && std::isfinite(outcome.value_loss) && std::isfinite(outcome.surrogate_loss) &&
              std::isfinite(outcome.step_reward);
    curve_.push_back(line);
    tell_sweep(line);
  }

  /// Writes values for `rv sweep` that its patterns for the log do not read.
  static void tell_sweep(const Json& line) {
    const auto* const path = std::getenv("RV_SWEEP_METRICS");
    if (path == nullptr) return;
    Json figures;
    for (const auto* const key : {"mean_reward", "mean_step_reward", "tracking_error", "terrain_level", "kl"}) {
      if (line.at(key).is_number()) figures[key] = line.at(key);
    }
    std::ofstream(path, std::ios::app) << json_dump(figures) << '\n';
  }

  void report(bool stopped) {
    auto own = workers::checksum_of(learner_->parameters());
    if (peer_.fault().hits(workers::Fault::Kind::corrupt, peer_.rank())) own += "x";
    const auto weights = peer_.gather("weights", own);
    const auto seconds = since(begin_);
    if (peer_.rank() != 0) return;
    say(fmt::format("Training time: {:.2f} seconds\n", seconds));
    workers::Measurement m;
    m.suite = "train";
    m.name = "ppo";
    m.unit = "steps/s";
    m.device = communicator_.device();
    m.params = {{"task", request_.task},      {"environments", request_.environments},
                {"ranks", peer_.world()},     {"iterations", learner_->iterations()},
                {"resumed_at", first_},       {"precision", request_.precision},
                {"predicted_bytes", needed_}, {"checksum", weights[0]}};
    bool same = true;
    for (const auto& one : weights) same = same && one == weights[0];
    if (!rates_.empty()) m.value = typical_rate();
    m.verdict = same && finite_ ? Verdict::pass : Verdict::fail;
    if (!same) m.reason = "the ranks' weights differ";
    if (!finite_) m.reason = "a loss or a reward is infinite or NaN";
    if (stopped) {
      m.verdict = Verdict::skip;
      m.reason = "warned";
      m.params["detail"] = fmt::format("ended after iteration {} of {}; run the same command to continue",
                                       learner_->iterations(), request_.iterations);
    }
    peer_.report(m);
    write_results(m, seconds);
  }

  /// The typical rate, without the first iteration, which is slower.
  double typical_rate() const {
    return rates_.size() < 2 ? rates_.front() : median({rates_.begin() + 1, rates_.end()});
  }

  void write_results(const workers::Measurement& m, double seconds) const {
    if (request_.results.empty()) return;
    Json results = m.params;
    results.erase("detail");
    results.update({{"seed", request_.seed},
                    {"speed", request_.speed > 0 ? Json(request_.speed) : Json()},
                    {"device", on_gpu_ ? communicator_.device().model : "cpu"},
                    {"observations", environments_->sizes().observations},
                    {"steps_per_second", m.value ? Json(*m.value) : Json()},
                    {"training_seconds", seconds},
                    {"environment_bytes", environments_->bytes()},
                    {"learner_bytes", learner_->bytes()},
                    {"curve", curve_}});
    std::ofstream file(request_.results);
    file << json_dump(results, 1) << '\n';
    file.close();
    if (!file) throw std::runtime_error(fmt::format("cannot write {}", request_.results.string()));
  }

  workers::Peer& peer_;
  workers::Communicator& communicator_;
  bool on_gpu_;
  const TaskSource& task_;
  const RunRequest& request_;
  std::unique_ptr<envs::Environments> environments_;
  std::unique_ptr<Learner> learner_;
  std::size_t needed_ = 0;
  workers::AvailableMemory memory_;
  Clock::time_point begin_;
  std::uint64_t first_ = 0;
  std::vector<double> rates_;
  Json curve_ = Json::array();
  bool finite_ = true;
};

}  // namespace

RunResult run_ppo(workers::Peer& peer, workers::Communicator& communicator, bool on_gpu, const TaskSource& task,
                  const RunRequest& request, const std::function<bool()>& warned) {
  return Run(peer, communicator, on_gpu, task, request).run(warned);
}

}  // namespace rv::ppo
