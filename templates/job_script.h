// Renders the batch script of a candidate from its strategy and the description of the job.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "planner/cluster/strategy.h"
#include "templates/job_spec.h"

namespace rv::templates {

/// The run that JobSpec::after names.
struct Predecessor {
  std::string run_folder;       // absolute path
  std::chrono::seconds lag{5};  // how long a file that another machine wrote may stay invisible in it
  std::string dependency;       // its jobs known so far, for sbatch: "afterany:12:13"; empty: none
  int elements = 0;             // number of elements; 0: not an array
  bool chain = false;           // it is a chain of segments
  bool requeue = false;         // its command may be started again after it had begun: --requeue or --retries
};

/// What a script needs besides the strategy and the job's description. A string may contain any byte except NUL; the
/// renderer quotes it.
struct JobFacts {
  std::string run_id;
  std::string run_folder;                  // absolute path on the shared file system
  int candidate = 1;                       // this strategy's number in the race, from 1
  std::string job_name;                    // plain characters only, see run_job_name()
  std::string work_folder;                 // absolute: working folder of the command
  std::string scratch;                     // absolute folder for caches, outside of the home quota
  std::vector<std::string> setup_lines;    // shell lines of the site and the project (module load …), trusted
  std::optional<Predecessor> predecessor;  // nothing: the job waits for no run
  std::string checkpoint_folder;           // absolute: of the run that Chain::from names; empty: none
  bool user_secrets = false;               // the run folder has the file `environment` (monitor/run/run_secrets.h)
  bool gpu_curves = false;                 // while the job runs, samples of the GPUs are written to the run folder
  std::string gpu_sampler;                 // absolute: the program rv-sample, which takes them; empty: nvidia-smi
  std::string
      rv_program;  // absolute: rv's program, for a preflight and for jobs that poll a run themselves; empty: they can't
};

/// Renders the whole script. Throws Error if no template can express the strategy, or if Slurm can't accept a path (a
/// newline in the run folder).
std::string render_job_script(const planner::Strategy& strategy, const JobSpec& job, const JobFacts& facts);

/// Renders a script that sends the event "test" to one target (empty: to all) and prints the result.
std::string render_notify_test(const std::string& notify_folder, const std::string& target);

/// Returns the job name, "train@k3f9x2.1". squeue shows it, and rv finds a candidate's job by it. Characters that are
/// not letters, digits, ".", "_", "+" or "-" become "_".
std::string run_job_name(std::string_view display_name, std::string_view run_id, int candidate);

}  // namespace rv::templates
