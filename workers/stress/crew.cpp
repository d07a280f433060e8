#include "workers/stress/crew.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>
#include <thread>

#include "shared/system/process_table.h"
#include "workers/devices/stopping.h"
#include "workers/stress/crew_member.h"
#include "workers/stress/descendants.h"

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;
using State = CrewMember::State;
using Members = std::vector<std::unique_ptr<CrewMember>>;

constexpr auto watch_every = std::chrono::milliseconds(10);
constexpr auto look_every = std::chrono::milliseconds(200);

bool all_are(const Members& members, std::initializer_list<State> states) {
  return std::all_of(members.begin(), members.end(), [&](const auto& one) {
    return std::find(states.begin(), states.end(), one->state()) != states.end();
  });
}

/// Samples the GPUs and every worker's memory.
class Lookout {
 public:
  Lookout(const CrewOrder& order, Nvml* nvml, CrewEnd& end) : order_(order), nvml_(nvml), end_(end) {
    end_.gpus.resize(order.gpus.size());
    busy_.resize(order.gpus.size());
  }

  void sample_memory(Members& members) {
    std::vector<std::optional<std::map<unsigned, std::uint64_t>>> bytes;
    for (std::size_t i = 0; i < order_.gpus.size(); ++i) bytes.push_back(look_at_gpu(i, members));
    for (auto& one : members) {
      if (one->state() == State::ended) continue;
      const auto gpu = one->end().gpu;
      const auto* const known =
          gpu < 0 || !bytes[static_cast<std::size_t>(gpu)] ? nullptr : &*bytes[static_cast<std::size_t>(gpu)];
      const auto found = known == nullptr ? 0 : known->count(static_cast<unsigned>(one->pid()));
      one->sample_memory(found == 0 ? std::nullopt : std::optional(known->at(static_cast<unsigned>(one->pid()))));
    }
  }

  void take_medians() {
    for (std::size_t i = 0; i < busy_.size(); ++i) {
      if (!busy_[i].empty()) end_.gpus[i].busy_percent = median(busy_[i]);
    }
  }

 private:
  std::optional<std::map<unsigned, std::uint64_t>> look_at_gpu(std::size_t i, const Members& members) {
    if (nvml_ == nullptr) return std::nullopt;
    const auto& uuid = order_.gpus[i].device.uuid;
    const auto use = nvml_->read_use(uuid);
    const bool working =
        std::any_of(members.begin(), members.end(), [](const auto& m) { return m->state() == State::working; });
    if (const auto busy = use["utilization_gpu_pct"]; busy && working) busy_[i].push_back(static_cast<double>(*busy));
    if (const auto used = use["memory_used_bytes"]) {
      end_.gpus[i].peak_bytes = std::max(end_.gpus[i].peak_bytes.value_or(0), *used);
    }
    if (const auto pids = nvml_->read_processes(uuid)) {
      for (const auto& one : members) {
        if (pids->contains(static_cast<unsigned>(one->pid()))) end_.driver_lists_pids = true;
      }
    }
    return nvml_->read_process_memory(uuid);
  }

  const CrewOrder& order_;
  Nvml* nvml_;
  CrewEnd& end_;
  std::vector<std::vector<double>> busy_;
};

}  // namespace

const char* kind_name(WorkerEnd::Kind kind) {
  switch (kind) {
    case WorkerEnd::Kind::done:
      return "done";
    case WorkerEnd::Kind::did_not_fit:
      return "did not fit";
    case WorkerEnd::Kind::failed:
      return "failed";
    case WorkerEnd::Kind::killed:
      return "killed";
    case WorkerEnd::Kind::hung:
      return "hung";
    case WorkerEnd::Kind::late:
      return "late";
    case WorkerEnd::Kind::cut_off:
      break;
  }
  return "cut off";
}

CrewEnd run_crew(const CrewOrder& order, Nvml* nvml, bool (*interrupted)()) {
  CrewEnd end;
  Lookout lookout(order, nvml, end);
  Members members;
  std::set<pid_t> pids;
  for (const auto worker : order.workers) {
    members.push_back(std::make_unique<CrewMember>(order, worker));
    pids.insert(members.back()->pid());
  }
  bool begun = false;
  auto looked = Clock::now() - look_every;
  while (!all_are(members, {State::ended}) && !end.interrupted) {
    for (auto& one : members) one->watch();
    os::reap_adopted(pids);
    const bool ready = !begun && all_are(members, {State::ready, State::ended});
    if (ready || Clock::now() - looked >= look_every) {
      lookout.sample_memory(members);
      looked = Clock::now();
    }
    if (ready) {
      for (auto& one : members) {
        if (one->state() == State::ready) one->go();
      }
      begun = true;
    }
    end.interrupted = interrupted();
    std::this_thread::sleep_for(watch_every);
  }
  lookout.take_medians();
  for (auto& one : members) {
    one->cut_off();
    end.workers.push_back(one->end());
  }
  return end;
}

}  // namespace rv::workers
