// rv-io: measures the file systems of one or many nodes, the delay until one node sees the writes of another, and TCP
// between every two nodes. It needs no GPU.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "workers/devices/command_line.h"
#include "workers/devices/node_name.h"
#include "workers/network/pairs.h"
#include "workers/ranks/rank_options.h"
#include "workers/report/report_file.h"
#include "workers/storage/large_file.h"
#include "workers/storage/visibility.h"

namespace rv::workers {
namespace {

struct Options {
  RankOptions ranks;
  std::vector<std::string> suites, folders, interfaces;
  std::string size = "256M";
  std::optional<int> files, rounds;
  double patience = 75;
  bool buffered = false;
};

constexpr auto examples = R"(
Examples:
  rv-io --folder scratch=/scratch/ann             bandwidth, random reads and small files of this node
  rv-io --folder scratch=/scratch/ann --size 4G   with a file of 4 GiB
  srun -N4 --ntasks-per-node=1 rv-io --folder home=$HOME
                                                  four nodes: one at a time and all at once, the delay until each
                                                  sees the others' files, and TCP between all of them (export
                                                  RV_RENDEZVOUS_TOKEN first)
  rv-io --ranks n1,n2 --token-file T --suite network
                                                  the same command on n1 and on n2

Suites: storage, visibility and network; the latter two need two ranks. The files are removed, also after a
signal. Free space and inodes are checked first.

Exit codes: 0 all passed, 1 a check failed, 2 wrong usage, 3 something could not be measured or a rank died,
77 something was skipped and nothing failed (0 with --allow-skip).)";

void describe(CLI::App& app, Options& options) {
  app.footer(examples);
  describe(app, options.ranks);
  options.ranks.device = "cpu";
  options.ranks.deadline = 300;
  app.get_option("--deadline")->capture_default_str();
  app.get_option("--device")->group("");
  app.get_option("--local-ranks")->description("ranks that this process starts (default: 1)");
  app.add_option("--suite", options.suites, "storage, visibility, network (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember({"storage", "visibility", "network"}));
  app.add_option("--folder", options.folders, "NAME=/FOLDER on the file system to measure; can be repeated");
  app.add_option("--size", options.size, "size of the file that each rank writes, for example 64M or 1G")
      ->capture_default_str();
  app.add_option("--files", options.files, "number of small files per rank (default: 5000; quick 1000)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--rounds", options.rounds, "rounds of waiting for another rank's file (default: 20; quick 5)")
      ->check(CLI::Range(1, 10000));
  app.add_option("--patience", options.patience, "seconds that rv waits for another node's files, which home must keep")
      ->check(CLI::Range(1.0, 86400.0))
      ->capture_default_str();
  app.add_option("--interface", options.interfaces, "use only these interfaces (default: all)")->delimiter(',');
  app.add_flag("--buffered", options.buffered, "do not use O_DIRECT, for a file system without it");
}

bool asked(const Options& options, const char* suite) {
  return options.suites.empty() ||
         std::find(options.suites.begin(), options.suites.end(), suite) != options.suites.end();
}

/// Throws std::invalid_argument.
StorageRequest storage_request(const Options& options) {
  StorageRequest request;
  for (const auto& text : options.folders) request.folders.push_back(measured_folder_from(text));
  const auto bytes = bytes_from(options.size);
  if (!bytes || *bytes < LargeFile::block) {
    throw std::invalid_argument(
        fmt::format("--size: \"{}\" is not a size of at least 4M; write it like 64M or 1G", options.size));
  }
  request.bytes = *bytes;
  const bool quick = options.ranks.quick;
  request.small_files = options.files.value_or(quick ? 1000 : 5000);
  request.seconds = quick ? 5 : 20;
  request.random_seconds = quick ? 0.5 : 3;
  request.direct = !options.buffered;
  const bool needed = asked(options, "storage") || asked(options, "visibility");
  if (request.folders.empty() && needed && !options.suites.empty()) {
    throw std::invalid_argument("expected a folder to measure: --folder scratch=/scratch/ann");
  }
  return request;
}

Json environment_of(Peer& peer, const Options& options, const std::vector<UsableFolder>& folders) {
  Json json = {{"kind", "environment"}, {"host", node_name()}, {"ranks", Json::array()}, {"folders", Json::array()}};
  std::string text;
  for (int rank = 0; rank < peer.world(); ++rank) {
    const auto& host = peer.hosts()[static_cast<std::size_t>(rank)];
    json["ranks"].push_back({{"rank", rank}, {"host", host}, {"gpu", nullptr}, {"uuid", ""}, {"model", ""}});
    text += fmt::format("rank {}: {}\n", rank, host);
  }
  for (const auto& one : folders) {
    json["folders"].push_back({{"name", one.folder.label},
                               {"path", one.folder.path},
                               {"type", one.facts.type},
                               {"free_bytes", one.facts.free_bytes},
                               {"same_as", one.same_as.empty() ? Json() : Json(one.same_as)}});
    text += fmt::format("{}: {}, {}, {} free{}\n", one.folder.label, one.folder.path, one.facts.type,
                        bytes_text(one.facts.free_bytes), one.same_as.empty() ? "" : ", the same as " + one.same_as);
  }
  json["request"] = to_json(options.ranks);
  json["request"]["size"] = options.size;
  json["text"] = text;
  return json;
}

void work(Peer& peer, const Options& options, const StorageRequest& request, const WorkFolders& folders) {
  const auto usable = usable_folders(peer, request);
  if (peer.rank() == 0) peer.report(environment_of(peer, options, usable));
  const bool quick = options.ranks.quick;
  if (asked(options, "storage")) measure_storage(peer, request, folders, usable);
  if (asked(options, "visibility")) {
    VisibilityRequest visibility;
    visibility.rounds = options.rounds.value_or(quick ? 5 : 20);
    visibility.seconds = quick ? 20 : 120;
    visibility.patience = options.patience;
    measure_visibility(peer, visibility, folders, usable);
  }
  if (asked(options, "network")) {
    PairRequest pairs;
    pairs.seconds = quick ? 0.5 : 2;
    pairs.pings = quick ? 200 : 2000;
    pairs.only = options.interfaces;
    measure_pairs(peer, pairs);
  }
}

int run(const Options& options) {
  const auto request = storage_request(options);
  const auto launch = make_launch(options.ranks, [] { return 1; });
  const ReportFile file(launch.ranks.coordinates ? options.ranks.report_dir : std::filesystem::path(), "rv-io");
  auto report = file.report(options.ranks.json);
  int code = 0;
  {
    const WorkFolders folders(request.folders, launch.ranks.first, launch.ranks.here);
    code = run_ranks(launch, report, [&](Peer& peer) { work(peer, options, request, folders); });
  }
  WorkFolders::end_by_signal();
  return code_if_written(report, "rv-io", code);
}

}  // namespace
}  // namespace rv::workers

int main(int argc, char** argv) {
  CLI::App app("Measures file systems and TCP between nodes. Needs no GPU.", "rv-io");
  rv::workers::Options options;
  describe(app, options);
  return rv::workers::run_program(app, argc, argv, nullptr, [&] { return rv::workers::run(options); });
}
