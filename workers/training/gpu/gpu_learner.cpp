#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "shared/documents/json_integer.h"
#include "workers/collectives/rank_exchange.h"
#include "workers/devices/checksum.h"
#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/gpu_network.h"
#include "workers/training/gpu/input_buffers.h"
#include "workers/training/gpu/kernels/input_kernels.h"
#include "workers/training/gpu/pinned_memory.h"
#include "workers/training/gpu/request_of_learner.h"
#include "workers/training/gpu/step/gpu_event.h"
#include "workers/training/learning/learner.h"
#include "workers/training/pictures/gpu_decoder.h"

namespace rv::workers {
namespace {

class GpuLearner : public Learner {
 public:
  GpuLearner(const Network& network, const LearnerRequest& request, Peer& peer, Communicator& communicator)
      : network_(network),
        peer_(peer),
        type_(storage_of(request_of_learner(request, 1).precision)),
        images_on_gpu_(request.gpu_decoders > 0) {
    cuda_call(cudaGetDevice(&device_), "ask for the GPU");
    auto gpu = request_of_learner(request, peer.world());
    gpu.rank = peer.rank();
    if (peer.world() > 1) {
      library_ = communicator.library();
      gpu.all_reduce = [&communicator](float* data, std::size_t count, cudaStream_t stream) {
        communicator.all_reduce_on(data, count, stream);
      };
      if (gpu.exchanges_gradients()) {
        exchange_bytes_ = ExchangeSpace(network, type_, peer.world()).total;
        exchange_ = rank_exchange(peer, communicator, exchange_bytes_);
        gpu.exchange = exchange_.get();
      }
    }
    peer.doing("choosing how to compute each layer");
    gpu.made = [&peer](std::size_t made, std::size_t of) {
      peer.reached(fmt::format("choosing how to compute each layer, {} of {} passes", made, of));
    };
    gpu_ = std::make_unique<GpuNetwork>(network_, gpu);
    cuda_call(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream");
    cuda_call(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "create a stream");
    const auto chosen = peer.gather("ways to compute", gpu_->tuner().choices());
    gpu_->tuner().adopt(integers_of<int>(chosen[0]));
    begin_with({initial_parameters(network_, request.seed), initial_running(network_)});
    make_slots();
    // Runs one step before capturing, because NCCL and the libraries initialise themselves at their first call, which
    // must not be captured. State that this step changes is restored.
    const auto before = state();
    cuda_call(cudaMemset(gpu_->numbers().labels, 0, network_.labels() * sizeof(int)), "clear the labels");
    gpu_->enqueue_step(stream_);
    wait(stream_);
    restore(before, 0);
    graph_ = record(true);
    begin_timing();
  }

  ~GpuLearner() override {
    exchange_.reset();  // releases a step that waits for another rank
    for (auto* const graph : {graph_, graph_alone_}) {
      if (graph != nullptr) cudaGraphExecDestroy(graph);
    }
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
    if (copies_ != nullptr) cudaStreamDestroy(copies_);
  }
  GpuLearner(const GpuLearner&) = delete;
  GpuLearner& operator=(const GpuLearner&) = delete;

  int slots() const override { return learner_slots; }

  BatchMemory batch_memory() const override {
    return BatchMemory([device = device_, on_gpu = images_on_gpu_](std::size_t count) {
      // Other threads make batches, and they start on the first GPU.
      cuda_call(cudaSetDevice(device), "select the GPU");
      if (on_gpu) return gpu_floats(count);
      const auto pinned = std::make_shared<PinnedMemory>(count * sizeof(float));
      return std::shared_ptr<float[]>(pinned, pinned->as<float>());
    });
  }

  void load(int index, const Batch& batch) override {
    auto& slot = *slots_.at(static_cast<std::size_t>(index));
    // The last copy out of this slot's pinned memory, and the last step that read the slot.
    wait_for(slot.loaded);
    cuda_call(cudaStreamWaitEvent(copies_, slot.used.get(), 0), "wait on a stream");
    if (batch.labels.size() != network_.labels()) throw std::runtime_error("a batch has too few labels");
    std::memcpy(slot.pinned_labels.as<int>(), batch.labels.data(), batch.labels.size() * sizeof(int));
    copy(slot.there.labels, slot.pinned_labels.as<void>(), batch.labels.size() * sizeof(int));
    if (network_.input >= 0) {
      if (batch.values.size() != image_numbers(network_)) throw std::runtime_error("a batch has too few images");
      // Keeps a reference, so that the values are not overwritten before they are copied.
      slot.held = batch.values;
      if (!images_on_gpu_) copy(slot.there.raw, slot.held.data(), slot.held.size() * sizeof(float));
      const auto* const raw = images_on_gpu_ ? std::as_const(slot.held).data() : slot.there.raw;
      const auto& shape = network_.shape(network_.input);
      pad_images(type_, raw, static_cast<std::int64_t>(shape.rows()), shape.c, slot.there.input, copies_);
      cuda_call(cudaGetLastError(), "launch a kernel");
    } else {
      std::memcpy(slot.pinned_tokens.as<int>(), batch.tokens.data(), batch.tokens.size() * sizeof(int));
      copy(slot.there.input, slot.pinned_tokens.as<void>(), batch.tokens.size() * sizeof(int));
    }
    slot.loaded.record(copies_);
  }

  void step(int index, bool warned) override { enqueue(index, warned, graph_, peer_.world() > 1); }

  void step_alone(std::optional<int> index) override {
    if (peer_.world() > 1 && graph_alone_ == nullptr) graph_alone_ = record(false);
    enqueue(index, false, peer_.world() > 1 ? graph_alone_ : graph_, false);
  }

  /// The warning of the step that `step` waited for last; after the same call, that step has ended on every rank.
  bool warned() const override {
    const auto done = step_ - static_cast<std::int64_t>(ahead) + 1;
    if (done <= first_step_ || ends_.size() <= ahead) return false;
    return flags_.as<float>()[flags + static_cast<std::size_t>(done - 1) % flags] > 0;
  }

  void finish() override { wait(stream_); }

  std::vector<float> losses() override { return since(losses_read_, gpu_->numbers().losses); }
  std::vector<float> accuracies() override {
    return since(accuracies_read_, gpu_->numbers().losses + GpuNumbers::loss_capacity);
  }

  std::vector<double> step_seconds() override {
    std::vector<double> seconds;
    for (std::size_t i = 1; i < ends_.size(); ++i) {
      float milliseconds = 0;
      cuda_call(cudaEventElapsedTime(&milliseconds, ends_[i - 1].get(), ends_[i].get()), "read a timer");
      seconds.push_back(milliseconds / 1e3);
    }
    ends_.clear();
    begin_timing();
    first_step_ = step_;
    return seconds;
  }

  std::vector<float> state() override {
    const auto space = network_.parameter_space, running = network_.running_space;
    if (exchange_ && shared_steps_) {
      gpu_->gather(stream_);
      wait(stream_);
      checksum_of_copies_ = checksum_of_narrow();
      shared_steps_ = false;
    }
    std::vector<float> state(2 * space + running + 3);
    const auto read = [&](std::size_t at, const float* from, std::size_t count) {
      cuda_call(cudaMemcpy(state.data() + at, from, count * sizeof(float), cudaMemcpyDeviceToHost), "read the weights");
    };
    read(0, gpu_->numbers().parameters, space);
    read(space, gpu_->numbers().momentum, space);
    read(2 * space, gpu_->numbers().running, running);
    const auto there = step_state();
    state[2 * space + running] = there.loss_scale;
    state[2 * space + running + 1] = static_cast<float>(there.good);
    state[2 * space + running + 2] = static_cast<float>(there.skipped);
    return state;
  }

  std::string checksum_of_copies() const override {
    // Without a step they are computed from the state.
    return exchange_ && checksum_of_copies_.empty() ? checksum_of_narrow() : checksum_of_copies_;
  }

  void restore(std::span<const float> state, std::int64_t step) override {
    const auto space = network_.parameter_space, running = network_.running_space;
    if (state.size() != 2 * space + running + 3) throw std::runtime_error("the checkpoint belongs to another network");
    const auto write = [&](float* to, std::span<const float> from) {
      cuda_call(cudaMemcpy(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice), "copy to the GPU");
    };
    write(gpu_->numbers().parameters, state.first(space));
    write(gpu_->numbers().momentum, state.subspan(space, space));
    write(gpu_->numbers().running, state.subspan(2 * space, running));
    const auto rest = state.last(3);
    const StepState there{step, rest[0], 0, static_cast<unsigned int>(rest[1]), static_cast<unsigned int>(rest[2])};
    cuda_call(cudaMemcpy(gpu_->numbers().state, &there, sizeof there, cudaMemcpyHostToDevice), "copy to the GPU");
    step_ = losses_read_ = accuracies_read_ = first_step_ = step;
    refresh();
  }

  void begin_with(const Weights& weights) override {
    const auto write = [](float* to, const std::vector<float>& from) {
      cuda_call(cudaMemcpy(to, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice), "copy to the GPU");
    };
    write(gpu_->numbers().parameters, weights.parameters);
    write(gpu_->numbers().running, weights.running);
    refresh();
  }

  std::vector<int> choices() const override { return gpu_->tuner().choices(); }

  nlohmann::ordered_json details() const override {
    const auto there = step_state();
    return {{"cudnn", gpu_->cudnn_version()},
            {"fp32_convolutions", convolutions()},
            {"attention", gpu_->attention().way},
            {"attention_slow_since", gpu_->attention().slow_since},
            {"allocated_gpu_memory_bytes", gpu_->memory().total() + memory_.total() + exchange_bytes_},
            {"graph_nodes", nodes_},
            {"gradients_by", exchange_ ? exchange_->way() : library_},
            {"loss_scale", there.loss_scale},
            {"skipped_steps", there.skipped}};
  }

 private:
  nlohmann::ordered_json convolutions() const {
    const auto& errors = gpu_->convolution_errors();
    if (errors.checked == 0) return nullptr;
    return {{"ways_checked", errors.checked},
            {"refused", errors.refused},
            {"largest_error", errors.largest},
            {"largest_allowed", ConvolutionErrors::most}};
  }

  static constexpr std::size_t ahead = 3, flags = 64;

  struct Slot {
    Slot(InputBuffers buffers, std::size_t tokens_bytes, std::size_t labels_bytes)
        : pinned_tokens(tokens_bytes), pinned_labels(labels_bytes), there(buffers) {}
    BatchValues held;
    PinnedMemory pinned_tokens, pinned_labels;
    InputBuffers there;
    GpuEvent loaded{cudaEventDisableTiming}, used{cudaEventDisableTiming};
  };

  void make_slots() {
    const auto labels = network_.labels() * sizeof(int);
    for (int i = 0; i < slots(); ++i) {
      slots_.push_back(std::make_unique<Slot>(input_buffers(network_, type_, !images_on_gpu_, memory_),
                                              network_.input >= 0 ? 0 : labels, labels));
    }
    std::memset(flags_.as<void>(), 0, 2 * flags * sizeof(float));
  }

  void copy(void* to, const void* from, std::size_t bytes) {
    cuda_call(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, copies_), "copy to the GPU");
  }

