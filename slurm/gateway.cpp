#include "slurm/gateway.h"

#include <array>
#include <cstdlib>

#include "planner/error.h"
#include "slurm/environment.h"
#include "slurm/limits_cache.h"
#include "slurm/parse_cluster.h"
#include "slurm/parse_jobs.h"
#include "slurm/parse_limits.h"
#include "slurm/parse_queue.h"
#include "slurm/process.h"

namespace rv::slurm {
namespace {

using namespace std::chrono_literals;

// Accounting may be away for hours: a plan waits for it only so long.
constexpr auto accounting_patience = 5s;

std::string trouble_of(const Result& result) {
  if (result.timed_out) return "no answer in time";
  if (result.exit_code == 127) return result.err;
  return first_complaint(result.err.empty() ? result.out : result.err);
}

std::string user_name(const std::vector<std::string>& environment) {
  for (const char* variable : {"USER", "LOGNAME"}) {
    const char* name = std::getenv(variable);
    if (name != nullptr && *name != '\0') return name;
  }
  auto id = run({.argv = {"id", "-un"}, .input = "", .deadline = 5s, .environment = environment, .folder = ""});
  while (id.out.ends_with('\n')) id.out.pop_back();
  return id.out;
}

[[noreturn]] void no_cluster(const std::string& asked, const Result& result) {
  if (result.exit_code == 127) {
    throw Error("Slurm's commands are not here: " + result.err, "run rv on a login node of the cluster, or set PATH",
                ExitCode::slurm);
  }
  throw Error("Slurm did not answer " + asked + ": " + trouble_of(result),
              "try again in a moment; scontrol ping says whether the controller is up", ExitCode::slurm);
}

}  // namespace

Gateway::Gateway(std::chrono::milliseconds deadline) : deadline_(deadline) {}

planner::Cluster Gateway::read_cluster(const std::string& cache_folder) {
  const auto environment = query_environment();
  planner::Cluster cluster;
  cluster.user = user_name(environment);
  const auto ask = [&](std::vector<std::string> argv, std::string input = "") {
    return Command{.argv = std::move(argv),
                   .input = std::move(input),
                   .deadline = deadline_,
                   .environment = environment,
                   .folder = ""};
  };
  enum { nodes, partitions, config, reservations, queue, limits, question_count };
  std::array<Command, question_count> questions{
      ask({"scontrol", "-o", "-d", "show", "node"}),
      ask({"scontrol", "-o", "show", "partition"}),
      ask({"scontrol", "show", "config"}),
      ask({"scontrol", "-o", "show", "reservation"}),
      ask({"squeue", "-h", "-t", "PENDING,RUNNING,SUSPENDED,COMPLETING,CONFIGURING", "-O", queue_format()}),
      ask({"sacctmgr", "-P"}, limits_questions(cluster.user)),
  };
  questions[limits].deadline = std::min<std::chrono::milliseconds>(deadline_, accounting_patience);
  const LimitsCache cache(cache_folder, cluster.user);
  const auto kept = cache.read();
  // The limits are the last question, so that a kept answer simply leaves it out.
  const auto asked = std::span<const Command>(questions).first(kept ? limits : question_count);
  auto answers = run_all(asked);
  commands_run_ += static_cast<int>(asked.size());
  if (kept) answers.push_back({.exit_code = 0, .timed_out = false, .out = *kept, .err = "", .wall = {}});
  cluster.taken_at = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());

  if (!answers[nodes].ok()) no_cluster("scontrol show node", answers[nodes]);
  if (!answers[partitions].ok()) no_cluster("scontrol show partition", answers[partitions]);
  cluster.nodes = parse_nodes(answers[nodes].out);
  cluster.partitions = parse_partitions(answers[partitions].out);
  if (answers[config].ok())
    cluster.controller = parse_config(answers[config].out);
  else
    cluster.unanswered["controller"] = trouble_of(answers[config]);
  if (answers[reservations].ok())
    cluster.reservations = parse_reservations(answers[reservations].out);
  else
    cluster.unanswered["reservations"] = trouble_of(answers[reservations]);
  if (answers[queue].ok())
    cluster.jobs = parse_queue(answers[queue].out);
  else
    cluster.unanswered["jobs"] = trouble_of(answers[queue]);
  auto known = parse_limits(answers[limits].out, cluster.user);
  // sacctmgr ends with 0 even when the database is away; QOS always has one entry where there is accounting.
  if (!answers[limits].timed_out && !known.qos.empty()) {
    cluster.qos = std::move(known.qos);
    cluster.associations = std::move(known.associations);
    if (!kept) cache.write(answers[limits].out);
  } else {
    cluster.unanswered["qos"] = cluster.unanswered["associations"] = trouble_of(answers[limits]);
  }
  return cluster;
}

Submission Gateway::submit(const std::string& script_path, const std::string& folder) {
  ++commands_run_;
  return parse_submission(run({.argv = {"sbatch", "--parsable", script_path},
                               .input = "",
                               .deadline = deadline_,
                               .environment = submit_environment(),
                               .folder = folder}));
}

Result Gateway::ask(std::vector<std::string> argv) {
  ++commands_run_;
  return run(
      {.argv = std::move(argv), .input = "", .deadline = deadline_, .environment = query_environment(), .folder = ""});
}

Answer<std::vector<QueueRow>> Gateway::my_jobs() {
  const auto result = ask({"squeue", "--me", "-h", "-r", "-t", "all", "-o", std::string(tick_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_tick(result.out), ""};
}

Answer<std::vector<JobRecord>> Gateway::record(JobId id) {
  const auto result = ask({"scontrol", "-o", "show", "job", to_string(id)});
  if (result.ok()) return {parse_records(result.out), ""};
  // The controller answered, and does not know the job (any more).
  if (result.err.find("Invalid job id") != std::string::npos) return {std::vector<JobRecord>(), ""};
  return {std::nullopt, trouble_of(result)};
}

Answer<std::vector<AccountingRow>> Gateway::accounting(std::span<const JobId> ids) {
  std::string list;
  for (const auto id : ids) list += (list.empty() ? "" : ",") + to_string(id);
  const auto result = ask({"sacct", "-X", "-P", "-n", "-j", list, "-o", std::string(accounting_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_accounting(result.out), ""};
}

Answer<bool> Gateway::cancel(std::span<const JobId> ids) {
  std::vector<std::string> argv{"scancel"};
  for (const auto id : ids) argv.push_back(to_string(id));
  const auto result = ask(std::move(argv));
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {true, ""};
}

}  // namespace rv::slurm
