#include "cli/project/script_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace rv::project {
namespace {

/// The text without comments: what is not code is not a reason to say anything.
std::string code_of(std::string_view text) {
  std::string code;
  bool comment = false;
  for (const char c : text) {
    if (c == '\n') comment = false;
    if (c == '#') comment = true;
    if (!comment) code += c;
  }
  return code;
}

template <std::size_t N>
bool has_any(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Variables and programs that join the processes of several nodes, or distinguish them.
constexpr std::array<std::string_view, 20> together{"init_process_group",
                                                    "Accelerator(",
                                                    "Trainer(",
                                                    "deepspeed",
                                                    "lightning",
                                                    "horovod",
                                                    "mpi4py",
                                                    "jax.distributed",
                                                    "init_device_mesh",
                                                    "ray.init",
                                                    "dist_init",
                                                    "WORLD_SIZE",
                                                    "NODE_RANK",
                                                    "RANK",
                                                    "SLURM_PROCID",
                                                    "SLURM_NODEID",
                                                    "torch.distributed",
                                                    "initialize_dist",
                                                    "Strategy(",
                                                    "parallel_state"};
constexpr std::array<std::string_view, 7> launchers{
    "torchrun", "accelerate", "deepspeed", "mpirun", "horovodrun", "ray", "torch.distributed.run"};
constexpr std::array<std::string_view, 5> one_node{"device_map=\"auto\"", "device_map='auto'", "device_map = \"auto\"",
                                                   "transformers import pipeline", "transformers.pipeline("};

/// The largest number that is given as num_workers; 0: none is.
int most_workers(std::string_view code) {
  constexpr std::string_view key = "num_workers";
  int most = 0;
  for (std::size_t at = code.find(key); at != std::string_view::npos; at = code.find(key, at + 1)) {
    std::string_view rest = code.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (!rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    int number = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), number);
    most = std::max(most, number);
  }
  return most;
}

}  // namespace

std::vector<std::string> script_notes(std::string_view text, const ScriptPlace& place) {
  std::vector<std::string> notes;
  const std::string code = code_of(text);
  if (place.nodes > 1) {
    const bool launched = std::any_of(place.words.begin(), place.words.end(), [](const std::string& word) {
      const std::string name = word.substr(word.rfind('/') + 1);
      return std::find(launchers.begin(), launchers.end(), name) != launchers.end();
    });
    if (has_any(code, one_node)) {
      notes.push_back(fmt::format(
          "{} spreads its model over the GPUs of one node; on {} nodes each would do all of it: --single-node",
          place.script, place.nodes));
    } else if (!launched && !has_any(code, together)) {
      notes.push_back(
          fmt::format("{} makes no process group: on {} nodes each would do the same work; --single-node "
                      "keeps it on one",
                      place.script, place.nodes));
    }
  }
  const int workers = most_workers(code);
  if (place.cpus > 0 && workers > place.cpus) {
    notes.push_back(fmt::format("{} starts {} data-loader workers, and a process has {} CPU{}: --cpus asks for more",
                                place.script, workers, place.cpus, place.cpus == 1 ? "" : "s"));
  }
  return notes;
}

}  // namespace rv::project