  /// Updates the narrow copies after parameters were set from outside.
  void refresh() {
    gpu_->refresh(stream_);
    wait(stream_);
  }

  std::string checksum_of_narrow() const {
    std::vector<float> copies(network_.parameter_space * gpu_bytes(type_) / sizeof(float));
    cuda_call(
        cudaMemcpy(copies.data(), gpu_->narrow_parameters(), copies.size() * sizeof(float), cudaMemcpyDeviceToHost),
        "read the weights");
    return checksum_of(copies);
  }

  /// The values of the steps since `read` in a ring buffer.
  std::vector<float> since(std::int64_t& read, const float* from) const {
    std::vector<float> ring(GpuNumbers::loss_capacity), since;
    cuda_call(cudaMemcpy(ring.data(), from, ring.size() * sizeof(float), cudaMemcpyDeviceToHost), "read the losses");
    for (; read < step_; ++read) since.push_back(ring[static_cast<std::size_t>(read) % ring.size()]);
    return since;
  }

  /// A step is timed from the event of the previous step.
  void begin_timing() {
    ends_.emplace_back(0U);
    ends_.back().record(stream_);
  }

  void take_input(Slot& slot) {
    cuda_call(cudaStreamWaitEvent(stream_, slot.loaded.get(), 0), "wait on a stream");
    cuda_call(cudaMemcpyAsync(gpu_->numbers().input, slot.there.input, input_bytes(network_, type_),
                              cudaMemcpyDeviceToDevice, stream_),
              "take the input");
    cuda_call(cudaMemcpyAsync(gpu_->numbers().labels, slot.there.labels, network_.labels() * sizeof(int),
                              cudaMemcpyDeviceToDevice, stream_),
              "take the labels");
    slot.used.record(stream_);
  }

