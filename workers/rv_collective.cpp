// rv-collective: checks that the GPUs of one or many nodes communicate correctly, and measures the speed.
#include <fmt/format.h>

#include "workers/collectives/collective_suites.h"
#include "workers/collectives/rank_device.h"
#include "workers/devices/command_line.h"
#include "workers/ranks/rank_options.h"

namespace rv::workers {
namespace {

struct Options {
  RankOptions ranks;
  std::vector<std::string> collectives, types{"fp32"}, suites;
  std::string begin = "8", end, place = "both";
  std::optional<double> factor;
  int iterations = 20, samples = 3;
};

constexpr auto examples = R"(
Examples:
  rv-collective                                   all suites on all GPUs of this node, 8 bytes to 8 GB
  rv-collective --suite sweep --ops all_reduce -b 128M -e 8G -f 4
  srun -N2 --ntasks-per-node=4 rv-collective      two nodes (export RV_RENDEZVOUS_TOKEN first)
  rv-collective --ranks n1:4,n2:4 --token-file T  the same command on n1 and on n2
  rv-collective --device cpu --local-ranks 4      the same on the CPU, through gloo

Suites: sweep (every operation, size and placement, every element checked), p2p (every pair of ranks, slow pairs
named), rounds (pairs of nodes, all at the same time), straggler (the same work on every rank, the slow rank named).

Exit codes: 0 all passed, 1 a check failed, 2 wrong usage, 3 something could not be measured or a rank died,
77 something was skipped and nothing failed (0 with --allow-skip).)";

void describe(CLI::App& app, Options& options) {
  app.footer(examples);
  describe(app, options.ranks);
  app.add_option("--suite", options.suites, "sweep, p2p, rounds, straggler (default: all but rounds)")
      ->delimiter(',')
      ->check(CLI::IsMember({"sweep", "p2p", "rounds", "straggler"}));
  app.add_option("--ops", options.collectives,
                 "all_reduce, all_gather, reduce_scatter, broadcast, alltoall, sendrecv (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember({"all_reduce", "all_gather", "reduce_scatter", "broadcast", "alltoall", "sendrecv"}));
  app.add_option("-d,--types", options.types, "int8, int32, int64, fp16, bf16, fp32, fp64")
      ->delimiter(',')
      ->check(CLI::IsMember({"int8", "int32", "int64", "fp16", "bf16", "fp32", "fp64"}))
      ->capture_default_str();
  app.add_option("-b,--begin", options.begin, "smallest size, bytes or 8K, 1M, 2G")->capture_default_str();
  app.add_option("-e,--end", options.end, "largest size (default: 8G; quick 256M; on the CPU 8M, quick 256K)");
  app.add_option("-f,--factor", options.factor, "growth factor from one size to the next (default: 2; quick 8)")
      ->check(CLI::Range(1.1, 1e12));
  app.add_option("-n,--iterations", options.iterations, "calls per sample; fewer if a call takes long")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--samples", options.samples, "samples per figure")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--place", options.place, "out, in or both: whether the result overwrites the input")
      ->check(CLI::IsMember({"out", "in", "both"}))
      ->capture_default_str();
}

bool asked(const std::vector<std::string>& words, const char* word) {
  return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
}

/// Throws std::invalid_argument.
CollectiveRequest request_of(const Options& options, bool on_gpu) {
  CollectiveRequest request;
  const bool quick = options.ranks.quick;
  if (asked(options.suites, "sweep")) {
    for (const auto one : all_collectives) {
      if (asked(options.collectives, std::string(collective_name(one)).c_str())) request.collectives.push_back(one);
    }
  }
  request.p2p = asked(options.suites, "p2p");
  request.rounds = !options.suites.empty() && asked(options.suites, "rounds");
  request.straggler = asked(options.suites, "straggler");
  request.types.clear();
  for (const auto& name : options.types) request.types.push_back(*element_type(name));
  if (options.place != "both") request.placements = {options.place == "in"};
  const auto size = [](const std::string& text) {
    const auto bytes = parse_size(text);
    if (!bytes) throw std::invalid_argument(fmt::format("\"{}\" is not a size; write 8, 64K, 1M or 8G", text));
    return *bytes;
  };
  request.begin = size(options.begin);
  request.end = size(!options.end.empty() ? options.end : on_gpu ? (quick ? "256M" : "8G") : (quick ? "256K" : "8M"));
  if (request.begin > request.end) throw std::invalid_argument("--begin is larger than --end");
  request.factor = options.factor.value_or(quick ? 8 : 2);
  request.iterations = options.iterations;
  request.samples = options.samples;
  request.seconds = quick ? 0.1 : 0.5;
  if (!on_gpu) request.p2p_bytes = std::size_t{quick ? 256U : 4096U} << 10;
  return request;
}

void report_environment(Peer& peer, const RankDevice& place, const Options& options) {
  const auto ranks = describe_ranks(peer, place);
  if (peer.rank() != 0) return;
  auto json = environment_json(place.gpus, to_json(options.ranks));
  const auto request = request_of(options, place.communicator->device().index >= 0);
  json["request"].update({{"begin", request.begin},
                          {"end", request.end},
                          {"factor", request.factor},
                          {"types", options.types},
                          {"iterations", request.iterations},
                          {"samples", request.samples}});
  json["library"] = place.communicator->library();
  json["ranks"] = ranks.json;
  json["text"] = environment_text(place.gpus) + ranks.text;
  peer.report(json);
}

}  // namespace
}  // namespace rv::workers

int main(int argc, char** argv) {
  using namespace rv::workers;
  CLI::App app("Runs collective operations over the GPUs of one or many nodes, checks every element and measures.",
               "rv-collective");
  Options options;
  describe(app, options);
  const auto complete = [&] {
    request_of(options, false);
    request_of(options, true);
  };
  return run_program(app, argc, argv, complete, [&] {
    return run_worker("rv-collective", options.ranks, [&](Peer& peer, bool on_gpu) {
      const auto place = rank_device(peer, on_gpu);
      report_environment(peer, place, options);
      run_collectives(peer, *place.communicator, request_of(options, on_gpu));
    });
  });
}
