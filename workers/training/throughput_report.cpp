#include "workers/training/throughput_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "workers/collectives/collective_suites.h"
#include "workers/collectives/named_rank.h"
#include "workers/devices/stopping.h"
#include "workers/training/load_curve.h"
#include "workers/training/step_means.h"

namespace rv::workers {
namespace {

double quantile(std::vector<double> sorted, double share) {
  if (sorted.empty()) return 0;
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
}

/// A quantile of the times of a rank's steps.
struct StepQuantile {
  const char* name;
  double share;
};
constexpr StepQuantile p50{"p50", 0.5}, p95{"p95", 0.95};

Json step_times(const std::vector<double>& seconds) {
  Json times;
  for (const auto& which : {p50, p95, StepQuantile{"p99", 0.99}, StepQuantile{"max", 1}}) {
    times[which.name] = quantile(seconds, which.share);
  }
  return times;
}

std::optional<double> coefficient_of_variation(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const auto mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const auto one : values) squares += (one - mean) * (one - mean);
  return std::sqrt(squares / (n - 1)) / mean;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json part_of(const RankResult& own, const Device& device) {
  Json part{{"seconds", own.timed_seconds},
            {"step", step_times(own.steps)},
            {"losses", own.losses},
            {"accuracies", own.accuracies},
            {"weights", own.weights},
            {"alone", nullptr},
            {"shares", nullptr},
            {"throttled", nullptr},
            {"memory", own.memory.bytes},
            {"gpu", device.index},
            {"uuid", device.uuid},
            {"model", device.model}};
  if (own.times) {
    part["alone"] = own.alone_seconds;
    part["shares"] = to_json(shares_of(*own.times));
  }
  if (own.load.is_object()) part["throttled"] = own.load.at("throttled_seconds");
  return part;
}

/// On rank 0: the results of all ranks as figures.
class ThroughputReport {
 public:
  ThroughputReport(Peer& peer, const Communicator& communicator, const ThroughputRequest& request,
                   const RankResult& own, std::vector<Json> all)
      : peer_(peer), communicator_(communicator), request_(request), own_(own), all_(std::move(all)) {
    name_ = fmt::format("{} {} batch {}", request.model, request.precision, *request.batch);
    global_ = std::int64_t{*request.batch} * peer.world();
    for (const auto& one : all_) slowest_ = std::max(slowest_, one.at("seconds").get<double>());
    losses_ = means_over_ranks(all_, "losses", finite_);
    accuracies_ = means_over_ranks(all_, "accuracies", finite_);
  }

  /// Reports a skip: nothing was timed, or not to the end.
  void skip(const Network& network) {
    auto m = begin("model", name_, "samples/s");
    m.params = params(network);
    m.verdict = Verdict::skip;
    m.reason = own_.stopped ? "warned" : "nothing_timed";
    m.params["detail"] =
        own_.stopped ? fmt::format("saved after step {} of {}; run the same command to continue", own_.step, own_.total)
                     : fmt::format("all {} steps were already done; move {} away to train again", own_.total,
                                   request_.folder.string());
    peer_.report(m);
  }

  void figures(const Network& network) {
    auto m = begin("model", name_, "samples/s");
    m.value = rate();
    m.params = params(network);
    m.params.update({{"milliseconds_per_step", slowest_ / steps() * 1e3},
                     {"model_tflops_per_rank", flops(network) / 1e12},
                     {"first_loss", losses_.front()},
                     {"last_loss", losses_.back()},
                     {"accuracy", newest_mean(accuracies_)},
                     {"library", peer_.world() > 1 ? communicator_.library() : "none"},
                     {"samples_per_step", global_},
                     {"timed_steps", own_.timed_steps},
                     {"losses", thinned(losses_, 200)},
                     {"step_milliseconds", thinned(milliseconds(), 200)},
                     {"shares", shares()},
                     {"scaling_efficiency", or_null(efficiency())},
                     {"coefficient_of_variation", or_null(coefficient_of_variation(own_.repeats))},
                     {"slowest_rank", slowest_rank()},
                     {"peak_memory_bytes_by_rank", by_rank("memory")},
                     {"load", own_.load}});
    m.params.update(own_.details);
    m.verdict = finite_ ? Verdict::pass : Verdict::fail;
    if (!finite_) m.reason = "a loss is infinite or NaN";
    peer_.report(m);
    for (const auto& which : {p50, p95}) report_step(which);
    if (peer_.world() > 1 && own_.times) report_alone();
  }

