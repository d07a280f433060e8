#include "workers/storage/storage_suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "workers/storage/fio.h"
#include "workers/storage/small_files.h"

namespace rv::workers {
namespace {

/// Each turn measures one rank by itself; with more ranks than turns that would take too long, so that several share a
/// turn.
constexpr int most_turns = 8;
/// Concurrent requests, besides a measurement with one: typical of data loaders.
constexpr int many_threads = 16;

Measurement about(const UsableFolder& folder, const std::string& name, const std::string& unit) {
  Measurement m;
  m.suite = "storage";
  m.name = folder.folder.label + " " + name;
  m.device.model = folder.facts.type;
  m.unit = unit;
  return m;
}

Json figure(const char* name, const char* unit, double value, Json params) {
  return {{"name", name}, {"unit", unit}, {"value", value}, {"params", std::move(params)}};
}

Json bandwidth(const char* name, const Pass& pass, const LargeFile& file) {
  return figure(name, "GB/s", static_cast<double>(pass.bytes) / pass.seconds / 1e9,
                {{"bytes", pass.bytes}, {"seconds", pass.seconds}, {"way", file.way()}});
}

Json random_reads(const char* name, int threads, const Pass& pass, const LargeFile& file) {
  return figure(name, "IO/s", static_cast<double>(pass.operations) / pass.seconds,
                {{"bytes", LargeFile::page},
                 {"threads", threads},
                 {"operations", pass.operations},
                 {"seconds", pass.seconds},
                 {"way", file.way()}});
}

Json a_second(const char* name, const Pass& pass) {
  return figure(name, "files/s", static_cast<double>(pass.operations) / pass.seconds,
                {{"files", pass.operations}, {"bytes", small_file_bytes}, {"seconds", pass.seconds}});
}

/// Runs one turn of a rank; returns its figures, and the error if there was one.
Json part_of(const std::function<void(Json& figures)>& measure) {
  Json part = {{"figures", Json::array()}};
  try {
    measure(part["figures"]);
  } catch (const RunEnded&) {
    throw;
  } catch (const WrongPage& wrong) {
    part["wrong"] = wrong.what();
  } catch (const std::exception& error) {
    part["fault"] = error.what();
  }
  return part;
}

class Storage {
 public:
  Storage(Peer& peer, const StorageRequest& request, const WorkFolders& work)
      : peer_(peer), request_(request), work_(work) {}

  void in_turn(const UsableFolder& folder) {
    const int turns = std::min(peer_.world(), most_turns);
    for (int turn = 0; turn < turns; ++turn) {
      peer_.doing(fmt::format("{}, turn {} of {}", folder.folder.label, turn + 1, turns));
      const bool mine = peer_.rank() % turns == turn;
      const auto part =
          mine ? part_of([&](Json& figures) { measure_alone(folder, figures); }) : Json{{"figures", Json::array()}};
      const auto parts = peer_.gather("turn", part);
      if (peer_.rank() != 0) continue;
      for (int rank = 0; rank < peer_.world(); ++rank) {
        if (rank % turns == turn) report_of(folder, rank, parts[static_cast<std::size_t>(rank)], turns);
      }
    }
  }

