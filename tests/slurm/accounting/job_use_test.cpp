#include "slurm/accounting/job_use.h"

#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;

namespace {

constexpr auto job_row =
    "71|71|1000|1600|COMPLETED|2||16|01:00:05.250|02:00:00|cpu=16,mem=128G,node=2|||train@k3f9x2.1\n";

std::string step_row(const std::string& step, int nodes, int tasks, const std::string& largest, const std::string& all,
                     int start = 1000, int end = 1600) {
  return "71." + step + "|71." + step + "|" + std::to_string(start) + "|" + std::to_string(end) + "|COMPLETED|" +
         std::to_string(nodes) + "|" + std::to_string(tasks) + "|16|00:01.000|||" + largest +
         "|cpu=00:00:01,mem=" + all + ",pages=0|" + step + "\n";
}

constexpr long long mib = 1024 * 1024;

JobUse one(const std::string& text) {
  const auto jobs = parse_job_use(text);
  REQUIRE(jobs.size() == 1);
  return jobs[0];
}

std::optional<Mebibytes> peak(const std::string& steps) {
  return peak_of_a_node(one(job_row + steps));
}

std::string bytes(long long mebibytes) {
  return std::to_string(mebibytes * mib);
}

}  // namespace

TEST_CASE("a start of a job is read with its limits and its processor time") {
  const auto job = one(std::string(job_row) + step_row("batch", 1, 1, bytes(100), bytes(100)));
  CHECK(job.id == JobId{71});
  CHECK(job.state == "COMPLETED");
  CHECK(job.limit == std::chrono::hours(2));
  CHECK(job.nodes == 2);
  CHECK(job.cpus == 16);
  CHECK(job.memory == Mebibytes{128 * 1024});
  CHECK(job.cpu_seconds == doctest::Approx(3605.25));
  CHECK(job.name == "train@k3f9x2.1");
  REQUIRE(job.steps.size() == 1);
  CHECK(job.steps[0].step == "batch");
  CHECK(job.steps[0].largest_task == Mebibytes{100});
}

TEST_CASE("a job whose start accounting has not heard of has no name") {
  CHECK(one("71|71|1000|1001|COMPLETED|1||1|00:00.010||cpu=1,mem=1G,node=1|||allocation\n").name.empty());
  CHECK(one("71|71|1000|1001|COMPLETED|1||1|00:00.010||cpu=1,mem=1G,node=1|||allocation|b\n").name == "allocation|b");
}

TEST_CASE("units are those of the release: bytes, K with and without a fraction, M; always rounded up") {
  CHECK(peak(step_row("batch", 1, 1, std::to_string(100 * mib + 1), "")) == Mebibytes{101});
  CHECK(peak(step_row("batch", 1, 1, "102401K", "")) == Mebibytes{101});
  CHECK(peak(step_row("batch", 1, 1, "2048.50K", "")) == Mebibytes{3});
  CHECK(peak(step_row("batch", 1, 1, "1.50G", ""))->count >= 1536);
}

TEST_CASE("steps that run at the same time are added up, those after each other are not") {
  const auto beside =
      step_row("batch", 1, 1, bytes(10), bytes(10)) + step_row("0", 1, 1, bytes(500), bytes(500), 1010, 1100);
  CHECK(peak(beside) == Mebibytes{510});
  CHECK(peak(beside + step_row("1", 1, 1, bytes(700), bytes(700), 1100, 1200)) == Mebibytes{710});
  CHECK(peak(beside + step_row("1", 1, 1, bytes(700), bytes(700), 1099, 1200)) == Mebibytes{1210});
}

TEST_CASE("tasks of a step share its nodes evenly, or else may all be on one") {
  CHECK(peak(step_row("0", 2, 4, bytes(60), bytes(200))) == Mebibytes{120});
  CHECK(peak(step_row("0", 2, 3, bytes(60), bytes(150))) == Mebibytes{150});
  CHECK(peak(step_row("0", 1, 4, bytes(60), bytes(200))) == Mebibytes{200});
}

