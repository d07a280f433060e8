#include "workers/storage/visibility.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "shared/system/descriptor.h"
#include "workers/devices/stopping.h"

namespace rv::workers {
namespace {

using std::chrono::milliseconds;

constexpr std::array kinds = {"listed", "by name", "appended", "renamed"};
/// The limit on a file system that is probably local: longer than a shared one takes.
constexpr double local_seconds = 3;
constexpr double after_patience = 15;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

bool is_listed(const std::string& folder, const std::string& name) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
  if (!entries) return false;
  while (const auto* const entry = readdir(entries.get())) {
    if (name == entry->d_name) return true;
  }
  return false;
}

bool is_there(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Does not use replace_file(), here and for the rename, because the visibility of exactly these system calls is
/// measured. Throws std::runtime_error with the system's message.
void put(const std::string& path, const std::string& text, int how) {
  os::Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC | how, 0600));
  const bool written =
      file.number() >= 0 && write(file.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!written || !file.close()) {
    throw std::runtime_error(fmt::format("can't write {}: {}", path, strerror(errno)));
  }
}

/// The rounds in one folder. All ranks are in the same step at the same time: each step ends with a gather.
class Rounds {
 public:
  Rounds(Peer& peer, const VisibilityRequest& request, const UsableFolder& folder, std::vector<std::string> places)
      : peer_(peer),
        folder_(folder),
        places_(std::move(places)),
        limit_(folder.facts.of_this_machine() ? local_seconds : request.patience + after_patience) {}

  /// False: no further round is needed.
  bool run(int round) {
    const auto writer = round % peer_.world();
    const auto& place = places_[static_cast<std::size_t>(writer)];
    const bool writes = writer == peer_.rank();
    const auto listed = fmt::format("listed-{}", round), named = fmt::format("named-{}", round);
    const auto path = place + "/" + named;
    peer_.doing(fmt::format("{}, what rank {} writes", folder_.folder.label, writer));
    // The first read makes the node cache that the entry does not exist.
    if (!writes) is_listed(place, listed);
    const bool seen = step(
        "listed", writes, [&] { put(place + "/" + listed, "1", O_CREAT | O_EXCL); },
        [&] { return is_listed(place, listed); });
    if (!seen) return false;
    if (!writes) is_there(path);
    step(
        "by name", writes, [&] { put(path, "1", O_CREAT | O_EXCL); }, [&] { return is_there(path); });
    if (!writes) content_of(path);
    step(
        "appended", writes, [&] { put(path, "2", O_APPEND); }, [&] { return content_of(path) == "12"; });
    if (!writes) content_of(path);
    step(
        "renamed", writes,
        [&] {
          put(path + ".new", "3", O_CREAT | O_EXCL);
          if (rename((path + ".new").c_str(), path.c_str()) != 0) {
            throw std::runtime_error(fmt::format("can't rename {}: {}", path, strerror(errno)));
          }
        },
        [&] { return content_of(path) == "3"; });
    return true;
  }

  const std::map<std::string, std::vector<double>>& delays() const { return delays_; }
  const std::map<std::string, std::string>& never() const { return never_; }
  const std::string& fault() const { return fault_; }
  double limit() const { return limit_; }

 private:
  template <class Write, class Look>
  bool step(const std::string& kind, bool writes, Write write, Look look) {
    peer_.barrier("ready");
    Json done = nullptr;
    if (writes) {
      try {
        write();
      } catch (const std::runtime_error& error) {
        done = error.what();
      }
    }
    for (const auto& word : peer_.gather("written", done)) {
      if (word.is_string()) fault_ = word.get<std::string>();
    }
    if (!fault_.empty()) return false;
    const auto parts = peer_.gather("seen", writes ? Json() : Json(waited(look)));
    bool all = true;
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
      if (!parts[rank].is_number()) continue;
      const auto delay = parts[rank].get<double>();
      if (delay >= 0) {
        delays_[kind].push_back(delay);
      } else {
        never_[kind] = peer_.hosts()[rank];
        all = false;
      }
    }
    return all;
  }

  /// Milliseconds until the change is seen; -1: not within the limit.
  template <class Look>
  double waited(Look look) {
    const auto begin = Clock::now();
    auto pause = milliseconds(1);
    while (true) {
      const auto asked = ms_since(begin);
      // If the first read sees it, it was visible when the message arrived.
      if (look()) return asked < 1 ? 0 : asked;
      if (asked > limit_ * 1000) return -1;
      peer_.check();
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 5 / 4 + milliseconds(1), milliseconds(50));
    }
  }

  Peer& peer_;
  const UsableFolder& folder_;
  std::vector<std::string> places_;  // of each rank's folder
  double limit_;
  std::map<std::string, std::vector<double>> delays_;
  std::map<std::string, std::string> never_;  // kind → a host that did not see it within the limit
  std::string fault_;
};