  /// Enqueues one step: loads the input, unless the present one is to be used again, and launches the graph.
  /// `flags_travel`: whether the graph sums the ranks' flags.
  void enqueue(std::optional<int> index, bool warned, cudaGraphExec_t graph, bool flags_travel) {
    // At most as many steps ahead as there are flags.
    if (ends_.size() >= ahead) wait_for(ends_[ends_.size() - ahead]);
    if (index) take_input(*slots_.at(static_cast<std::size_t>(*index)));
    const auto flag = static_cast<std::size_t>(step_) % flags;
    auto* const ours = flags_.as<float>();
    auto* const passenger = gpu_->numbers().gradients + network_.parameter_space;
    shared_steps_ = shared_steps_ || flags_travel;
    if (flags_travel) {
      ours[flag] = warned ? 1.0F : 0.0F;
      cuda_call(cudaMemcpyAsync(passenger, ours + flag, sizeof(float), cudaMemcpyHostToDevice, stream_), "send a flag");
    }
    cuda_call(cudaGraphLaunch(graph, stream_), "run a step");
    if (flags_travel) {
      cuda_call(cudaMemcpyAsync(ours + flags + flag, passenger, sizeof(float), cudaMemcpyDeviceToHost, stream_),
                "read a flag");
    } else {
      ours[flags + flag] = warned ? 1.0F : 0.0F;
    }
    ends_.emplace_back(0U);
    ends_.back().record(stream_);
    ++step_;
  }