  /// Parameters and momentum must be the same on all ranks, otherwise a sum was wrong.
  void weights() {
    auto m = begin("model", "weights", "");
    std::vector<std::string> odd;
    std::vector<int> ranks;
    const auto sum = [](const Json& one) { return one.at("weights").get<std::string>(); };
    const auto votes = [&](const Json& one) {
      return std::count_if(all_.begin(), all_.end(), [&](const Json& other) { return sum(other) == sum(one); });
    };
    const auto& most =
        *std::max_element(all_.begin(), all_.end(), [&](auto& a, auto& b) { return votes(a) < votes(b); });
    for (std::size_t rank = 0; rank < all_.size(); ++rank) {
      if (sum(all_[rank]) == sum(most)) continue;
      odd.push_back(fmt::format("rank {} (host {})", rank, peer_.hosts()[rank]));
      ranks.push_back(static_cast<int>(rank));
    }
    m.params = {{"checksum", sum(all_[0])}, {"ranks", peer_.world()}};
    m.verdict = odd.empty() ? Verdict::pass : Verdict::fail;
    m.rank = named_most(ranks);
    if (!odd.empty()) m.reason = fmt::format("the weights of {} differ from those of the others", fmt::join(odd, ", "));
    peer_.report(m);
  }

  /// Names a rank that delays the others, from the times of each without them.
  void straggler() {
    if (peer_.world() == 1 || !own_.times) return;
    std::vector<double> times;
    for (const auto& one : all_) times.push_back(one.at("alone").get<double>());
    auto m = begin("straggler", "work per step", "ms");
    m.value = median(times) * 1e3;
    m.spread = median_absolute_deviation(times) * 1e3;
    Json list = Json::array();
    for (const auto time : times) list.push_back(time * 1e3);
    m.params = {{"milliseconds_by_rank", list}};
    std::vector<std::string> slow;
    std::vector<int> ranks;
    // On the CPU, ranks and other programs share the host.
    for (const auto i : slow_ranks(times, communicator_.device().index < 0 ? 10 : 1.25)) {
      slow.push_back(fmt::format("rank {} (host {}) took {:.3g} ms for the same work, {:.2f} times the median", i,
                                 peer_.hosts()[i], times[i] * 1e3, times[i] / median(times)));
      ranks.push_back(static_cast<int>(i));
    }
    m.verdict = slow.empty() ? Verdict::pass : Verdict::fail;
    m.rank = named_most(ranks);
    if (!slow.empty()) m.reason = fmt::format("{}", fmt::join(slow, "; "));
    peer_.report(m);
  }

  void write_results(const Network& network, bool on_gpu) const {
    const auto& device = communicator_.device();
    std::vector<double> speeds;
    for (const auto seconds : own_.repeats) speeds.push_back(static_cast<double>(global_) / seconds);
    Json results = {
        {"model", request_.model},
        {"world_size", peer_.world()},
        {"batch_size_per_gpu", *request_.batch},
        {"global_batch_size", global_},
        {"total_time_seconds", slowest_},
        {"average_step_time_seconds", slowest_ / steps()},
        {"throughput_samples_per_second", rate()},
        {"total_samples", global_ * own_.timed_steps},
        {"device", device.index < 0 ? "cpu" : fmt::format("cuda:{}", device.index)},
        {"backend", on_gpu ? "nccl" : "gloo"},
        {"precision", request_.precision},
        {"data_mode", request_.data_mode},
        {"seed", request_.seed},
        {"step_seconds_by_rank", by_rank("step")},
        {"alone_step_seconds_by_rank", by_rank("alone")},
        {"shares", shares()},
        {"shares_by_rank", by_rank("shares")},
        {"samples_per_second_by_repeat", speeds},
        {"coefficient_of_variation", or_null(coefficient_of_variation(own_.repeats))},
        {"one_rank_samples_per_second", or_null(one_rank_rate())},
        {"scaling_efficiency", or_null(efficiency())},
        {"model_flops_per_second_per_rank", flops(network)},
        {"share_of_peak", request_.peak_tflops ? Json(flops(network) / 1e12 / *request_.peak_tflops) : Json()},
        {"slowest_rank", slowest_rank()},
        {"peak_memory_bytes_by_rank", by_rank("memory")},
        {"peak_memory_source", own_.memory.source},
        {"parameters", network.learnt()},
        {"losses", losses_},
        {"accuracies", accuracies_},
        {"accuracy", newest_mean(accuracies_)},
        {"step_seconds", thinned(own_.steps, 1000)},
        {"load", own_.load},
        {"throttled_seconds_by_rank", by_rank("throttled")},
        {"weights", all_[0].at("weights")},
        {"reader", own_.reader}};
    if (on_gpu) results["gpu_memory_bytes"] = own_.memory.bytes;
    results.update(own_.details);
    std::ofstream file(request_.results);
    file << json_dump(results, 1) << '\n';
    file.close();
    if (!file) throw std::runtime_error(fmt::format("cannot write {}", request_.results.string()));
  }