TEST_CASE("the peak is unknown if a long step has no samples") {
  CHECK_FALSE(peak("").has_value());
  CHECK_FALSE(peak(step_row("batch", 1, 1, "", "")).has_value());
  CHECK_FALSE(peak(step_row("batch", 1, 1, "0", "0")).has_value());
  CHECK_FALSE(peak(step_row("batch", 1, 1, bytes(10), bytes(10)) + step_row("0", 1, 1, "", "")).has_value());
  // A step that ended before a sample, and the one that only holds the allocation.
  CHECK(peak(step_row("batch", 1, 1, bytes(10), bytes(10)) + step_row("0", 1, 1, "", "", 1000, 1005)) == Mebibytes{10});
  CHECK(peak(step_row("batch", 1, 1, bytes(10), bytes(10)) + step_row("extern", 2, 2, "", "")) == Mebibytes{10});
  // jobacct_gather/none reports no time either.
  CHECK_FALSE(one("71|71|1000|1600|COMPLETED|1||16|00:00:00|02:00:00|cpu=16|||x\n").cpu_seconds.has_value());
}

TEST_CASE("waiting, running and unreadable jobs and their steps are skipped") {
  CHECK(parse_job_use("71|71|Unknown|Unknown|PENDING|1||1|00:00:00|10:00||||x\n").empty());
  CHECK(parse_job_use("71|71|1000|Unknown|RUNNING|1||1|00:00:00|10:00|mem=1G|||x\n" +
                      step_row("batch", 1, 1, bytes(10), bytes(10)))
            .empty());
  CHECK(parse_job_use("sacct: error: nothing\n\n|||||||||||||\n").empty());
  const auto job =
      one(std::string(job_row) + "the rest of a name\n72.batch|72.batch|1000|1600|COMPLETED|1|1|1||||9|mem=9|b\n");
  CHECK(job.steps.empty());
}

TEST_CASE("recorded: a step beside the batch script, two nodes, an array, a requeued job, a name with a bar") {
  for (const std::string release : {"22.05.8-more", "26.05.3-more"}) {
    CAPTURE(release);
    const auto jobs = parse_job_use(recording(release + "/job_use.out"));
    REQUIRE(jobs.size() == 7);
    const auto named = [&](const std::string& name) {
      std::vector<JobUse> found;
      for (const auto& job : jobs) {
        if (job.name == name) found.push_back(job);
      }
      return found;
    };
    const auto beside = named("use@a.1");
    REQUIRE(beside.size() == 1);
    CHECK(beside[0].memory == Mebibytes{2048});
    CHECK(beside[0].gpus == 1);
    // Python with 150 MiB, later two with 80 beside the script; the script's own step keeps its peak.
    // On 26.05 srun was refused, so that only the script counts.
    CHECK(peak_of_a_node(beside[0])->count > (beside[0].state == "COMPLETED" ? 310 : 160));
    CHECK(peak_of_a_node(beside[0])->count < 420);
    CHECK(*beside[0].cpu_seconds > 2);
    const auto wide = named("use@b.1");
    REQUIRE(wide.size() == 1);
    CHECK(wide[0].nodes == 2);
    CHECK(peak_of_a_node(wide[0])->count > 120);
    CHECK(peak_of_a_node(wide[0])->count < 200);
    const auto elements = named("use@c.1");
    REQUIRE(elements.size() == 2);
    CHECK(elements[0].shown.ends_with("_3"));
    CHECK(elements[0].id != elements[1].id);
    const auto starts = named("use@d.1");
    REQUIRE(starts.size() == 2);
    CHECK(starts[0].state == "REQUEUED");
    CHECK(starts[1].state == "COMPLETED");
    CHECK(starts[0].id == starts[1].id);
    CHECK(peak_of_a_node(starts[1])->count > 50);
    const auto short_one = named("use|e bad");
    REQUIRE(short_one.size() == 1);
  }
}
