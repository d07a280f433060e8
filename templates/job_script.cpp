#include "templates/job_script.h"

#include <algorithm>

#include "base/error.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/walltime.h"
#include "failures/hardware_pattern.h"
#include "templates/renderer.h"

namespace rv::templates {
namespace {

using planner::Kind;
using planner::Strategy;

std::string gres(const Strategy& strategy) {
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

const char* template_name(const Strategy& strategy, const JobFacts& facts) {
  if (facts.purpose == Purpose::hold) return "holding_job.sbatch";
  // Options of srun need an srun.
  const bool several = strategy.nodes > 1 || facts.processes_per_node > 1 || !facts.container.empty();
  if (strategy.kind == Kind::checkpoint) return several ? "checkpoint_several_processes.sbatch" : "checkpoint.sbatch";
  return several ? "command_several_processes.sbatch" : "command_one_node.sbatch";
}

void add_chain(Values& values, const Strategy& strategy, const Chain& chain) {
  values["total"] = std::to_string(chain.total.count());
  values["warning"] = std::to_string(chain.warning.count());
  // Slurm's own warning is for time limits that were changed on the way: it never comes before the script's, though it
  // can be up to a minute early.
  values["signal_before"] = std::to_string(chain.warning.count());
  values["warn_signal"] = chain.signal;
  values["max_crashes"] = std::to_string(chain.max_crashes);
  values["segment_length"] = std::to_string(strategy.time_limit.count());
  values["segment_least"] = std::to_string((chain.shortest.count() > 0 ? chain.shortest : strategy.time_limit).count());
  if (chain.shortest.count() > 0) values["time_min"] = format_walltime(chain.shortest);
  values["exclude_always"] = joined(strategy.exclude);
  values["checkpoint_from"] = chain.checkpoint_from;
}

void add_predecessor(Values& values, const Predecessor& after) {
  values["after"] = after.run_id;
  values["after_folder"] = after.run_folder;
  values["after_lag"] = std::to_string(after.lag.count());
  values["after_only_ok"] = std::string(after.only_ok ? "1" : "");
  values["after_elements"] = after.elements > 0 ? std::to_string(after.elements) : std::string();
  values["after_chain"] = std::string(after.chain ? "1" : "");
  values["after_requeue"] = std::string(after.requeue ? "1" : "");
  values["dependency"] = after.dependency;
}

/// The directives of the options that only Slurm has to know.
std::vector<std::string> further_options(const Strategy& strategy) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : strategy.sbatch) {
    lines.push_back("#SBATCH --" + name + (value.empty() ? "" : "=" + quote_for_sbatch(value)));
  }
  return lines;
}

std::string folder_of_candidate(const JobFacts& facts) {
  return facts.run_folder + "/candidates/" + std::to_string(facts.candidate);
}

/// What the strategy asks of Slurm.
void add_allocation(Values& values, const Strategy& strategy, const JobFacts& facts) {
  const int processes = std::max(1, facts.processes_per_node);
  const bool mig = strategy.kind == Kind::mig;
  values["job_name"] = facts.job_name;
  values["partitions"] = joined(strategy.partitions);
  values["nodes"] = std::to_string(strategy.nodes);
  values["processes_per_node"] = std::to_string(processes);
  values["cpus_per_process"] = std::to_string(std::max(1, strategy.cpus_per_node / processes));
  values["threads"] = std::to_string(std::max(1, strategy.cpus_per_node / std::max(1, strategy.gpus_per_node)));
  values["gres"] = gres(strategy);
  values["memory"] = std::to_string(strategy.memory_per_node.count) + "M";
  values["time_limit"] = format_walltime(strategy.time_limit);
  values["time_min"] = std::string();
  values["total"] = std::string();
  values["further_options"] = further_options(strategy);
  values["account"] = strategy.account.text();
  values["qos"] = strategy.qos.text();
  values["constraint"] = strategy.constraint;
  values["exclude"] = joined(strategy.exclude);
  values["nodelist"] = joined(strategy.nodelist);
  values["gpu_type"] = strategy.gpu.name;
  values["whole_gpu"] = std::string(mig ? "" : "1");
  values["mig_profile"] = std::string(mig ? strategy.gres_type : "");
  values["gpus_per_node"] = std::to_string(strategy.gpus_per_node);
  if (!mig) values["gpu_product"] = strategy.gpu.product_pattern;
}

void add_project(Values& values, const ProjectEnvironment& project) {
  values["project_active"] = std::string(project.active() ? "1" : "");
  if (!project.active()) return;
  values["project_prefix"] = project.prefix;
  values["project_conda"] = std::string(project.conda ? "1" : "");
  std::string imports;
  for (const auto& folder : project.imports) imports += (imports.empty() ? "" : ":") + folder;
  values["project_imports"] = imports;
}

/// Which run and candidate the job is, and what it does around the command.
void add_run(Values& values, const JobFacts& facts) {
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
  values["container_shell"] = facts.container_shell;
  values["separate_stderr"] = std::string(facts.joined_output ? "" : "1");
  values["user_secrets"] = std::string(facts.user_secrets ? "1" : "");
  add_project(values, facts.project);
  values["notify_folder"] = facts.notify_folder;
  if (!facts.notify_folder.empty()) values["notify_on"] = facts.notify_on;
  values["gpu_curves"] = std::string(facts.gpu_curves ? "1" : "");
  if (facts.gpu_curves) values["gpu_sampler"] = facts.gpu_sampler;
  values["array"] = facts.array;
  if (!facts.array.empty()) values["array_elements"] = std::to_string(facts.array_elements);
  values["after"] = std::string();
  values["dependency"] = std::string();
  if (facts.after) add_predecessor(values, *facts.after);
}

void add_purpose(Values& values, const JobFacts& facts) {
  if (facts.purpose == Purpose::command) {
    values["outputs"] = facts.outputs;
    values["command"] = facts.command;
  } else {
    values["unattended"] = std::to_string(facts.unattended.count());
    values["idle_stop"] = std::to_string(facts.idle_stop.count());
  }
}

}  // namespace

std::string render_job_script(const Strategy& strategy, const JobFacts& facts) {
  const std::string name = template_name(strategy, facts);
  const bool chain = strategy.kind == Kind::checkpoint && facts.purpose == Purpose::command;
  Values values;
  add_allocation(values, strategy, facts);
  add_run(values, facts);
  add_purpose(values, facts);
  // A chain knows by itself what a second start of its job has to do.
  values["requeue"] = std::string(facts.requeue || chain ? "requeue" : "no-requeue");
  if (!chain) values["may_restart"] = std::string(facts.requeue ? "1" : "");
  if (chain) add_chain(values, strategy, facts.chain);
  if (name == "command_several_processes.sbatch" || name == "checkpoint_several_processes.sbatch") {
    values["container"] = facts.container;
  }
  const bool hold_curves = facts.purpose == Purpose::hold && facts.gpu_curves;
  const bool needs_script = chain || facts.after || hold_curves || name == "command_several_processes.sbatch";
  values["script"] = needs_script ? folder_of_candidate(facts) + "/script.sh" : std::string();
  return render(name, values);
}

std::string render_notify_test(const std::string& notify_folder, const std::string& target) {
  return render("notify_test.bash",
                {{"notify_folder", notify_folder}, {"notify_on", std::string()}, {"target", target}});
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
