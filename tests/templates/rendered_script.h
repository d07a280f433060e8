// Jobs to render in the tests of batch scripts.
#pragma once

#include <chrono>
#include <string>

#include "templates/job_script.h"

namespace rv::templates::test {

enum class Purpose { hold, command };

/// A job and the facts of its run.
struct Script {
  JobSpec job;
  JobFacts facts;
};

inline std::string render_job_script(const planner::Strategy& strategy, const Script& script) {
  return templates::render_job_script(strategy, script.job, script.facts);
}

inline planner::Strategy strategy(planner::Kind kind, int nodes, int gpus_per_node) {
  planner::Strategy s;
  s.gpu.name = kind == planner::Kind::mig ? "1g.10gb" : "a100_80";
  s.gpu.product_pattern = kind == planner::Kind::mig ? "" : "A100.*80GB";
  s.gres_type = kind == planner::Kind::mig ? "1g.10gb" : "a100";
  s.nodes = nodes;
  s.gpus_per_node = gpus_per_node;
  s.partitions = {"gpu-a", "gpu-b"};
  s.kind = kind;
  s.time_limit = std::chrono::minutes(30);
  s.cpus_per_node = 16;
  s.memory_per_node = {65536};
  return s;
}

inline Script facts(Purpose purpose) {
  Script f;
  f.facts.run_id = "k3f9x2";
  f.facts.run_folder = "/home/u/.rv/runs/k3f9x2";
  f.facts.candidate = 2;
  f.facts.job_name = "train@k3f9x2.2";
  f.facts.work_folder = "/home/u/project";
  f.facts.scratch = "/scratch/u";
  f.job.hold = purpose == Purpose::hold;
  if (purpose == Purpose::command) f.job.argv = {"python3", "train.py"};
  return f;
}

inline bool has_line(const std::string& script, const std::string& line) {
  return ("\n" + script).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace rv::templates::test
