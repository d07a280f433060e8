// Slurm's answers, damaged.
#include "slurm/accounting/job_use.h"
#include "slurm/parse/gres_text.h"
#include "slurm/parse/hostlist.h"
#include "slurm/parse/parse_cluster.h"
#include "slurm/parse/parse_finished_jobs.h"
#include "slurm/parse/parse_jobs.h"
#include "slurm/parse/parse_limits.h"
#include "slurm/parse/parse_priority.h"
#include "slurm/parse/parse_queue.h"
#include "slurm/parse/parse_test_only.h"
#include "tests/damaged.h"
#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;
using test::Parser;
using test::survives;

namespace {

os::Result answer(std::string_view text) {
  os::Result result;
  result.out = result.err = std::string(text);
  result.exit_code = 1;
  return result;
}

}  // namespace

TEST_CASE("damaged answers of Slurm are read or refused, by every parser") {
  const auto now = planner::TimePoint(std::chrono::seconds(1763700000));
  const std::pair<const char*, Parser> parsers[] = {
      {"node.epoch.out", [](auto text) { parse_nodes(text); }},
      {"partition.epoch.out", [](auto text) { parse_partitions(text); }},
      {"reservation.epoch.out", [](auto text) { parse_reservations(text); }},
      {"config.epoch.out", [](auto text) { parse_config(text); }},
      {"config.epoch.out", [](auto text) { parse_identity(text); }},
      {"queue.epoch.out", [](auto text) { parse_queue(text); }},
      {"squeue.facts.epoch.out", [](auto text) { parse_queue(text); }},
      {"sacct.epoch.out", [](auto text) { parse_accounting(text); }},
      {"job.one.timeout.out", [](auto text) { parse_records(text); }},
      {"squeue.facts.epoch.out", [](auto text) { parse_poll(text); }},
      {"ended.epoch.out", [now](auto text) { parse_finished_jobs(text, now - std::chrono::hours(1000), now); }},
      {"limits.out", [](auto text) { parse_limits(text, "root", "afton"); }},
      {"sprio.out", [](auto text) { parse_priority_factors(text); }},
      {"sshare.out", [](auto text) { parse_shares(text); }},
      {"config.epoch.out", [](auto text) { parse_priority(text); }},
      {"test.later.err", [now](auto text) { parse_test_only(answer(text), now); }},
      {"test.multi.err", [now](auto text) { parse_test_only(answer(text), now); }},
      {"hung.sbatch.err", [](auto text) { parse_submission(answer(text)); }},
  };
  for (const auto& [name, parse] : parsers) {
    const std::string file = name;
    CAPTURE(file);
    survives(parse, recording("22.05.8/" + file));
  }
  survives(
      [](auto text) {
        for (const auto& job : parse_job_use(text)) peak_of_a_node(job);
      },
      recording("22.05.8-more/job_use.out"));
}

TEST_CASE("damaged lists of hosts, GRES and TRES are read or refused") {
  survives([](auto text) { expand_hostlist(text); }, "udc-an[28-30,33]-[1-3],login1,gpu[001-020]");
  survives([](auto text) { read_typed_hosts(text); }, "udc-an[28-30,33]-1,login1");
  survives([](auto text) { parse_gpu_pools(text, "gpu:a100:3(IDX:0-2),gpu:mig:0(IDX:N/A)"); },
           "gpu:a100:4(S:0-1),gpu:1g.10gb:56,craynetwork:4");
  survives([](auto text) { parse_gpu_pools("gpu:a100:4(S:0-1),gpu:mig:2", text); },
           "gpu:a100:3(IDX:0-2),gpu:mig:0(IDX:N/A)");
  survives([](auto text) { parse_tres(text); }, "cpu=2,mem=100G,node=1,billing=187T,gres/gpu:a100=1");
  survives([](auto text) { parse_node_state(text); }, "MIXED*+DRAIN+PLANNED");
  survives([](auto text) { count_array_tasks(text); }, "1234_[1-99%8,200,300-400:10]");
}