  void all_at_once(const UsableFolder& folder) {
    peer_.doing(folder.folder.label + ", all at once");
    Json part = {{"figures", Json::array()}};
    std::unique_ptr<OwnFolder> own;
    std::unique_ptr<LargeFile> file;
    // All ranks start each pass together; a rank with an error still takes part in the barriers.
    const auto pass = [&](const char* name, const std::function<void(Json&)>& measure) {
      peer_.barrier(name);
      if (part.contains("fault") || part.contains("wrong")) return;
      auto more = part_of(measure);
      for (auto& one : more["figures"]) part["figures"].push_back(std::move(one));
      for (const char* const key : {"fault", "wrong"}) {
        if (more.contains(key)) part[key] = more[key];
      }
    };
    pass("make", [&](Json&) {
      own = std::make_unique<OwnFolder>(work_.path(folder.folder, peer_.rank()));
      file = std::make_unique<LargeFile>(own->path(), folder.facts, request_.direct);
    });
    pass("write",
         [&](Json& all) { all.push_back(bandwidth("write", file->write(request_.bytes, request_.seconds), *file)); });
    pass("read", [&](Json& all) { all.push_back(bandwidth("read", file->read(request_.seconds), *file)); });
    pass("random read", [&](Json& all) {
      all.push_back(random_reads("random read x16", many_threads,
                                 file->read_pages(many_threads, request_.random_seconds, 3), *file));
    });
    pass("small files", [&](Json& all) {
      const auto small = measure_small_files(own->path(), request_.small_files, request_.seconds);
      all.push_back(a_second("create", small.created));
      all.push_back(a_second("list", small.listed));
      all.push_back(a_second("remove", small.removed));
    });
    const auto parts = peer_.gather("all at once", part);
    if (peer_.rank() == 0) report_together(folder, parts);
  }

 private:
  void measure_alone(const UsableFolder& folder, Json& all) {
    const OwnFolder own(work_.path(folder.folder, peer_.rank()));
    {
      LargeFile file(own.path(), folder.facts, request_.direct);
      all.push_back(bandwidth("write", file.write(request_.bytes, request_.seconds), file));
      all.push_back(bandwidth("read", file.read(request_.seconds), file));
      all.push_back(random_reads("random read", 1, file.read_pages(1, request_.random_seconds, 1), file));
      all.push_back(random_reads("random read x16", many_threads,
                                 file.read_pages(many_threads, request_.random_seconds, 2), file));
    }
    // Checks rv's own figure with fio, if it is installed, on one node.
    if (peer_.rank() == 0) measure_beside(folder, own, all);
    const auto small = measure_small_files(own.path(), request_.small_files, request_.seconds);
    all.push_back(a_second("create", small.created));
    all.push_back(a_second("list", small.listed));
    all.push_back(a_second("remove", small.removed));
  }

  void measure_beside(const UsableFolder& folder, const OwnFolder& own, Json& all) {
    const bool direct = all[1]["params"]["way"] == "O_DIRECT";
    peer_.doing(folder.folder.label + ", by fio");
    const auto fio = measure_by_fio(own.path(), request_.bytes, direct, request_.seconds, request_.random_seconds);
    if (!fio) return;
    const auto ours = all;
    const auto add = [&](const std::optional<double>& value, const Json& one) {
      if (!value) return;
      const auto name = one["name"].get<std::string>() + ", by fio";
      all.push_back(figure(name.c_str(), one["unit"].get<std::string>().c_str(), *value,
                           {{"by", "fio"},
                            {"of", folder.folder.label + " " + one["name"].get<std::string>()},
                            {"ours", one["value"]},
                            {"ratio", one["value"].get<double>() / *value}}));
    };
    add(fio->write, ours[0]);
    add(fio->read, ours[1]);
    add(fio->random_read, ours[2]);
    add(fio->random_read16, ours[3]);
  }

  /// Reports the error of a rank as a separate measurement.
  void report_trouble(const UsableFolder& folder, int rank, const Json& part) {
    for (const auto& [key, verdict] : {std::pair{"wrong", Verdict::fail}, {"fault", Verdict::error}}) {
      if (!part.contains(key)) continue;
      auto m = about(folder, "files", "");
      m.rank = rank;
      m.verdict = verdict;
      m.reason = fmt::format("{}: {}", folder.folder.path, part[key].get<std::string>());
      peer_.report(m);
    }
  }

  void report_of(const UsableFolder& folder, int rank, const Json& part, int turns) {
    for (const auto& one : part["figures"]) {
      auto m = about(folder, one["name"].get<std::string>(), one["unit"].get<std::string>());
      m.rank = rank;
      m.value = one["value"].get<double>();
      m.params = one["params"];
      m.params["ranks_at_once"] = (peer_.world() + turns - 1) / turns;
      m.verdict = Verdict::pass;
      peer_.report(m);
    }
    report_trouble(folder, rank, part);
  }

