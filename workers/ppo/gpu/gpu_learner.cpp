#include <cuda_runtime_api.h>

#include <new>

#include "workers/devices/cuda_call.h"
#include "workers/ppo/gpu/collect_kernels.h"
#include "workers/ppo/gpu/gpu_network.h"
#include "workers/ppo/gpu/learn_kernels.h"
#include "workers/ppo/learner.h"
#include "workers/ppo/saved_state.h"

namespace rv::ppo {
namespace {

using workers::cuda_call;

workers::GpuPrecision precision_of(const std::string& name) {
  if (name == "bf16") return workers::GpuPrecision::bf16;
  return name == "fp32" ? workers::GpuPrecision::fp32 : workers::GpuPrecision::tf32;
}

/// A captured CUDA graph.
class Graph {
 public:
  Graph() = default;
  ~Graph() {
    if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  template <class Enqueue>
  void record(cudaStream_t stream, Enqueue enqueue) {
    cudaGraph_t graph = nullptr;
    cuda_call(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "record an iteration");
    enqueue();
    cuda_call(cudaStreamEndCapture(stream, &graph), "record an iteration");
    cuda_call(cudaGraphInstantiate(&graph_, graph, 0), "prepare an iteration");
    cudaGraphDestroy(graph);
  }
  void launch(cudaStream_t stream) const { cuda_call(cudaGraphLaunch(graph_, stream), "run an iteration"); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

class Stream {
 public:
  Stream() {
    cuda_call(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream");
    for (auto& event : events_) cuda_call(cudaEventCreate(&event), "create an event");
  }
  ~Stream() {
    for (auto* const event : events_) cudaEventDestroy(event);
    cudaStreamDestroy(stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

  /// Records one of three events.
  void mark(std::size_t moment) { cuda_call(cudaEventRecord(events_.at(moment), stream_), "record an event"); }
  double seconds(std::size_t from, std::size_t to) const {
    float milliseconds = 0;
    cuda_call(cudaEventElapsedTime(&milliseconds, events_.at(from), events_.at(to)), "read a timer");
    return milliseconds / 1e3;
  }
  /// Waits for the stream, and checks for the end of other ranks meanwhile.
  void wait(const std::function<void()>& check) {
    for (unsigned int polls = 1;; ++polls) {
      const auto status = cudaStreamQuery(stream_);
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) cuda_call(status, "learn");
      if (check && polls % 256 == 0) check();
    }
  }

 private:
  cudaStream_t stream_ = nullptr;
  std::array<cudaEvent_t, 3> events_{};
};

/// The data that the host reads after an iteration, and the warning that it sends before one.
struct Mail {
  Passengers reduced;
  LossFigures losses;
  Progress progress;
  float log_std[most_actions];
  float warned;
};

/// Pinned memory, so that copies are asynchronous.
class Mailbox {
 public:
  Mailbox() {
    void* data = nullptr;
    cuda_call(cudaMallocHost(&data, sizeof(Mail)), "allocate pinned memory");
    mail_ = new (data) Mail();
  }
  ~Mailbox() { cudaFreeHost(mail_); }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  Mail* operator->() const { return mail_; }

 private:
  Mail* mail_ = nullptr;
};

class GpuLearner final : public Learner {
 public:
  GpuLearner(envs::Environments& environments, const LearnerRequest& request)
      : environments_(environments),
        request_(request),
        layout_(layout_of(environments.sizes(), request.settings.hidden)),
        precision_(precision_of(request.precision)),
        type_(workers::storage_of(precision_)),
        memory_(false) {
    const auto& settings = request.settings;
    shape_ = gpu_shape(layout_, environments.sizes().environments, settings);
    arrays_ = lay_out(layout_, shape_, type_, memory_);
    collecting_ = {shape_,
                   arrays_,
                   layout_.log_std,
                   layout_.biases[3],
                   request.seed,
                   request.first_environment,
                   request.world,
                   static_cast<float>(settings.gamma),
                   static_cast<float>(settings.lambda)};
    learning_ = {shape_,
                 arrays_,
                 layout_,
                 LossWeights<float>{static_cast<float>(settings.clip), static_cast<float>(settings.value_weight),
                                    static_cast<float>(settings.entropy)},
                 1.0F / static_cast<float>(request.world),
                 settings.wanted_kl,
                 settings.grad_norm};
    network_ = std::make_unique<GpuNetwork>(layout_, shape_, precision_, arrays_);
    const auto start = initial_parameters(layout_, settings.first_std, request.seed);
    upload(arrays_.parameters, start.data(), start.size());
    const Progress progress{0, 0, settings.rate};
    upload(arrays_.progress, &progress, 1);
    settle();
    copy_weights(learning_, type_, stream_.get());
    environments_.reset(arrays_.seen, stream_.get());
    stream_.wait(request_.check);
    prepare();
  }

  Outcome iterate(bool warned) override {
    auto* const stream = stream_.get();
    mail_->warned = warned ? 1.0F : 0.0F;
    cuda_call(cudaMemcpyAsync(arrays_.warned, &mail_->warned, sizeof(float), cudaMemcpyHostToDevice, stream),
              "send a flag");
    stream_.mark(0);
    collection_.launch(stream);
    stream_.mark(1);
    estimation_.launch(stream);
    for (int epoch = 0; epoch < request_.settings.epochs; ++epoch) epoch_.launch(stream);
    end_iteration(learning_, stream);
    stream_.mark(2);
    read_back(&mail_->reduced, arrays_.gradients + layout_.count, sizeof(Passengers));
    read_back(&mail_->losses, arrays_.losses, sizeof(LossFigures));
    read_back(&mail_->progress, arrays_.progress, sizeof(Progress));
    read_back(mail_->log_std, arrays_.parameters + layout_.log_std,
              static_cast<std::size_t>(layout_.actions) * sizeof(float));
    stream_.wait(request_.check);
    auto outcome = outcome_of(mail_->reduced, mail_->losses, mail_->progress.rate, mail_->log_std, layout_.actions);
    outcome.collection_seconds = stream_.seconds(0, 1);
    outcome.learning_seconds = stream_.seconds(1, 2);
    return outcome;
  }

  std::vector<std::byte> state() const override {
    StateWriter writer;
    put(writer, arrays_.progress, 1);
    put(writer, arrays_.parameters, layout_.count);
    put(writer, arrays_.first, layout_.count);
    put(writer, arrays_.second, layout_.count);
    put(writer, arrays_.seen, seen_count());
    put(writer, arrays_.episode_rewards, environment_count());
    put(writer, arrays_.episode_lengths, environment_count());
    writer.put(environments_.state());
    return writer.take();
  }

  void restore(const std::vector<std::byte>& state) override {
    StateReader reader(state);
    take(reader, arrays_.progress, 1);
    take(reader, arrays_.parameters, layout_.count);
    take(reader, arrays_.first, layout_.count);
    take(reader, arrays_.second, layout_.count);
    take(reader, arrays_.seen, seen_count());
    take(reader, arrays_.episode_rewards, environment_count());
    take(reader, arrays_.episode_lengths, environment_count());
    environments_.restore(reader.take_rest());
    settle();
    copy_weights(learning_, type_, stream_.get());
    stream_.wait(request_.check);
    mail_->progress = download(arrays_.progress, 1).front();
  }

  std::vector<float> parameters() const override { return download(arrays_.parameters, layout_.count); }
  std::vector<float> gradients() const override { return download(arrays_.gradients, layout_.count); }
  std::uint64_t iterations() const override { return mail_->progress.iteration; }
  std::size_t bytes() const override { return memory_.total(); }

 private:
  std::size_t environment_count() const { return static_cast<std::size_t>(shape_.environments); }
  std::size_t seen_count() const { return environment_count() * static_cast<std::size_t>(shape_.observations); }

  /// Copies from pageable memory and memset use another stream, and may continue after the call.
  static void settle() { cuda_call(cudaDeviceSynchronize(), "wait for the GPU"); }

  /// Runs one iteration before capturing, because libraries and environments initialise themselves at their first call,
  /// which must not be captured. State that this iteration changes is restored.
  void prepare() {
    auto* const stream = stream_.get();
    const auto before = state();
    enqueue_collection();
    end_collection(collecting_, stream);
    enqueue_epoch();
    cuda_call(cudaGetLastError(), "launch a kernel");
    stream_.wait(request_.check);
    environments_.figures();
    restore(before);
    collection_.record(stream, [this] { enqueue_collection(); });
    estimation_.record(stream, [this, stream] { end_collection(collecting_, stream); });
    epoch_.record(stream, [this] { enqueue_epoch(); });
  }

  void enqueue_collection() {
    auto* const stream = stream_.get();
    begin_iteration(collecting_, stream);
    for (int step = 0; step <= shape_.steps; ++step) {
      place_observations(collecting_, type_, step, stream);
      network_->act(arrays_.current, stream);
      act(collecting_, step, stream);
      if (step == shape_.steps) break;
      const auto at = static_cast<std::size_t>(step) * environment_count();
      environments_.step({arrays_.actions + at * static_cast<std::size_t>(shape_.actions), arrays_.seen,
                          arrays_.rewards + at, arrays_.terminated + at, arrays_.timed_out + at},
                         stream);
      count_step(collecting_, step, stream);
    }
  }

  void enqueue_epoch() {
    for (int i = 0; i < request_.settings.mini_batches; ++i) enqueue_mini_batch(i);
  }

  void enqueue_mini_batch(int index) {
    auto* const stream = stream_.get();
    const auto row = static_cast<std::size_t>(shape_.width) * workers::gpu_bytes(type_);
    const auto* const rows = static_cast<const char*>(arrays_.observations) +
                             static_cast<std::size_t>(index) * static_cast<std::size_t>(shape_.rows) * row;
    network_->forward(rows, stream);
    mini_batch_loss(learning_, type_, index, stream);
    for (int layer = Layout::layers - 1; layer >= 0; --layer) {
      if (layer < 3) elu_back(learning_, type_, layer, stream);
      network_->weights_back(layer, rows, stream);
      if (layer > 0) network_->inputs_back(layer, stream);
    }
    gather_gradients(learning_, stream);
    if (request_.world > 1) request_.all_reduce(arrays_.gradients, layout_.count + passenger_count, stream);
    update_parameters(learning_, type_, stream);
  }

  template <class T>
  static void upload(T* to, const T* from, std::size_t count) {
    cuda_call(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice), "copy to the GPU");
  }
  template <class T>
  static std::vector<T> download(const T* from, std::size_t count) {
    std::vector<T> all(count);
    cuda_call(cudaMemcpy(all.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "copy from the GPU");
    return all;
  }
  template <class T>
  static void put(StateWriter& writer, const T* from, std::size_t count) {
    writer.put(download(from, count));
  }
  template <class T>
  static void take(StateReader& reader, T* to, std::size_t count) {
    std::vector<T> all(count);
    reader.take(all.data(), count);
    upload(to, all.data(), count);
  }
  void read_back(void* to, const void* from, std::size_t bytes) {
    cuda_call(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_.get()), "read the figures");
  }

  envs::Environments& environments_;
  const LearnerRequest request_;
  const Layout layout_;
  workers::GpuPrecision precision_;
  workers::GpuType type_;
  workers::GpuMemory memory_;
  GpuShape shape_;
  GpuArrays arrays_{};
  Collecting collecting_;
  Learning learning_;
  Stream stream_;
  Mailbox mail_;
  std::unique_ptr<GpuNetwork> network_;
  Graph collection_, estimation_, epoch_;
};

}  // namespace

std::unique_ptr<Learner> gpu_learner(envs::Environments& environments, const LearnerRequest& request) {
  return std::make_unique<GpuLearner>(environments, request);
}

std::size_t gpu_learner_bytes(const envs::Sizes& sizes, const LearnerRequest& request) {
  const auto layout = layout_of(sizes, request.settings.hidden);
  workers::GpuMemory memory(true);
  lay_out(layout, gpu_shape(layout, sizes.environments, request.settings),
          workers::storage_of(precision_of(request.precision)), memory);
  // A reserve for graphs, and for modules that libraries load at their first use.
  constexpr auto libraries = std::size_t{256} << 20;
  return memory.total() + libraries;
}

}  // namespace rv::ppo
