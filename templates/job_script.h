// A strategy and the description of a job → the batch script that Slurm gets.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "planner/cluster/strategy.h"
#include "templates/job_spec.h"

namespace rv::templates {

/// The run that JobSpec::after names, as it was found.
struct Predecessor {
  std::string run_folder;       // absolute
  std::chrono::seconds lag{5};  // how long files written elsewhere may be invisible there
  std::string dependency;       // its jobs known so far, as sbatch takes them: "afterany:12:13"; empty: none
  int elements = 0;             // of an array; 0: no array
  bool chain = false;           // it goes through segments
  bool requeue = false;         // it may be started again after it had begun: --requeue or --retries
};

/// What a script needs besides the strategy and the job's description: which run it belongs to, and what was looked up
/// for it. Every string may hold any byte but NUL; quoting happens in the renderer.
struct JobFacts {
  std::string run_id;
  std::string run_folder;                  // absolute path on the shared file system
  int candidate = 1;                       // this strategy's number in the race, from 1
  std::string job_name;                    // plain characters only, see run_job_name()
  std::string work_folder;                 // absolute: where the command runs
  std::string scratch;                     // absolute folder for caches, off the home quota
  std::vector<std::string> setup_lines;    // shell lines of the site and the project (module load …), trusted
  std::optional<Predecessor> predecessor;  // only with JobSpec::after; nothing: there is no run to wait for
  std::string checkpoint_folder;           // absolute, of the run that Chain::from names; empty: none
  bool user_secrets = false;               // the run folder holds `environment`, see monitor/run/run_secrets.h
  bool gpu_curves = false;                 // what the GPUs do is kept in the run's folder while the job runs
  std::string gpu_sampler;                 // absolute: rv-sample, for that; empty: nvidia-smi does it
  std::string rv_program;                  // absolute: rv itself, which a job with retries runs; empty: none does
};

/// The whole script. Throws Error for a strategy that no template can express or a path that Slurm can't be given
/// (a newline in the run folder).
std::string render_job_script(const planner::Strategy& strategy, const JobSpec& job, const JobFacts& facts);

/// A script that sends one target (empty: all) an event "test" and prints the result.
std::string render_notify_test(const std::string& notify_folder, const std::string& target);

/// "train@k3f9x2.1": what squeue shows, and the token by which a candidate is found again. Characters that are not
/// letters, digits, ".", "_", "+" or "-" become "_".
std::string run_job_name(std::string_view display_name, std::string_view run_id, int candidate);

}  // namespace rv::templates