 private:
  Measurement begin(std::string suite, std::string name, std::string unit) const {
    Measurement m;
    m.suite = std::move(suite);
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

  Json params(const Network& network) const {
    auto params = agreed_options(request_);
    params.update({{"ranks", peer_.world()},
                   {"steps", own_.step},
                   {"resumed_at", own_.resumed_at},
                   {"parameters", network.learnt()}});
    if (const auto note = note_of(own_.details, own_.step); !note.empty()) params["note"] = note;
    return params;
  }

  double steps() const { return static_cast<double>(own_.timed_steps); }
  double rate() const { return static_cast<double>(global_) * steps() / slowest_; }
  double flops(const Network& network) const { return network.flop_per_step() * steps() / slowest_; }

  std::vector<double> milliseconds() const {
    auto all = own_.steps;
    for (auto& one : all) one *= 1e3;
    return all;
  }

  Json by_rank(const char* key) const {
    Json list = Json::array();
    for (const auto& one : all_) list.push_back(one.at(key));
    return list;
  }

  /// Means over the ranks; null if a rank has none.
  Json shares() const {
    auto sum = Json::object();
    for (const auto& one : all_) {
      if (one.at("shares").is_null()) return {};
      for (const auto& [key, value] : one.at("shares").items()) {
        sum[key] = sum.value(key, 0.0) + value.get<double>() / peer_.world();
      }
    }
    return sum;
  }

  /// The rank that takes longest without the others, and the median; null if that was not timed.
  Json slowest_rank() const {
    if (peer_.world() == 1 || !own_.times) return {};
    std::vector<double> times;
    for (const auto& one : all_) times.push_back(one.at("alone").get<double>());
    const auto slowest = std::max_element(times.begin(), times.end()) - times.begin();
    const auto rank = static_cast<std::size_t>(slowest);
    return {{"rank", rank}, {"host", peer_.hosts()[rank]}, {"ratio", times[rank] / median(times)}};
  }

  std::optional<double> one_rank_rate() const {
    if (!own_.one_rank_seconds || !(*own_.one_rank_seconds > 0)) return std::nullopt;
    return *request_.batch / *own_.one_rank_seconds;
  }
  std::optional<double> efficiency() const {
    const auto one = one_rank_rate();
    return one ? std::optional(rate() / (*one * peer_.world())) : std::nullopt;
  }

  /// Reports the slowest rank's time: the others include waiting for it.
  void report_step(const StepQuantile& which) {
    auto m = begin("model", fmt::format("{} step {}", name_, which.name), "ms");
    double most = 0;
    for (const auto& one : all_) most = std::max(most, one.at("step").at(which.name).get<double>());
    m.value = most * 1e3;
    m.params = {{"ranks", peer_.world()}, {"steps", own_.timed_steps}, {"quantile", which.share}};
    m.verdict = Verdict::pass;
    peer_.report(m);
  }

  /// Reports the rate of each rank if it did not wait for the others.
  void report_alone() {
    for (std::size_t rank = 0; rank < all_.size(); ++rank) {
      const auto& one = all_[rank];
      Measurement m;
      m.suite = "alone";
      m.name = name_ + " alone";
      m.unit = "samples/s";
      m.device.index = integer_at<int>(one, "gpu");
      m.device.uuid = one.at("uuid").get<std::string>();
      m.device.model = one.at("model").get<std::string>();
      m.rank = static_cast<int>(rank);
      m.value = *request_.batch / one.at("alone").get<double>();
      m.params = {{"rank", rank}, {"host", peer_.hosts()[rank]}, {"throttled_seconds", one.at("throttled")}};
      m.verdict = Verdict::pass;
      peer_.report(m);
    }
  }

  Peer& peer_;
  const Communicator& communicator_;
  const ThroughputRequest& request_;
  const RankResult& own_;
  std::vector<Json> all_;
  std::string name_;
  std::int64_t global_ = 0;  ///< samples of a step over all ranks
  double slowest_ = 0;       ///< seconds of all timed steps on the slowest rank
  bool finite_ = true;
  std::vector<double> losses_, accuracies_;  ///< means over the ranks, by step
};

}  // namespace

std::string note_of(const Json& details, std::int64_t steps) {
  std::vector<std::string> notes;
  if (const auto skipped = integer_or(details, "skipped_steps", std::int64_t{0}); skipped > 0) {
    notes.push_back(fmt::format("{} of {} steps were skipped because their gradients overflowed", skipped, steps));
  }
  if (const auto why = details.value("attention_slow_since", ""); !why.empty()) {
    notes.push_back("attention is computed by products, which takes longer than cuDNN's one pass: " + why);
  }
  return fmt::format("{}", fmt::join(notes, "; "));
}

void report_throughput(Peer& peer, const Communicator& communicator, bool on_gpu, const ThroughputRequest& request,
                       const Network& network, const RankResult& own) {
  auto all = peer.gather("results", part_of(own, communicator.device()));
  if (peer.rank() != 0) return;
  ThroughputReport report(peer, communicator, request, own, std::move(all));
  const bool timed = !own.stopped && own.timed_steps > 0;
  if (timed) {
    report.figures(network);
  } else {
    report.skip(network);
  }
  report.weights();
  if (timed) report.straggler();
  if (timed && !request.results.empty()) report.write_results(network, on_gpu);
}

}  // namespace rv::workers
