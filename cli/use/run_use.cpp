#include "cli/use/run_use.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "slurm/parse/field.h"

namespace rv::cli {
namespace {

bool is_of(const slurm::JobUse& job, const monitor::RunRecord& record) {
  return std::any_of(record.candidates.begin(), record.candidates.end(), [&](const monitor::Candidate& candidate) {
    return monitor::is_job_name_of(job.name, candidate.job_name);
  });
}

/// 3 of "4711_3".
std::optional<int> element_of(const std::string& shown) {
  const auto bar = shown.find('_');
  if (bar == std::string::npos) return std::nullopt;
  const auto index = slurm::parse_number(std::string_view(shown).substr(bar + 1));
  return index ? std::optional(static_cast<int>(*index)) : std::nullopt;
}

void raise(std::optional<double>& most, const std::optional<double>& value) {
  if (value) most = std::max(most.value_or(*value), *value);
}

std::vector<GpuUse> gpus_of(const slurm::JobUse& job, const std::vector<JobSamples>& samples) {
  std::map<std::pair<std::string, int>, GpuUse> gpus;
  std::map<std::pair<std::string, int>, int> with_load;
  for (const auto& file : samples) {
    if (file.job != job.id) continue;
    for (const auto& sample : file.samples) {
      if (sample.time < job.start || sample.time > job.end) continue;
      for (const auto& gpu : sample.readings.gpus) {
        const std::pair place{gpu.node, gpu.index};
        auto& use = gpus[place];
        use.node = gpu.node;
        use.index = gpu.index;
        ++use.samples;
        if (gpu.utilisation) {
          const double mean = use.busy.value_or(0);
          use.busy = mean + (*gpu.utilisation - mean) / ++with_load[place];
        }
        raise(use.most_busy, gpu.utilisation);
        raise(use.peak_memory, gpu.memory_used);
        raise(use.memory, gpu.memory_total);
      }
    }
  }
  std::vector<GpuUse> list;
  list.reserve(gpus.size());
  for (auto& [place, use] : gpus) list.push_back(std::move(use));
  return list;
}

/// jobs/<job>.<node>.gpus
std::vector<JobSamples> samples_in(const monitor::RunFolder& folder) {
  std::vector<JobSamples> all;
  for (const auto& name : os::names_in(folder.file("jobs"))) {
    if (!name.ends_with(".gpus")) continue;
    const auto job = slurm::parse_job_id(std::string_view(name).substr(0, name.find('.')));
    if (!job) continue;
    all.push_back({*job, parse_job_readings(os::read_file(folder.file("jobs/" + name)).value_or(""))});
  }
  return all;
}

}  // namespace

std::vector<slurm::JobId> jobs_of(const monitor::RunFacts& facts) {
  std::set<slurm::JobId> jobs;
  for (const auto& entry : facts.ledger) {
    if (entry.kind == monitor::EntryKind::claim || entry.kind == monitor::EntryKind::start) jobs.insert(entry.job);
  }
  return {jobs.begin(), jobs.end()};
}

std::vector<AttemptUse> attempts_of(const std::vector<slurm::JobUse>& jobs, const monitor::RunRecord& record,
                                    const std::vector<JobSamples>& samples) {
  std::vector<AttemptUse> attempts;
  std::map<slurm::JobId, int> starts;
  for (const auto& job : jobs) {
    if (!is_of(job, record)) continue;
    AttemptUse attempt;
    attempt.job = job;
    attempt.restart = starts[job.id]++;
    attempt.element = element_of(job.shown);
    if (job.memory) attempt.memory = Mebibytes{job.memory->count / job.nodes};
    attempt.peak_memory = slurm::peak_of_a_node(job);
    const auto seconds = (job.end - job.start).count();
    if (job.cpu_seconds && seconds > 0) attempt.cpus = *job.cpu_seconds / static_cast<double>(seconds);
    attempt.gpus = gpus_of(job, samples);
    attempts.push_back(std::move(attempt));
  }
  return attempts;
}

RunUse run_use(const monitor::RunFolder& folder, const monitor::RunFacts& facts, slurm::Gateway& gateway) {
  const auto jobs = jobs_of(facts);
  if (jobs.empty()) return {};
  auto answer = gateway.job_use(jobs);
  if (!answer) return {.attempts = {}, .trouble = answer.trouble};
  return {.attempts = attempts_of(*answer.value, facts.record, samples_in(folder)), .trouble = ""};
}

}  // namespace rv::cli
