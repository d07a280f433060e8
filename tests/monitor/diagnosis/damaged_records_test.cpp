// The files of a run's folder and of rv's home, damaged: a full disk, a killed writer, somebody's editor.
#include <string>
#include <vector>

#include "base/failures/log_failures.h"
#include "monitor/diagnosis/gpu_idleness.h"
#include "monitor/follow/element_jobs.h"
#include "monitor/follow/output_writer.h"
#include "monitor/jobs/observed_wait.h"
#include "monitor/ledger/ledger.h"
#include "monitor/run/journal.h"
#include "tests/damaged.h"

using namespace rv;
using namespace rv::monitor;
using test::survives;

TEST_CASE("damaged entries of the ledger are ignored") {
  for (const char* line :
       {"start 1 2 4711 1 0 - n1 1790000000 boot n1\n", "exit 2 1 4711 0 exited 137 n1 1790000000 boot -\n",
        R"(outcome 1 0 0 0 lost - login 5 e - {"reason":"gone"})"
        "\n",
        R"(retry 2 0 0 0 - - login 5 e - {"elements":[3,12],"exclude":["n2"]})"
        "\n"}) {
    survives([](auto text) { parse_entry(text); }, line, 600);
  }
}

TEST_CASE("damaged lines of journals, waits and readings are skipped") {
  survives(
      [](auto text) {
        of_attempt(parse_events(text), 2);
        candidate_journals(parse_events(text), 3);
      },
      R"({"time":1790000000.25,"event":"intent","candidate":1,"attempt":1})"
      "\n"
      R"({"time":1790000001,"event":"submitted","candidate":1,"job_id":4711,"attempt":2,"name":"a\u00fc"})"
      "\n");
  const planner::TimePoint noon{std::chrono::seconds(1'790'000'000)};
  const ObservedWait wait{.run = "r1",
                          .submitted = noon,
                          .real = std::chrono::seconds(5),
                          .predicted = {},
                          .basis = "free now",
                          .gpu_type = "a100",
                          .gpus = 2,
                          .partition = "gpu"};
  survives([](auto text) { parse_observed_waits(text); }, to_line(wait) + to_line(wait));
  survives([](auto text) { parse_samples(text); },
           sample_line({.time = noon, .busiest = 12.5, .all_known = true}) +
               sample_line({.time = noon, .busiest = std::nullopt, .all_known = false}));
}

TEST_CASE("damaged lines of Slurm and of programs are read or passed over") {
  survives([](auto text) { parse_running_elements(std::string(text)); }, "0 4711 n1\n12 4712 udc-an28-[1-2]\n");
  survives([](auto text) { failures::failures_in(std::vector<std::string>{std::string(text)}, 1); },
           "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=1.batch cgroup.");
  survives([](auto text) { last_state(text); }, "10%\r\x1b[K20% \xc3\xbc\r\x1b[2Adone\b\b");
}
