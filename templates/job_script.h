// A strategy and what to do with it → the batch script that Slurm gets.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "planner/cluster/strategy.h"

namespace rv::templates {

enum class Purpose {
  hold,     // keep the allocation for shells until it is released
  command,  // run the user's command once
};

/// A command that is run as a chain of segments, each a job or a start of one.
struct Chain {
  std::chrono::seconds total{0};      // time for all segments together
  std::chrono::seconds warning{600};  // between the warning and TERM
  std::string signal = "USR1";        // the warning, a name without SIG
  int max_crashes = 3;                // in a row without progress
  std::chrono::seconds shortest{0};   // Slurm may shorten a segment to so much (sbatch --time-min); 0: it may not
  std::string checkpoint_from;        // another run's checkpoint folder, copied before the first start; empty: none
};

/// The run that another one follows.
struct Predecessor {
  std::string run_id;
  std::string run_folder;       // absolute
  std::chrono::seconds lag{5};  // base/os/visibility.h, of that folder
  bool only_ok = true;          // start only if that run ended well
  std::string dependency;       // its jobs known so far, as sbatch takes them: "afterany:12:13"; empty: none
  int elements = 0;             // of an array; 0: no array
  bool chain = false;           // it goes through segments
  bool requeue = false;         // it may be started again after it had begun
};

/// What the user's project needs around its command.
struct ProjectEnvironment {
  std::string prefix;                // absolute: the folder with bin/; empty: none
  bool conda = false;                // activated as conda does
  std::vector<std::string> imports;  // absolute folders that Python looks for the project's own modules in

  bool active() const { return !prefix.empty() || !imports.empty(); }
};

/// What a script needs besides the strategy. Every string may hold any byte but NUL; quoting happens in the renderer.
struct JobFacts {
  std::string run_id;
  std::string run_folder;   // absolute path on the shared file system
  int candidate = 1;        // this strategy's number in the race, from 1
  std::string job_name;     // plain characters only, see run_job_name()
  std::string work_folder;  // absolute: where the command runs
  Purpose purpose = Purpose::hold;
  std::vector<std::string> command;  // argv
  int processes_per_node = 1;
  std::vector<std::string> outputs;      // paths copied to the run's output folder afterwards
  std::string scratch;                   // absolute folder for caches, off the home quota
  std::vector<std::string> setup_lines;  // the site's own shell lines (module load …), trusted, run before the command
  Chain chain;                           // for strategies of kind checkpoint
  std::string array;                     // sbatch's --array: "0-99%8"; empty: no array. Not for chains.
  int array_elements = 0;                // how many those are
  std::optional<Predecessor> after;      // the run to wait for
  bool requeue = false;                  // may Slurm start the job again after a node failure
  std::string notify_folder;             // absolute: who is told of the run's events; empty: nobody
  std::string notify_on;                 // "started,ended": of which; empty: as each target says
  std::vector<std::string> container;    // options of srun that start the command in a container; none: no container
  std::vector<std::string> container_shell;  // words that open a shell inside a container; none: a shell of the node
  ProjectEnvironment project;                // active after the set-up lines
  std::chrono::seconds unattended{0};        // a hold is given back when nobody was in it for so long; 0: it stays
  std::chrono::seconds idle_stop{0};         // … when none of its GPUs did anything for so long; 0: it stays
  bool joined_output = false;  // stderr goes where stdout goes, in the order of writing; else to its own file
  bool user_secrets = false;   // the run folder holds `environment`, see monitor/run/run_secrets.h
  bool gpu_curves = false;     // what the GPUs do is kept in the run's folder while the command runs
  std::string gpu_sampler;     // absolute: rv-sample, for that; empty: nvidia-smi does it
};

/// The whole script. Throws Error for a strategy that no template can express or a path that Slurm can't be given
/// (a newline in the run folder).
std::string render_job_script(const planner::Strategy& strategy, const JobFacts& facts);

/// A script that tells one target (empty: all) of an event "test" and prints what came of it.
std::string render_notify_test(const std::string& notify_folder, const std::string& target);

/// "train@k3f9x2.1": what squeue shows, and the token by which a candidate is found again. Characters that are not
/// letters, digits, ".", "_", "+" or "-" become "_".
std::string run_job_name(std::string_view display_name, std::string_view run_id, int candidate);

}  // namespace rv::templates
