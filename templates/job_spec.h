// The description of a job: what runs on the GPUs, independent of their type. Options fill it in, run.json stores it
// (monitor/run/job_json.h), and the batch script is rendered from it (job_script.h). describe() names every field once,
// for the record and for the templates: a {{name}} in a template is the field of that name.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rv::templates {

/// For a command that saves checkpoints: the run is a chain of segments. Each segment is a job, or a restart of one.
struct Chain {
  std::chrono::seconds total{0};     // time of all segments together
  std::chrono::seconds shortest{0};  // Slurm may shorten a segment to this length (sbatch --time-min); 0: it may not
  std::optional<std::chrono::seconds> warning = {};  // time before a segment ends; default: segment_times()
  std::string signal = "USR1";                       // signal that warns the command, without SIG
  int max_crashes = 3;                               // this many consecutive failures without progress end the run
  std::string from = {};  // the run whose checkpoint is copied before the first start; empty: none

  static void describe(auto& self, auto& field) {
    field("total_s", self.total);
    field("shortest_s", self.shortest);
    field("warning_s", self.warning);
    field("signal", self.signal);
    field("max_crashes", self.max_crashes);
    field("from", self.from);
  }
};

/// The command is started once for each element of a Slurm job array.
struct JobArray {
  std::vector<int> elements;  // indices, ascending, without duplicates
  int at_once = 0;            // elements that may run at the same time; 0: no limit
  std::string text = {};      // sbatch's --array: "0-99%8"; empty in the records of older rv

  static void describe(auto& self, auto& field) {
    field("elements", self.elements);
    field("at_once", self.at_once);
    field("text", self.text);
  }
};

/// A failed command is started again, in a new attempt.
struct Retries {
  int most = 0;                 // maximum number of attempts after the first
  std::vector<std::string> on;  // exit codes, "timeout", "oom" and names of causes; empty: any exit code other than 0

  static void describe(auto& self, auto& field) {
    field("most", self.most);
    field("on", self.on);
  }
};

/// The command is watched for progress (launch/stall.inc.sh).
struct Stall {
  std::chrono::seconds after{0};  // without progress
  bool ends = false;              // the command is ended then

  static void describe(auto& self, auto& field) {
    field("after_s", self.after);
    field("ends", self.ends);
  }
};

/// The run starts after another run.
struct After {
  std::string run;      // the ID of the other run; before it is looked up, the word that the user typed
  bool only_ok = true;  // start only if the other run succeeds

  static void describe(auto& self, auto& field) {
    field("run", self.run);
    field("only_ok", self.only_ok);
  }
};

/// The command is a step in the job of another run, which holds the GPUs.
struct Inside {
  std::string run;       // the ID of that run
  int job = 0;           // its Slurm job
  std::string job_name;  // Slurm's name of that job
  int cpus = 1;          // of the step
  bool overlap = false;  // the step shares its GPUs and CPUs with others

  static void describe(auto& self, auto& field) {
    field("run", self.run);
    field("job", self.job);
    field("job_name", self.job_name);
    field("cpus", self.cpus);
    field("overlap", self.overlap);
  }
};

/// The environment of the user's project.
struct Environment {
  std::string prefix;  // absolute: the folder that has bin/
  std::string from;    // the files that it was made from, for people
  bool conda = false;  // activated as conda does

  static void describe(auto& self, auto& field) {
    field("prefix", self.prefix);
    field("from", self.from);
    field("conda", self.conda);
  }
};

/// The command is a batch script with #SBATCH lines, which runs once, on the first node, as sbatch runs it.
struct Batch {
  std::string name;                      // job name for the script: SLURM_JOB_NAME and %x
  std::vector<std::string> interpreter;  // from its "#!" line
  std::string output;                    // file to which the output is written too, with sbatch's %j, %x, …
  std::string error;                     // file for stderr; empty: that of stdout
  std::string input;                     // file for stdin; empty: none
  std::string folder;                    // --chdir; empty: the run's working folder
  std::string signal;                    // signal that Slurm sends to the script before the time limit; empty: none
  std::vector<std::string> variables;    // "NAME=value": sbatch would set it; "NAME": sbatch would not, so it is unset

  static void describe(auto& self, auto& field) {
    field("name", self.name);
    field("interpreter", self.interpreter);
    field("output", self.output);
    field("error", self.error);
    field("input", self.input);
    field("folder", self.folder);
    field("signal", self.signal);
    field("variables", self.variables);
  }
};

/// Don't add secrets: run.json stores every field. A string may contain any byte except NUL; the renderer quotes it.
struct JobSpec {
  bool hold = false;               // there is no command: the allocation is for shells until it is released
  std::vector<std::string> typed;  // the command as the user typed it
  std::vector<std::string> argv;   // the command that is executed; empty for a hold, and in the records of older rv
  int processes_per_node = 1;
  std::vector<std::string> outputs;  // paths copied to the run's output folder when the command ends
  bool joined_output = false;        // stderr is written to the file of stdout, in the order of writing
  bool requeue = false;              // the command may be started again after it had begun
  bool preflight = false;            // the job's nodes are tested before the command starts; not with `array`
  std::optional<Chain> chain = {};
  std::optional<JobArray> array = {};   // not with `chain`
  std::optional<Retries> retries = {};  // not with `chain` or `array`
  std::optional<Stall> stall = {};
  std::optional<After> after = {};
  std::optional<Inside> inside = {};  // not with what needs a job of its own: `chain`, `array`, `retries`, `after`
  std::optional<Batch> batch = {};
  std::optional<Environment> environment = {};
  std::vector<std::string> imports;            // absolute folders of the project's own Python modules
  std::vector<std::string> container_options;  // options of srun that start the command in a container
  std::vector<std::string> container_shell;  // command that opens a shell in the container; empty: a shell of the node
  std::optional<std::chrono::seconds> unattended = {};  // a hold ends after this time without a shell; 0: never
  std::optional<std::chrono::seconds> idle_stop = {};   // a hold ends when no GPU has worked for this time; 0: never
  bool measures = false;      // the command measures the GPUs, so rv does not sample them at the same time
  std::string notify_folder;  // absolute: folder of the targets of notifications; empty: none are sent
  std::string notify_on;      // the events that are sent: "started,ended"; empty: as configured for each target
  std::vector<std::string> variables = {};  // "NAME=value", for the command's environment
  std::vector<std::string> sbatch = {};     // more options of sbatch, each name once: "begin=16:00", a flag "hold"

  /// Replaces the command, or the hold.
  void set_command(std::vector<std::string> command) {
    hold = false;
    argv = std::move(command);
  }

  static void describe(auto& self, auto& field) {
    field("hold", self.hold);
    field("command", self.typed);
    field("runs", self.argv);
    field("processes_per_node", self.processes_per_node);
    field("outputs", self.outputs);
    field("joined_output", self.joined_output);
    field("requeue", self.requeue);
    field("preflight", self.preflight);
    field("chain", self.chain);
    field("array", self.array);
    field("retries", self.retries);
    field("stall", self.stall);
    field("after", self.after);
    field("inside", self.inside);
    field("batch", self.batch);
    field("environment", self.environment);
    field("imports", self.imports);
    field("container_options", self.container_options);
    field("container_shell", self.container_shell);
    field("unattended_s", self.unattended);
    field("idle_stop_s", self.idle_stop);
    field("measures", self.measures);
    field("notify_folder", self.notify_folder);
    field("notify_on", self.notify_on);
    field("variables", self.variables);
    field("sbatch", self.sbatch);
  }
};

}  // namespace rv::templates
