#include "templates/job_script.h"

#include <algorithm>

#include "base/error.h"
#include "base/failures/hardware_pattern.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/walltime.h"
#include "templates/renderer.h"
#include "templates/segment_times.h"

namespace rv::templates {
namespace {

using planner::Kind;
using planner::Strategy;

std::string gres(const Strategy& strategy) {
  if (strategy.gpus_per_node == 0) return "";
  // A MIG gres needs its count: without it 22.05 refuses.
  const std::string type = strategy.gres_type.empty() ? "" : strategy.gres_type + ":";
  return "gpu:" + type + std::to_string(strategy.gpus_per_node);
}

// "%" starts a pattern in file names that Slurm opens.
std::string escape_percent(std::string_view path) {
  std::string out;
  for (const char c : path) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

bool in_segments(const Strategy& strategy, const JobSpec& job) {
  return strategy.kind == Kind::checkpoint && !job.hold;
}

/// Whether srun starts the command. Options of srun need an srun; a batch script calls srun itself.
bool by_srun(const Strategy& strategy, const JobSpec& job) {
  return !job.hold && !job.batch &&
         (strategy.nodes > 1 || job.processes_per_node > 1 || !job.container_options.empty());
}

const char* template_name(const Strategy& strategy, const JobSpec& job) {
  if (job.hold) return "holding_job.sbatch";
  const bool several = by_srun(strategy, job);
  if (strategy.kind == Kind::checkpoint) return several ? "checkpoint_several_processes.sbatch" : "checkpoint.sbatch";
  return several ? "command_several_processes.sbatch" : "command_one_node.sbatch";
}

/// The fields of the job's description, by their names there. Parts of it are values that add_… makes.
class FieldValues {
 public:
  void operator()(const char* name, const std::string& text) { values_[name] = text; }
  void operator()(const char* name, const std::vector<std::string>& list) { values_[name] = list; }
  void operator()(const char* name, bool set) { values_[name] = std::string(set ? "1" : ""); }
  void operator()(const char* name, int number) { values_[name] = std::to_string(number); }
  void operator()(const char* name, const std::optional<std::chrono::seconds>& span) {
    values_[name] = std::to_string(span.value_or(std::chrono::seconds(0)).count());
  }
  template <class Part>
  void operator()(const char* /*name*/, const std::optional<Part>& /*part*/) {}

  const Values& values() const { return values_; }

 private:
  Values values_;
};

void add_chain(Values& values, const Strategy& strategy, const Chain& chain, const JobFacts& facts) {
  const auto times = segment_times(chain, strategy.time_limit);
  values["total"] = std::to_string(strategy.work_time.count());
  values["warning"] = std::to_string(times.warning.count());
  // Slurm's own warning is for time limits that were changed on the way: it never comes before the script's, though it
  // can be up to a minute early.
  values["signal_before"] = std::to_string(times.warning.count());
  values["warn_signal"] = chain.signal;
  values["max_crashes"] = std::to_string(chain.max_crashes);
  values["segment_length"] = std::to_string(strategy.time_limit.count());
  values["segment_least"] = std::to_string(times.least.count());
  if (times.shortest.count() > 0) values["time_min"] = format_walltime(times.shortest);
  values["exclude_always"] = joined(strategy.exclude);
  values["checkpoint_from"] = facts.checkpoint_folder;
}

void add_predecessor(Values& values, const After& after, const Predecessor& predecessor) {
  values["after"] = after.run;
  values["after_folder"] = predecessor.run_folder;
  values["after_lag"] = std::to_string(predecessor.lag.count());
  values["after_only_ok"] = std::string(after.only_ok ? "1" : "");
  values["after_elements"] = predecessor.elements > 0 ? std::to_string(predecessor.elements) : std::string();
  values["after_chain"] = std::string(predecessor.chain ? "1" : "");
  values["after_requeue"] = std::string(predecessor.requeue ? "1" : "");
  values["dependency"] = predecessor.dependency;
}

/// The directives of the options that only Slurm has to know.
std::vector<std::string> further_options(const Strategy& strategy, const JobSpec& job) {
  std::vector<std::string> lines;
  if (strategy.exclusive) lines.emplace_back("#SBATCH --exclusive");
  for (const auto& [name, value] : strategy.sbatch) {
    lines.push_back("#SBATCH --" + name + (value.empty() ? "" : "=" + quote_for_sbatch(value)));
  }
  for (const auto& option : job.sbatch) {
    const auto equals = option.find('=');
    const auto value = equals == std::string::npos ? std::string() : "=" + quote_for_sbatch(option.substr(equals + 1));
    lines.push_back("#SBATCH --" + option.substr(0, equals) + value);
  }
  return lines;
}

bool begins_later(const JobSpec& job) {
  return std::any_of(job.sbatch.begin(), job.sbatch.end(),
                     [](const std::string& option) { return option.starts_with("begin="); });
}

std::string folder_of_candidate(const JobFacts& facts) {
  return facts.run_folder + "/candidates/" + std::to_string(facts.candidate);
}

/// The value of --mem; empty: Slurm does not count memory.
std::string memory(const Strategy& strategy) {
  if (strategy.all_memory) return "0";
  return strategy.memory_per_node.count > 0 ? std::to_string(strategy.memory_per_node.count) + "M" : std::string();
}

/// What the strategy asks of Slurm.
void add_allocation(Values& values, const Strategy& strategy, const JobSpec& job) {
  const int processes = std::max(1, job.processes_per_node);
  const bool mig = strategy.kind == Kind::mig;
  const bool on_gpus = strategy.gpus_per_node > 0;
  // Of a CPU job each process has its own cores; else each GPU has.
  const int sharers = on_gpus ? strategy.gpus_per_node : processes;
  values["partitions"] = joined(strategy.partitions);
  values["nodes"] = std::to_string(strategy.nodes);
  values["cpus_per_process"] = std::to_string(std::max(1, strategy.cpus_per_node / processes));
  values["threads"] = std::to_string(std::max(1, strategy.cpus_per_node / sharers));
  values["gres"] = gres(strategy);
  values["memory"] = memory(strategy);
  values["time_limit"] = format_walltime(strategy.time_limit);
  values["time_min"] = std::string();
  values["total"] = std::string();
  values["signal_before"] = std::string();
  values["further_options"] = further_options(strategy, job);
  values["account"] = strategy.account.text();
  values["qos"] = strategy.qos.text();
  values["constraint"] = strategy.constraint;
  values["exclude"] = joined(strategy.exclude);
  values["nodelist"] = joined(strategy.nodelist);
  values["gpu_type"] = strategy.gpu.name;
  values["whole_gpu"] = std::string(mig || !on_gpus ? "" : "1");
  values["no_gpus"] = std::string(on_gpus ? "" : "1");
  values["mig_profile"] = std::string(mig ? strategy.gres_type : "");
  values["gpus_per_node"] = std::to_string(strategy.gpus_per_node);
  if (!mig && on_gpus) values["gpu_product"] = strategy.gpu.product_pattern;
}

void add_project(Values& values, const JobSpec& job) {
  const bool active = job.environment || !job.imports.empty();
  values["project_active"] = std::string(active ? "1" : "");
  if (!active) return;
  values["project_prefix"] = job.environment ? job.environment->prefix : std::string();
  values["project_conda"] = std::string(job.environment && job.environment->conda ? "1" : "");
  std::string imports;
  for (const auto& folder : job.imports) imports += (imports.empty() ? "" : ":") + folder;
  values["project_imports"] = imports;
}

/// Which run and candidate the job is, and what was looked up for it.
void add_run(Values& values, const JobSpec& job, const JobFacts& facts) {
  values["job_name"] = facts.job_name;
  values["run_folder"] = facts.run_folder;
  values["slurm_log"] = escape_percent(folder_of_candidate(facts)) + "/slurm.log";
  values["run_id"] = facts.run_id;
  values["candidate"] = std::to_string(facts.candidate);
  values["work_folder"] = facts.work_folder;
  values["scratch"] = facts.scratch;
  values["hardware_lines"] = failures::hardware_pattern();
  std::string setup;
  for (const auto& line : facts.setup_lines) setup += line + "\n";
  values["setup"] = setup;
  values["separate_stderr"] = std::string(job.joined_output ? "" : "1");
  values["user_secrets"] = std::string(facts.user_secrets ? "1" : "");
  add_project(values, job);
  values["gpu_curves"] = std::string(facts.gpu_curves ? "1" : "");
  if (facts.gpu_curves) values["gpu_sampler"] = facts.gpu_sampler;
  values["array"] = job.array ? job.array->text : std::string();
  if (job.array) values["array_elements"] = std::to_string(job.array->elements.size());
  values["after"] = std::string();
  values["dependency"] = std::string();
  if (facts.predecessor) add_predecessor(values, job.after.value(), *facts.predecessor);
}

}  // namespace

std::string render_job_script(const Strategy& strategy, const JobSpec& job, const JobFacts& facts) {
  JobFacts sampled = facts;
  sampled.gpu_curves = facts.gpu_curves && strategy.gpus_per_node > 0 && !job.inside;  // the other run takes samples
  const bool chain = in_segments(strategy, job);
  FieldValues fields;
  JobSpec::describe(job, fields);
  Values values;
  add_allocation(values, strategy, job);
  add_run(values, job, sampled);
  // A chain knows by itself what a second start of its job has to do.
  values["requeue_option"] = std::string(job.requeue || chain ? "requeue" : "no-requeue");
  // A strategy in segments is shown, too, for a command that was not said to save its state.
  if (chain) add_chain(values, strategy, job.chain.value_or(Chain{}), facts);
  const bool hold_curves = job.hold && sampled.gpu_curves;
  const bool needs_script =
      chain || facts.predecessor || job.retries || job.preflight || hold_curves || by_srun(strategy, job);
  values["script"] = needs_script ? folder_of_candidate(facts) + "/script.sh" : std::string();
  auto optional = fields.values();
  optional["retries"] = std::string(job.retries ? "1" : "");
  optional["stall_after"] = job.stall ? std::to_string(job.stall->after.count()) : std::string();
  optional["stall_ends"] = std::string(job.stall && job.stall->ends ? "1" : "");
  optional["in_step"] = std::string(job.inside ? "1" : "");
  optional["helpers"] = std::string(job.stall || sampled.gpu_curves ? "1" : "");
  optional["rv_program"] = facts.rv_program;
  // The job submits the next attempt itself. A chain has its own way.
  const bool resubmits = job.retries || (job.preflight && !chain);
  optional["resubmits"] = std::string(resubmits ? "1" : "");
  const bool after_timeout = job.retries && contains(job.retries->on, "timeout");
  optional["timeout_retries"] = std::to_string(after_timeout ? job.retries->most : 0);
  optional["submits"] = std::string(resubmits || facts.predecessor ? "1" : "");
  optional["polls"] = std::string(resubmits || job.preflight || facts.predecessor ? "1" : "");
  optional["begins_later"] = std::string(begins_later(job) ? "1" : "");
  optional["batch_signal"] = job.batch ? job.batch->signal : std::string();
  return render(template_name(strategy, job), values, embedded::templates(), optional);
}

std::string render_notify_test(const std::string& notify_folder, const std::string& target) {
  return render("notify_test.bash", {{"notify_folder", notify_folder},
                                     {"notify_on", std::string()},
                                     {"resubmits", std::string()},
                                     {"timeout_retries", "0"},
                                     {"target", target}});
}

std::string run_job_name(std::string_view display_name, std::string_view run_id, int candidate) {
  constexpr std::size_t longest = 40;  // squeue's column is narrow, and some sites cut names
  std::string name;
  for (const char c : display_name.substr(0, longest)) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      std::string_view("._+-").find(c) != std::string_view::npos;
    name += kept ? c : '_';
  }
  return name + "@" + std::string(run_id) + "." + std::to_string(candidate);
}

}  // namespace rv::templates
