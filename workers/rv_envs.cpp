// rv-envs: trains thousands of simulated quadrupeds to walk, and reports the speed of this load.
#include <fmt/format.h>

#include <cstdlib>

#include "workers/collectives/rank_device.h"
#include "workers/devices/command_line.h"
#include "workers/envs/quadruped.h"
#include "workers/ppo/run.h"
#include "workers/ranks/rank_options.h"
#include "workers/ranks/refusal.h"
#include "workers/training/warned_end.h"

namespace rv::workers {
namespace {

struct Options {
  RankOptions ranks;
  std::optional<int> environments, gpus;
  std::string precision;
  ppo::RunRequest request;
  int warned_exit = 85;
};

constexpr auto examples = R"(
Examples:
  rv-envs                                        4096 quadrupeds on rough ground, ten iterations, on one GPU
  rv-envs --num-envs 65536 --task flat           more of them, on flat ground
  rv-envs --gpus 4                               4096 on each of four GPUs, one policy
  rv-envs --num-envs 64 --device cpu             the same on the CPU
  rv sweep --over envs=1024,2048,4096 -- rv-envs --num-envs {envs}
                                                 how many fit, and which number is fastest
  rv-envs --iterations 1500 --checkpoint D       a long training that SIGUSR1 ends cleanly; run the same
                                                 command to continue

The output has the format of RSL-RL's log. Before anything is allocated, the memory that is needed is computed and
compared with the free memory.

Exit codes: 0 done, 1 a loss is not a finite number or the ranks' weights differ, 2 wrong usage, 3 an error, or a rank
died, 4 the environments do not fit into the memory, 77 no GPU, 85 ended by a warning, to be started again
(--warned-exit).)";

void describe(CLI::App& app, Options& options) {
  app.footer(examples);
  options.ranks.deadline = 600;
  describe(app, options.ranks);
  app.get_option("--local-ranks")->description("ranks that this process starts, a GPU each (default: 1)");
  auto& r = options.request;
  const auto positive = CLI::Range(1, 1 << 24);
  app.add_option("--num-envs,--num_envs", options.environments,
                 "environments of each rank (default: 4096; on the CPU 64)")
      ->check(positive);
  app.add_option("--iterations,--max_iterations", r.iterations,
                 "total number of iterations, including those before a restart")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--task", r.task, "rough: 235 observations; flat: 48")
      ->check(CLI::IsMember({"rough", "flat"}))
      ->capture_default_str();
  app.add_option("--speed", r.speed, "speed of the command to walk ahead, in m/s (default: a random command for each)")
      ->check(CLI::Range(0.2, 3.0));
  app.add_option("--seed", r.seed, "random seed of weights, environments, actions and the samples' order")
      ->capture_default_str();
  app.add_option("--gpus", options.gpus, "the same as --local-ranks")->check(CLI::Range(1, 1024));
  app.add_option("--precision", options.precision,
                 "precision of the networks' products: fp32, tf32 or bf16 (default: tf32; on the CPU fp32)")
      ->check(CLI::IsMember({"fp32", "tf32", "bf16"}));
  app.add_option("--checkpoint,--checkpoint-dir", r.folder,
                 "folder to save to and to continue from (default: $RV_CHECKPOINT_DIR)");
  app.add_option("--save-every", r.save_every, "save after every N iterations; 0: only at the end and on a warning")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--results", r.results, "write the figures of all iterations to this file, as JSON");
  app.add_option("--warned-exit", options.warned_exit, "exit code after a warning")
      ->check(CLI::Range(0, 255))
      ->capture_default_str();
}

ppo::TaskSource quadrupeds(const ppo::RunRequest& request, bool on_gpu, int gpu) {
  const auto options = [=, rough = request.task == "rough", seed = request.seed, speed = request.speed](
                           int environments, int first) {
    return envs::QuadrupedOptions{environments, rough, seed, on_gpu ? envs::Device::cuda : envs::Device::cpu,
                                  gpu,          first, speed};
  };
  const bool rough = request.task == "rough";
  return {[=](int environments, int first) { return envs::make_quadruped(options(environments, first)); },
          [=](int environments) { return envs::quadruped_bytes(options(environments, 0)); },
          [=](int environments) {
            return envs::Sizes{environments, rough ? 235 : 48, 12};
          }};
}

void learn(Peer& peer, bool on_gpu, Options options) {
  auto& request = options.request;
  request.environments = options.environments.value_or(on_gpu ? 4096 : 64);
  request.precision = options.precision.empty() ? (on_gpu ? "tf32" : "fp32") : options.precision;
  const auto place = rank_device(peer, on_gpu);
  const auto ranks = describe_ranks(peer, place);
  if (peer.rank() == 0) {
    auto json = environment_json(place.gpus, to_json(options.ranks));
    json["request"].update({{"task", request.task},
                            {"num_envs", request.environments},
                            {"iterations", request.iterations},
                            {"seed", request.seed},
                            {"precision", request.precision}});
    json["library"] = place.communicator->library();
    json["ranks"] = ranks.json;
    json["text"] = environment_text(place.gpus) + ranks.text;
    peer.report(json);
  }
  const auto task = quadrupeds(request, on_gpu, place.communicator->device().index);
  refuse_late(peer, "rv-envs", "use fewer environments", [&] {
    const auto ended = run_ppo(peer, *place.communicator, on_gpu, task, request, was_warned);
    if (peer.rank() != 0) return;
    if (ended.refusal) {
      Measurement m;
      m.suite = "train";
      m.name = "ppo";
      m.device = place.communicator->device();
      report_refusal(peer, "rv-envs", *ended.refusal, m);
    } else if (!ended.finished) {
      peer.report(Json{{"kind", "exit"}, {"code", options.warned_exit}});
    }
  });
}

/// Fills in the options that were not given. Throws CLI::ParseError.
void complete(Options& options) {
  if (options.gpus && options.ranks.local_ranks) {
    throw CLI::ValidationError("--gpus and --local-ranks can't be combined; leave out one of them");
  }
  // Under a launcher, the launcher decides the number of ranks.
  if (std::getenv("WORLD_SIZE") == nullptr && options.ranks.hosts.empty() && !options.ranks.local_ranks) {
    options.ranks.local_ranks = options.gpus.value_or(1);
  }
  options.request.folder = checkpoint_folder(options.request.folder);
  options.request.log = !options.ranks.json;
}

int run(const Options& options) {
  if (options.ranks.device == "cpu" && !options.precision.empty() && options.precision != "fp32") {
    say_refusal("rv-envs", {fmt::format("--precision {} needs a GPU", options.precision),
                            "the host's processor computes in fp32"});
    return 2;
  }
  catch_the_warning();
  return run_worker("rv-envs", options.ranks, [&](Peer& peer, bool on_gpu) { learn(peer, on_gpu, options); });
}

}  // namespace
}  // namespace rv::workers

int main(int argc, char** argv) {
  using namespace rv::workers;
  CLI::App app("Simulates many quadrupeds on one or many GPUs, and has them learn to walk by PPO.", "rv-envs");
  Options options;
  describe(app, options);
  return run_program(
      app, argc, argv, [&] { complete(options); }, [&] { return run(options); });
}