  /// The figure of all ranks is their total over the time of the slowest.
  void report_together(const UsableFolder& folder, const std::vector<Json>& parts) {
    for (int rank = 0; rank < peer_.world(); ++rank)
      report_trouble(folder, rank, parts[static_cast<std::size_t>(rank)]);
    const bool whole = std::none_of(parts.begin(), parts.end(),
                                    [](const Json& part) { return part.contains("fault") || part.contains("wrong"); });
    if (!whole) return;
    for (std::size_t i = 0; i < parts[0]["figures"].size(); ++i) {
      const auto& first = parts[0]["figures"][i];
      auto m = about(folder, first["name"].get<std::string>() + ", all at once", first["unit"].get<std::string>());
      m.device.index = all_devices;
      double work = 0, seconds = 0;
      Json by_rank = Json::array();
      for (const auto& part : parts) {
        const auto& one = part["figures"][i];
        const auto took = one["params"]["seconds"].get<double>();
        work += one["value"].get<double>() * took;
        seconds = std::max(seconds, took);
        by_rank.push_back(one["value"]);
      }
      m.value = work / seconds;
      m.params = {{"ranks", peer_.world()}, {"by_rank", by_rank}, {"seconds", seconds}};
      m.verdict = Verdict::pass;
      peer_.report(m);
    }
  }

  Peer& peer_;
  const StorageRequest& request_;
  const WorkFolders& work_;
};

Json facts_json(const FolderFacts& facts) {
  return {{"type", facts.type}, {"device", facts.device}, {"free_bytes", facts.free_bytes}};
}

}  // namespace

std::vector<UsableFolder> usable_folders(Peer& peer, const StorageRequest& request) {
  peer.doing("check the folders");
  std::vector<UsableFolder> usable;
  std::vector<std::vector<Json>> devices;  // by folder, then by rank
  for (const auto& folder : request.folders) {
    UsableFolder one{folder, {}, {}};
    Json part;
    try {
      one.facts = folder_facts(folder);
      part = facts_json(one.facts);
      const auto files = static_cast<std::uint64_t>(request.small_files) + 8;
      const auto lack = lack_of_room(folder, one.facts, request.bytes + files * small_file_bytes, files,
                                     one.facts.of_this_machine() ? 1 : static_cast<std::uint64_t>(peer.world()));
      if (!lack.empty()) part["fault"] = lack;
    } catch (const std::runtime_error& error) {
      part = {{"fault", error.what()}};
    }
    const auto parts = peer.gather("folder", part);
    bool good = true;
    std::vector<Json> of_ranks;
    for (int rank = 0; rank < peer.world(); ++rank) {
      const auto& said = parts[static_cast<std::size_t>(rank)];
      of_ranks.push_back(said.value("device", Json()));
      if (!said.contains("fault")) continue;
      good = false;
      if (peer.rank() != 0) continue;
      auto m = about(one, "folder", "");
      m.rank = rank;
      m.reason = said["fault"].get<std::string>();
      // The hint follows the error after "; ".
      if (const auto at = m.reason.rfind("; "); at != std::string::npos) m.params["advice"] = m.reason.substr(at + 2);
      m.verdict = Verdict::error;
      peer.report(m);
    }
    if (!good) continue;
    for (std::size_t i = 0; i < usable.size(); ++i) {
      if (devices[i] == of_ranks && usable[i].same_as.empty()) one.same_as = usable[i].folder.label;
    }
    usable.push_back(one);
    devices.push_back(of_ranks);
  }
  return usable;
}

void measure_storage(Peer& peer, const StorageRequest& request, const WorkFolders& work,
                     const std::vector<UsableFolder>& folders) {
  Storage storage(peer, request, work);
  for (const auto& folder : folders) {
    if (!folder.same_as.empty()) continue;
    storage.in_turn(folder);
    if (peer.world() > 1) storage.all_at_once(folder);
  }
}

}  // namespace rv::workers
