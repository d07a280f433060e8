// rv-train: trains a network on one or many GPUs, and continues from a checkpoint.
#include <fmt/format.h>

#include <cstdlib>

#include "workers/collectives/rank_device.h"
#include "workers/devices/command_line.h"
#include "workers/ranks/rank_options.h"
#include "workers/ranks/refusal.h"
#include "workers/training/throughput.h"
#include "workers/training/training.h"
#include "workers/training/warned_end.h"

namespace rv::workers {
namespace {

struct Options {
  RankOptions ranks;
  std::optional<int> epochs;
  TrainRequest request;
  std::string model = "mlp";
  ThroughputRequest throughput;
  std::optional<int> steps;
  std::filesystem::path batches;
  int warned_exit = 85;
};

constexpr auto examples = R"(
Examples:
  rv-train                                   one rank per GPU of this node
  rv-train --gpus 1                          one GPU only
  rv-train --device cpu --local-ranks 2      the same on the CPU, through gloo
  rv-train --model resnet50 --batch-size 64  a real network, timed: samples per second
  rv-train --model transformer --scaling --results FILE
                                             the speed of each GPU, compared with one GPU by itself
  rv-train --model resnet18 --data-mode cifar10 --data-dir D --results FILE
                                             on CIFAR-10's files, with figures as JSON
  rv-train --model resnet18 --initial-weights W --batches B --steps 200 --results FILE
                                             PyTorch's initial weights: tests/bench/torch_curve.py writes W and B
  rv-train --checkpoint-dir D --save-every 10 --step-seconds 0.5
                                             a long run that SIGUSR1 ends cleanly; run the same command to continue

On SIGUSR1 all ranks save after the same step and end. With a checkpoint folder (--checkpoint-dir, or RV_CHECKPOINT_DIR)
the training continues from the state in it; its steps.log has a line for every completed step.

Exit codes: 0 all passed, 1 a check failed, 2 wrong usage, 3 something could not be measured or a rank died,
4 the batch does not fit into the memory, 77 something was skipped and nothing failed (0 with --allow-skip), 85 ended by a
warning, to be started again (--warned-exit).)";

/// The options of the models other than the toy network.
void describe_throughput(CLI::App& app, Options& options) {
  auto& t = options.throughput;
  const auto positive = CLI::Range(1, 1 << 24);
  app.add_option("--model", options.model, "mlp: a toy network that must learn; the others are timed")
      ->check(CLI::IsMember({"mlp", "resnet18", "resnet50", "transformer"}))
      ->capture_default_str();
  auto* const data_mode = app.add_option("--data-mode", t.data_mode, "training data");
  data_mode->check(CLI::IsMember({"synthetic", "fashion_mnist", "cifar10", "cifar100", "imagenet"}))
      ->capture_default_str();
  app.add_option("--data-dir", t.data_folder, "folder of real data")->capture_default_str();
  app.add_option("--data-threads", t.data_threads,
                 "threads of a rank that decode ImageNet's images (default: its share of the CPUs)")
      ->check(CLI::Range(1, 1024));
  app.add_option(
         "--decoder", t.decoder,
         "decoder of ImageNet's JPEGs: nvjpeg (on the GPU), host (libjpeg-turbo), or auto: nvjpeg if it is available")
      ->check(CLI::IsMember({"auto", "nvjpeg", "host"}))
      ->capture_default_str();
  app.add_option("--batch-size", t.batch, "samples per rank in a step (default: 32; on the CPU 4)")->check(positive);
  app.add_option("--num-classes", t.classes,
                 "number of classes, or size of the vocabulary (default: 1000; on the CPU 16)")
      ->check(positive);
  app.add_option("--learning-rate", t.rate, "learning rate of SGD with momentum 0.9")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--warmup-iterations", t.warmup, "untimed steps at the beginning (default: 50; on the CPU 1)")
      ->check(CLI::Range(0, 1 << 24));
  app.add_option("--active-iterations", t.active, "timed steps (default: 100; on the CPU 3)")->check(positive);
  app.add_option("--steps", options.steps, "total number of steps, instead of warm-up and timed steps")
      ->check(positive);
  app.add_option("--repeats", t.repeats, "repetitions of the timed steps")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--precision", t.precision, "fp32, tf32, fp16 or bf16 (default: bf16; on the CPU fp32)")
      ->check(CLI::IsMember({"fp32", "tf32", "fp16", "bf16"}));
  app.add_option("--seed", t.seed, "random seed of weights, data and dropout")->capture_default_str();
  app.add_option("--image-size", t.image_size, "width and height of an image, in pixels (default: 224; on the CPU 32)")
      ->check(CLI::Range(8, 4096));
  app.add_option("--sequence", t.sequence, "positions that predict a token (default: 511; on the CPU 15)")
      ->check(CLI::Range(1, 65536));
  app.add_flag("--scaling", t.scaling,
               "first time rank 0 without the others, as the reference for the scaling efficiency");
  app.add_option("--results", t.results, "write the figures to this file, as JSON");
  app.add_option("--peak-tflops", t.peak_tflops,
                 "peak of a GPU at this precision, in TFLOP/s, to report the share of it")
      ->check(CLI::PositiveNumber);
  app.add_option("--dropout", t.dropout, "dropout of the transformer")
      ->check(CLI::Range(0.0, 0.9))
      ->capture_default_str();
  app.add_option("--initial-weights", t.initial_weights,
                 "start with the weights of this safetensors file, with PyTorch's names and shapes");
  app.add_option("--final-weights", t.final_weights, "write the final weights to this file, in the same format");
  app.add_option("--batches", options.batches, "train on the batches of this safetensors file, in turn")
      ->excludes(data_mode);
}

/// Refuses options of the timed models, which would be ignored silently.
void refuse_for_mlp(const Options& options) {
  const auto& t = options.throughput;
  if (options.model != "mlp") return;
  if (t.initial_weights.empty() && t.final_weights.empty() && options.batches.empty()) return;
  throw CLI::ValidationError("--model", "mlp does not accept files of weights or batches; choose another model");
}

void refuse_without_images(const Options& options) {
  if (options.throughput.decoder != "nvjpeg") return;
  if (options.model != "mlp" && options.throughput.data_mode == "imagenet" && options.batches.empty()) return;
  throw CLI::ValidationError("--decoder", "nvjpeg decodes ImageNet's images; add --data-mode imagenet and a --model");
}

void describe(CLI::App& app, Options& options) {
  app.footer(examples);
  describe(app, options.ranks);
  app.add_option("--gpus", options.ranks.local_ranks, "the same as --local-ranks")
      ->check(CLI::Range(1, 1024))
      ->excludes("--local-ranks");
  app.add_option("--epochs", options.epochs, "number of passes over the 4000 samples (default: 3; quick 2)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--batch", options.request.batch, "samples per step, over all ranks together")
      ->check(CLI::Range(1, ToyData::samples))
      ->capture_default_str();
  app.add_option("--checkpoint-dir,--checkpoint", options.request.folder,
                 "folder to save to and to continue from (default: $RV_CHECKPOINT_DIR)");
  app.add_option("--save-every", options.request.save_every,
                 "save after every N steps; 0: only at the end and on a warning")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--step-seconds", options.request.step_seconds, "minimum duration of a step")
      ->check(CLI::Range(0.0, 3600.0));
  describe_throughput(app, options);
  app.add_option("--warned-exit", options.warned_exit, "exit code after a warning")
      ->check(CLI::Range(0, 255))
      ->capture_default_str();
}

void time_model(Peer& peer, bool on_gpu, Communicator& communicator, const Options& options) {
  refuse_late(peer, "rv-train", "use a smaller --batch-size", [&] {
    const auto ended = run_throughput(peer, communicator, on_gpu, options.throughput, was_warned);
    if (peer.rank() != 0) return;
    if (ended.refusal) {
      Measurement m;
      m.suite = "model";
      m.name = options.model;
      m.device = communicator.device();
      report_refusal(peer, "rv-train", *ended.refusal, m);
    } else if (!ended.finished) {
      peer.report(Json{{"kind", "exit"}, {"code", options.warned_exit}});
    }
  });
}

void train(Peer& peer, bool on_gpu, const Options& options) {
  const auto place = rank_device(peer, on_gpu);
  const auto ranks = describe_ranks(peer, place);
  if (peer.rank() == 0) {
    auto json = environment_json(place.gpus, to_json(options.ranks));
    json["request"].update({{"epochs", options.request.epochs}, {"batch", options.request.batch}});
    json["library"] = place.communicator->library();
    json["ranks"] = ranks.json;
    json["text"] = environment_text(place.gpus) + ranks.text;
    peer.report(json);
  }
  if (options.model != "mlp") {
    return time_model(peer, on_gpu, *place.communicator, options);
  }
  peer.doing("making the network");
  const auto data = make_toy_data();
  const auto mlp = on_gpu ? cuda_mlp(data) : cpu_mlp(data);
  const bool finished = run_training(peer, *place.communicator, *mlp, options.request, was_warned);
  if (!finished && peer.rank() == 0) peer.report(Json{{"kind", "exit"}, {"code", options.warned_exit}});
}

/// Fills in the options that were not given. Throws CLI::ParseError.
void complete(Options& options) {
  refuse_for_mlp(options);
  refuse_without_images(options);
  options.request.epochs = options.epochs.value_or(options.ranks.quick ? 2 : 3);
  options.request.folder = checkpoint_folder(options.request.folder);
  auto& t = options.throughput;
  t.model = options.model;
  t.folder = options.request.folder;
  t.save_every = options.request.save_every;
  if (!options.batches.empty()) {
    t.data_mode = "batches";
    t.data_folder = options.batches;
  }
  if (options.steps) {
    t.warmup = 0;
    t.active = options.steps;
  }
}

int run(const Options& options) {
  catch_the_warning();
  return run_worker("rv-train", options.ranks, [&](Peer& peer, bool on_gpu) { train(peer, on_gpu, options); });
}

}  // namespace
}  // namespace rv::workers

int main(int argc, char** argv) {
  using namespace rv::workers;
  CLI::App app(
      "Trains a small network that must learn, or times a real one (--model), on one or many ranks. All ranks must "
      "have the same bits.",
      "rv-train");
  Options options;
  describe(app, options);
  return run_program(
      app, argc, argv, [&] { complete(options); }, [&] { return run(options); });
}
