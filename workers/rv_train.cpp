// rv-train: trains a toy network on one or many GPUs, and goes on where it was ended.
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdlib>

#include "workers/collectives/rank_device.h"
#include "workers/ranks/rank_options.h"
#include "workers/training/training.h"

namespace rv::workers {
namespace {

struct Options {
  RankOptions ranks;
  std::optional<int> epochs;
  TrainRequest request;
  int warned_exit = 85;
};

std::atomic<bool> warned = false;

extern "C" void note_the_warning(int) {
  warned = true;
}

constexpr auto examples = R"(
Examples:
  rv-train                                   one rank per GPU of this node
  rv-train --local-ranks 1                   one GPU alone
  rv-train --device cpu --local-ranks 2      the same on the host's processor, through gloo
  rv-train --checkpoint-dir D --save-every 10 --step-seconds 0.5
                                             a long run that a SIGUSR1 ends cleanly; the same command goes on

On SIGUSR1 all ranks save after the same step and end. With a checkpoint folder (--checkpoint-dir, or RV_CHECKPOINT_DIR)
the training goes on from what lies there; steps.log in it has a line for every step done.

Exit codes: 0 all passed, 1 a check failed, 2 wrong usage, 3 something could not be measured or a rank died,
77 something was skipped and nothing failed (0 with --allow-skip), 85 ended by a warning, to be started again
(--warned-exit).)";

void describe(CLI::App& app, Options& options) {
  app.footer(examples);
  describe(app, options.ranks);
  app.add_option("--epochs", options.epochs, "passes over the 4000 samples (default: 3; quick 2)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--batch", options.request.batch, "samples per step, over all ranks together")
      ->check(CLI::Range(1, ToyData::samples))
      ->capture_default_str();
  app.add_option("--checkpoint-dir", options.request.folder,
                 "where to save, and to go on from (default: $RV_CHECKPOINT_DIR)");
  app.add_option("--save-every", options.request.save_every, "steps; 0: at the end and on a warning only")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--step-seconds", options.request.step_seconds, "the least that a step takes")
      ->check(CLI::Range(0.0, 3600.0));
  app.add_option("--warned-exit", options.warned_exit, "the exit code after a warning")
      ->check(CLI::Range(0, 255))
      ->capture_default_str();
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
  peer.doing("making the network");
  const auto data = make_toy_data();
  const auto mlp = on_gpu ? cuda_mlp(data) : cpu_mlp(data);
  const bool finished = run_training(peer, *place.communicator, *mlp, options.request, [] { return warned.load(); });
  if (!finished && peer.rank() == 0) peer.report(Json{{"kind", "exit"}, {"code", options.warned_exit}});
}

}  // namespace
}  // namespace rv::workers

int main(int argc, char** argv) {
  using namespace rv::workers;
  CLI::App app("Trains a toy network, alone or data-parallel: the loss falls, all ranks agree to the last bit.",
               "rv-train");
  Options options;
  describe(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  options.request.epochs = options.epochs.value_or(options.ranks.quick ? 2 : 3);
  const auto* const folder = std::getenv("RV_CHECKPOINT_DIR");
  if (options.request.folder.empty() && folder != nullptr) options.request.folder = folder;
  // Before the ranks start: a warning that comes early must not kill them.
  struct sigaction action {};
  action.sa_handler = note_the_warning;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  try {
    return run_worker("rv-train", options.ranks, [&](Peer& peer, bool on_gpu) { train(peer, on_gpu, options); });
  } catch (const std::exception& error) {
    fmt::print(stderr, "rv-train: {}\n", error.what());
    return 3;
  }
}
