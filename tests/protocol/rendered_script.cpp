#include "rendered_script.h"

#include <cstdio>
#include <stdexcept>

using rv::planner::Kind;
using rv::templates::JobFacts;

std::string rendered_script(const std::string& kind, const ScriptOptions& options) {
  rv::planner::Strategy strategy;
  strategy.gpu.name = "a100_80";
  strategy.gpu.product_pattern = "A100";
  strategy.gres_type = "a100";
  strategy.partitions = {"gpu"};
  strategy.time_limit = std::chrono::minutes(30);
  strategy.cpus_per_node = 2;
  strategy.memory_per_node = {1024};
  JobFacts facts;
  facts.run_id = "k3f9x2";
  facts.run_folder = options.run_folder;
  facts.candidate = options.candidate;
  facts.job_name = rv::templates::run_job_name("x", facts.run_id, options.candidate);
  facts.work_folder = options.work_folder;
  facts.scratch = options.work_folder;
  rv::templates::JobSpec job;
  job.argv = options.command;
  if (kind == "requeue") {
    job.requeue = true;
  } else if (kind == "several") {
    job.processes_per_node = 2;
  } else if (kind == "hold") {
    job.hold = true;
    job.argv = {};
  } else if (kind == "array" || kind == "array_requeue") {
    job.array = {.elements = {0, 1}, .at_once = 0, .text = "0-1"};
    job.requeue = kind == "array_requeue";
  } else if (kind == "after") {
    job.after = {.run = "a1b2c3"};
    facts.predecessor = {.run_folder = options.predecessor, .dependency = ""};
  } else if (kind == "chain") {
    strategy.kind = Kind::checkpoint;
    strategy.work_time = std::chrono::hours(2);
  } else if (kind != "plain") {
    throw std::invalid_argument("no kind of script: " + kind);
  }
  return rv::templates::render_job_script(strategy, job, facts);
}

std::string said_by(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
  std::string text;
  for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe)) text += static_cast<char>(letter);
  ::pclose(pipe);
  return text;
}

std::string functions_of(const std::string& script) {
  const auto first_step = script.find("\nrv_pass_gate\n");
  if (first_step == std::string::npos) throw std::logic_error("the script does not begin with its gate");
  return script.substr(0, first_step + 1);
}
