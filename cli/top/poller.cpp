#include "cli/top/poller.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "cli/launch/planning.h"
#include "cli/launch/read_gpus.h"
#include "cli/top/gather.h"
#include "shared/time_text.h"

namespace rv::cli::top {
namespace {

using namespace std::chrono_literals;

constexpr auto recent = std::chrono::hours(24);  // of runs that are over
constexpr std::size_t most_over = 50;
constexpr std::size_t most_jobs = 20;
// The pause before the next poll of the same kind, as a multiple of a poll's duration: all polls use less than 1 % of a
// core.
constexpr int rest_for_runs = 150;
constexpr int rest_for_others = 1000;
constexpr std::size_t kept_loads = 240;

std::chrono::duration<double> used(const rusage& usage) {
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return std::chrono::duration<double>(of(usage.ru_utime) + of(usage.ru_stime));
}

/// Processor time of rv and of the commands that it has waited for.
std::chrono::duration<double> work_done() {
  rusage own = {};
  rusage children = {};
  ::getrusage(RUSAGE_SELF, &own);
  ::getrusage(RUSAGE_CHILDREN, &children);
  return used(own) + used(children);
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

bool under_way(const Run& run) {
  return run.started && !monitor::is_final(run.state);
}

}  // namespace

Poller::Poller(const Invocation& invocation) : invocation_(invocation), interval_(0s) {}

void Poller::Due::after(std::chrono::seconds least, std::chrono::duration<double> rest_wanted) {
  const auto rest = std::chrono::duration_cast<Clock::duration>(rest_wanted);
  at = Clock::now() + std::max<Clock::duration>(least, rest);
}

bool Poller::look(const std::string& selected) {
  const auto before = work_done();
  if (runs_due_.is()) {
    look_at_runs();
    // The first poll reads everything; later polls read only changes.
    runs_due_.after(2s, std::min<std::chrono::duration<double>>((work_done() - before) * rest_for_runs, 30s));
    return true;
  }
  if (cluster_due_.is()) {
    look_at_cluster();
    cluster_due_.after(60s, (work_done() - before) * rest_for_others);
    return true;
  }
  if (waits_due_.is() && known_.cluster_taken) {
    look_at_waits();
    waits_due_.after(300s, (work_done() - before) * rest_for_others);
    return true;
  }
  if (jobs_due_.is()) {
    look_at_jobs();
    jobs_due_.after(60s, (work_done() - before) * rest_for_others);
    return true;
  }
  const auto run =
      std::find_if(known_.runs.begin(), known_.runs.end(), [&](const Run& one) { return one.id == selected; });
  if (run != known_.runs.end() && under_way(*run) && (gpus_due_.is() || gpus_of_ != selected)) {
    look_at_gpus(selected);
    gpus_due_.after(15s, (work_done() - before) * rest_for_others);
    return true;
  }
  return false;
}

void Poller::look_at_all() {
  look_at_runs();
  look_at_cluster();
  if (known_.cluster_taken) look_at_waits();
  look_at_jobs();
  const auto run = std::find_if(known_.runs.begin(), known_.runs.end(), under_way);
  if (run != known_.runs.end()) look_at_gpus(run->id);
}

void Poller::look_at_runs() {
  const auto& folder = invocation_.settings.runs_folder();
  auto listed = names_in(folder);
  if (!watcher_ || listed != listed_) {
    listed_ = std::move(listed);
    auto known = monitor::runs_in(folder);
    std::size_t over = 0;
    std::erase_if(known, [&](const monitor::ListedRun& run) {
      return run.over && (++over > most_over || run.created < current_time() - recent);
    });
    runs_ = monitor::read_runs(known);
    std::vector<monitor::RunFolder> folders;
    std::vector<monitor::RunRecord> records;
    for (const auto& run : runs_) {
      folders.push_back(run.folder);
      records.push_back(run.record);
    }
    watcher_ = std::make_unique<monitor::Watcher>(gateway_, std::move(folders), records);
    interval_ = monitor::PollInterval(0s);
  }
  const auto begun = Clock::now();
  const bool ask = interval_.due(begun);
  const auto& views = watcher_->poll(ask);
  if (ask) interval_.asked(begun, Clock::now(), watcher_->changed());
  known_.taken = current_time();
  known_.trouble = watcher_->trouble();
  known_.runs.clear();
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    known_.runs.push_back(run_of(runs_[i].record, views[i], known_.taken));
  }
  add_queue_places();
}

void Poller::look_at_cluster() {
  try {
    cluster_ = read_cluster(invocation_.settings);
  } catch (const Error& error) {
    known_.trouble = error.what();
    return;
  }
  auto types = types_of(cluster_, invocation_.settings.catalogue);
  // The last waits stay until there are new ones.
  for (auto& type : types) {
    const auto old = std::find_if(known_.types.begin(), known_.types.end(),
                                  [&](const GpuType& one) { return one.name == type.name; });
    if (old != known_.types.end()) type.waits = old->waits;
  }
  known_.types = std::move(types);
  known_.cluster = cluster_.controller.cluster_name.text();
  known_.cluster_taken = cluster_.taken_at;
  places_ = places_in_queue(cluster_, known_.runs);
  add_queue_places();
}

void Poller::add_queue_places() {
  for (auto& run : known_.runs) {
    const auto place = places_.find(run.id);
    const bool waits = !run.jobs.empty();
    run.queue = waits && place != places_.end() ? std::optional(place->second) : std::nullopt;
  }
}

void Poller::look_at_waits() {
  for (auto& type : known_.types) type.waits = {};
  for (std::size_t size = 0; size < wait_sizes.size(); ++size) {
    RequestOptions options;
    options.gpus = wait_sizes.at(size);
    try {
      add_waits(known_.types, plan_for(options, invocation_, KnownCluster{.cluster = cluster_, .history = {}}).plan,
                size);
    } catch (const Error&) {
      continue;  // no node has that many GPUs: shown as unknown
    }
  }
}

void Poller::look_at_jobs() {
  if (cluster_.user.empty()) return;
  const auto now = current_time();
  const auto jobs = gateway_.ended_jobs(cluster_.user.text(), now - recent, now);
  // Without an answer the last ones stay.
  if (jobs) known_.jobs = jobs_beside(*jobs.value, most_jobs);
}

void Poller::look_at_gpus(const std::string& selected) {
  gpus_of_ = selected;
  auto& gpus = known_.gpus[selected];
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (runs_[i].record.id != selected) continue;
    try {
      gpus.now = read_gpus(runs_[i], watcher_->views()[i], std::nullopt);
      gpus.trouble.clear();
      if (const auto load = mean_load(gpus.now)) gpus.busy.push_back(*load);
      if (gpus.busy.size() > kept_loads) gpus.busy.erase(gpus.busy.begin());
    } catch (const Error& error) {
      gpus.trouble = error.what();
    }
  }
}

}  // namespace rv::cli::top