  /// Captures a whole step with the update of the weights, and with communication if `with_ranks`.
  cudaGraphExec_t record(bool with_ranks) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    cuda_call(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "record a step");
    gpu_->enqueue_step(stream_, with_ranks);
    cuda_call(cudaStreamEndCapture(stream_, &graph), "record a step");
    if (with_ranks) cuda_call(cudaGraphGetNodes(graph, nullptr, &nodes_), "count a step's parts");
    cuda_call(cudaGraphInstantiate(&ready, graph, 0), "prepare a step");
    cudaGraphDestroy(graph);
    return ready;
  }

  StepState step_state() const {
    StepState there{};
    cuda_call(cudaMemcpy(&there, gpu_->numbers().state, sizeof there, cudaMemcpyDeviceToHost), "read the step");
    return there;
  }

  /// Waits, and checks for the end of other ranks meanwhile: a dead rank would block the GPU forever.
  void wait_for(const GpuEvent& event) {
    for (unsigned int polls = 1;; ++polls) {
      const auto status = cudaEventQuery(event.get());
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) cuda_call(status, "train");
      if (polls % 256 == 0) peer_.check();
    }
  }
  void wait(cudaStream_t stream) {
    GpuEvent reached(cudaEventDisableTiming);
    reached.record(stream);
    wait_for(reached);
  }

  Network network_;
  Peer& peer_;
  GpuType type_;
  bool images_on_gpu_;  ///< images of batches before they are loaded
  int device_ = 0;
  std::unique_ptr<RankExchange> exchange_;  ///< exchange of gradients between few ranks; null: they are summed
  std::size_t exchange_bytes_ = 0;
  std::string library_;  ///< library of the sums; empty: one rank
  std::unique_ptr<GpuNetwork> gpu_;
  cudaStream_t stream_ = nullptr, copies_ = nullptr;
  cudaGraphExec_t graph_ = nullptr, graph_alone_ = nullptr;  ///< the second one is captured when it is needed
  std::size_t nodes_ = 0;
  bool shared_steps_ = false;  ///< whether a step with other ranks was made since weights and momentum were gathered
  std::string checksum_of_copies_;
  GpuMemory memory_{false};  ///< memory of the slots
  std::vector<std::unique_ptr<Slot>> slots_;
  PinnedMemory flags_{2 * flags * sizeof(float)};
  std::vector<GpuEvent> ends_;
  std::int64_t step_ = 0, losses_read_ = 0, accuracies_read_ = 0, first_step_ = 0;
};

}  // namespace

std::unique_ptr<Learner> gpu_learner(const Network& network, const LearnerRequest& request, Peer& peer,
                                     Communicator& communicator) {
  return std::make_unique<GpuLearner>(network, request, peer, communicator);
}

}  // namespace rv::workers
