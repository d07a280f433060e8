// What a healthy GPU, node or fabric gives, by everything that the figure depends on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/accept/evidence.h"

namespace rv::accept {

/// One figure is only ever compared with one of the same GPU, number of GPUs and nodes, fabric, algorithm, type and
/// size.
struct FigureKey {
  std::string gpu;     // the model as the driver names it: "NVIDIA H200"; for is_io(): the file system's or network's
  std::string figure;  // gemm_bf16, copy, h2d_bandwidth, all_reduce, p2p one way, …
  int gpus = 1;        // that take part: 1 for what a GPU does alone
  int nodes = 1;
  std::string fabric;  // between them: nvlink, pcie, network; empty: one GPU, or not known
  std::string type;    // of a collective's elements: fp32
  std::optional<std::uint64_t> bytes;
  bool in_place = false;

  bool operator==(const FigureKey&) const = default;
};

struct Baseline {
  FigureKey key;
  double value = 0;
  std::string unit;        // also says which way is better: times (us, ms) are better when small
  double at_least = 0.9;   // below this share of the value it is a fail
  std::string source;      // who measured, or where it was published
  bool published = false;  // by others, not measured by rv on such a machine
};

bool smaller_is_better(std::string_view unit);

/// How good, 1 being as the baseline: value/baseline, or baseline/value for times. Both positive.
double ratio_to(const Baseline& baseline, double value);

/// Whether a figure is of a node's file systems or network. GPUs take no part in it. Its `model`, and so the `gpu` of
/// its key, is the kind of file system or the speed of the network.
bool is_io(const Figure& figure);

/// Whether a figure is of a training that is timed: of all ranks, or of one that does not wait for the others.
bool is_of_model(const Figure& figure);
/// Whether it is of the slowest few steps, by its parameter `quantile`: they vary more than the others.
bool is_tail(const Figure& figure);

/// The baseline of a key. A later one of the same key wins; a measured one wins over a published one. A key with
/// an unknown fabric has only the baselines that name no fabric.
const Baseline* find_baseline(const std::vector<Baseline>& baselines, const FigureKey& key);

/// The key of a figure that one worker reported. `gpus` and `nodes` took part, `fabric` is between them. `model`
/// becomes the key's `gpu`.
FigureKey key_of(const Figure& figure, const std::string& model, int gpus, int nodes, const std::string& fabric);

}  // namespace rv::accept