Measurement about(const UsableFolder& folder, const std::string& kind) {
  Measurement m;
  m.suite = "visibility";
  m.name = fmt::format("{} seen {}", folder.folder.label, kind);
  m.device.index = all_devices;
  m.device.model = folder.facts.type;
  m.unit = "ms";
  return m;
}

/// The kinds that run folders depend on: rv opens only names that a listing has shown (docs/run-folder.md).
bool is_relied_on(const std::string& kind) {
  return kind != "by name";
}

class Reporter {
 public:
  Reporter(Peer& peer, const VisibilityRequest& request, const UsableFolder& folder, bool settings)
      : peer_(peer), request_(request), folder_(folder), settings_(settings) {}

  void report(const Rounds& rounds) {
    if (!rounds.fault().empty()) {
      auto m = about(folder_, "listed");
      m.reason = rounds.fault();
      peer_.report(m);
      return;
    }
    double longest = 0;
    for (const auto& [kind, delays] : rounds.delays()) {
      if (is_relied_on(kind)) longest = std::max(longest, *std::max_element(delays.begin(), delays.end()));
    }
    for (const std::string kind : kinds) {
      auto m = about(folder_, kind);
      const auto delays = rounds.delays().find(kind);
      if (const auto never = rounds.never().find(kind); never != rounds.never().end()) {
        report_never(std::move(m), never->second, rounds.limit());
      } else if (delays != rounds.delays().end()) {
        report_delay(std::move(m), kind, delays->second, longest);
      }
    }
  }

 private:
  void report_never(Measurement m, const std::string& host, double limit) {
    const auto words =
        fmt::format("{0} did not see another node's file in {2} within {1:.0f} s", host, limit, folder_.folder.path);
    if (folder_.facts.of_this_machine() && !settings_) {
      m.verdict = Verdict::skip;
      m.reason = "not_available";
      m.params["detail"] = words + ": it is not shared between nodes";
    } else {
      m.verdict = Verdict::fail;
      m.reason = words;
    }
    peer_.report(m);
  }

  void report_delay(Measurement m, const std::string& kind, const std::vector<double>& delays, double longest) {
    m.value = *std::max_element(delays.begin(), delays.end());
    m.params = {{"median_ms", median(delays)}, {"looks", delays.size()}};
    m.verdict = Verdict::pass;
    if (settings_ && is_relied_on(kind)) {
      m.params["waited_for_s"] = request_.patience;
      if (*m.value > request_.patience * 1000) {
        m.verdict = Verdict::fail;
        m.reason = fmt::format("seen after {:.1f} s, and rv waits {:.0f} s for it", *m.value / 1000, request_.patience);
      }
      if (kind == kinds[0]) {
        m.params["setting"] = fmt::format("visibility_lag: {}s", seconds_to_wait(longest));
        m.params["setting_why"] =
            fmt::format("another node's files in {} were seen within {:.3g} s; rv waits {:.0f} s now",
                        folder_.folder.path, longest / 1000, request_.patience);
      }
    }
    peer_.report(m);
  }

  Peer& peer_;
  const VisibilityRequest& request_;
  const UsableFolder& folder_;
  bool settings_;
};

}  // namespace

int seconds_to_wait(double longest_ms) {
  return static_cast<int>(std::ceil(2 * longest_ms / 1000)) + 5;
}

void measure_visibility(Peer& peer, const VisibilityRequest& request, const WorkFolders& work,
                        const std::vector<UsableFolder>& folders) {
  if (peer.world() < 2) return;
  for (const auto& folder : folders) {
    if (!folder.same_as.empty()) continue;
    const bool settings = folder.folder.label == request.settings_of ||
                          std::any_of(folders.begin(), folders.end(), [&](const UsableFolder& other) {
                            return other.folder.label == request.settings_of && other.same_as == folder.folder.label;
                          });
    const auto mine = work.path(folder.folder, peer.rank());
    std::unique_ptr<OwnFolder> own;
    Json part = mine;
    try {
      own = std::make_unique<OwnFolder>(mine);
    } catch (const std::runtime_error& error) {
      part = {{"fault", error.what()}};
    }
    std::vector<std::string> places;
    for (const auto& place : peer.gather("place", part)) {
      if (!place.is_string()) throw std::runtime_error(place["fault"].get<std::string>());
      places.push_back(place.get<std::string>());
    }
    Rounds rounds(peer, request, folder, places);
    const auto begin = Clock::now();
    for (int round = 0; round < request.rounds; ++round) {
      if (!rounds.run(round)) break;
      // Rank 0's clock decides for all.
      const auto late = peer.gather("time", ms_since(begin) > request.seconds * 1000);
      if (late[0].get<bool>()) break;
    }
    if (peer.rank() == 0) Reporter(peer, request, folder, settings).report(rounds);
    peer.barrier("folder is done");
  }
}

}  // namespace rv::workers
