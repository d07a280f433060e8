#include "slurm/parse/parse_jobs.h"

#include <algorithm>

#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;

namespace {

Submission submission(int exit_code, const std::string& out, const std::string& err, bool timed_out = false) {
  return parse_submission(
      {.exit_code = exit_code, .timed_out = timed_out, .out = out, .err = err, .wall = std::chrono::milliseconds(1)});
}

}  // namespace

TEST_CASE("a poll of every release, hostile names included") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto rows = parse_poll(recording(release + "/squeue.facts.epoch.out"));
    CHECK(rows.size() > 20);
    int newline_names = 0;
    for (const auto& row : rows) {
      CHECK(row.id.number > 0);
      CHECK(!row.state.empty());
      const bool het = row.raw_id.find('+') != std::string::npos;
      CHECK((het || row.raw_id.starts_with(to_string(row.id))));
      if (row.name.find('\n') != std::string::npos) ++newline_names;
    }
    CHECK(newline_names >= 1);
  }
}

TEST_CASE("a row keeps its whole name with any characters") {
  const auto rows = parse_poll(
      "7|7|N/A|PENDING|Priority|N/A|N/A|UNLIMITED||a|b|RUNNING\nsecond line\n8|8|N/A|x\n"
      "12_3|12|3|RUNNING|None|1795233184|1795236784|1:00:00|n[1-2]|plain\n"
      "13|13|N/A|PENDING|Nodes_required,_or|N/A|N/A|10:00||\n");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].name == "a|b|RUNNING\nsecond line\n8|8|N/A|x");
  CHECK(rows[0].state == "PENDING");
  CHECK(rows[0].node_list.empty());
  CHECK(!rows[0].start);
  CHECK(!rows[0].end);
  CHECK(!rows[0].time_limit);
  CHECK(rows[1].id == JobId{12});
  CHECK(rows[1].raw_id == "12_3");
  CHECK(rows[1].node_list == "n[1-2]");
  REQUIRE((rows[1].start && rows[1].end));
  CHECK(*rows[1].end - *rows[1].start == std::chrono::hours(1));
  CHECK(rows[1].time_limit == std::chrono::hours(1));
  CHECK(rows[2].time_limit == std::chrono::minutes(10));
  CHECK(rows[2].name.empty());
}

TEST_CASE("a poll of 20,000 rows is read whole") {
  const auto text = recording("22.05.8/squeue.facts.epoch.out");
  const auto once = parse_poll(text).size();
  std::string many;
  int times = 0;
  for (; once * static_cast<std::size_t>(times) < 20'000; ++times) many += text;
  const auto rows = parse_poll(many);
  CHECK(rows.size() == once * static_cast<std::size_t>(times));
  CHECK(std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.state.size() > 3; }));
}

TEST_CASE("the controller's record of a job") {
  for (const std::string release : releases) {
    CAPTURE(release);
    auto record = parse_records(recording(release + "/job.one.timeout.out")).at(0);
    CHECK(record.state == "TIMEOUT");
    CHECK(record.end);
    record = parse_records(recording(release + "/job.one.fail3.out")).at(0);
    CHECK(record.state == "FAILED");
    CHECK(record.exit_status == 3);
    record = parse_records(recording(release + "/job.one.ok.out")).at(0);
    CHECK(record.state == "COMPLETED");
    CHECK(record.node_list == "udc-cpu-1");
    record = parse_records(recording(release + "/job.one.canc_run.out")).at(0);
    CHECK(record.state == "CANCELLED");
    record = parse_records(recording(release + "/job.one.nodefail_rq.out")).at(0);
    CHECK(record.restarts >= 1);
  }
}

TEST_CASE("the time of a preemption is read") {
  const std::string before =
      "JobId=5 JobName=x PreemptTime=1 UserId=me(1) JobState=RUNNING PreemptEligibleTime=1900000000 ";
  CHECK(parse_records(before + "PreemptTime=1900000005 Requeue=1\n").at(0).preempted);
  CHECK(parse_records(before + "PreemptTime=2026-11-22T15:44:07 Requeue=1\n").at(0).preempted);
  CHECK(!parse_records(before + "PreemptTime=None Requeue=1\n").at(0).preempted);
  CHECK(!parse_records(before + "Requeue=1\n").at(0).preempted);
}

TEST_CASE("a name that imitates the record does not change the state") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto text = recording(release + "/job.one.n_key.out");
    REQUIRE(text.find("JobState=FAILED") < text.find(" UserId="));
    CHECK(parse_records(text).at(0).state == "RUNNING");
  }
}

TEST_CASE("accounting rows: the state's first word, hostile names, nodes not assigned") {
  const auto rows = parse_accounting(
      "42|42|1795233184|1795233185|1795233186|CANCELLED by 0|0:15|n1|x|y\nz\n"
      "43|43|1|Unknown|Unknown|PENDING|0:0|None assigned|w\n");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].state == "CANCELLED");
  CHECK(rows[0].exit_signal == 15);
  CHECK(rows[0].cancelled_by == 0U);
  CHECK(!rows[1].cancelled_by);
  CHECK(rows[0].name == "x|y\nz");
  CHECK(rows[1].node_list.empty());
  CHECK(!rows[1].end);
}

TEST_CASE("an accepted submission") {
  const auto accepted = submission(0, "123\n", "");
  CHECK(accepted.outcome == Submission::Outcome::accepted);
  CHECK(accepted.id == JobId{123});
  CHECK(submission(0, "123;afton\n", "").cluster == "afton");
}

TEST_CASE("without a controller's answer it is unknown whether the job exists") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto down = submission(1, "", recording(release + "/ctldown.sbatch.err"));
    CHECK(down.outcome == Submission::Outcome::unknown);
    CHECK(down.message.starts_with("Unable to contact slurm controller"));
    CHECK(submission(1, "", recording(release + "/hung.sbatch.err")).outcome == Submission::Outcome::unknown);
  }
  CHECK(submission(137, "", "", /*timed_out=*/true).outcome == Submission::Outcome::unknown);
  CHECK(submission(0, "", "").outcome == Submission::Outcome::unknown);
  CHECK(submission(137, "", "").outcome == Submission::Outcome::unknown);
}

TEST_CASE("a rejection has Slurm's message") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto refused = submission(1, "", recording(release + "/test.bad.qos.err"));
    CHECK(refused.outcome == Submission::Outcome::refused);
    CHECK(refused.message.find("qos") != std::string::npos);
  }
  CHECK(submission(255, "", "sbatch: error: Invalid --time specification\n").outcome == Submission::Outcome::refused);
}

TEST_CASE("job IDs are digits and never 0") {
  CHECK(parse_job_id("7") == JobId{7});
  CHECK(!parse_job_id("0"));
  CHECK(!parse_job_id("7_1"));
  CHECK(!parse_job_id("99999999999"));
  CHECK(!parse_job_id(""));
}

TEST_CASE("a het job's components have separate rows and are not part of another's name") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto rows = parse_poll(recording(release + "/squeue.facts.epoch.out"));
    int components = 0;
    for (const auto& row : rows) {
      if (row.raw_id.find('+') != std::string::npos) ++components;
      CHECK(row.name.find("|het") == std::string::npos);
    }
    CHECK(components == 2);
  }
  const auto rows = parse_poll("7|7|N/A|RUNNING|None|1|61|1:00|n1|mine\n33+1|34|N/A|RUNNING|None|1|61|1:00|n2|het\n");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "mine");
  CHECK(rows[1].id == JobId{34});
  CHECK(rows[1].raw_id == "33+1");
}

TEST_CASE("an unknown state is kept as text") {
  CHECK(parse_poll("7|7|N/A|EXPEDITING|None|N/A|N/A|1:00||x\n").at(0).state == "EXPEDITING");
  CHECK(parse_poll("7|7|N/A|?|None|N/A|N/A|1:00||x\n").at(0).state == "?");
  CHECK(parse_accounting("7|7|1|1|1|NEW_STATE2|0:0|n1|x\n").at(0).state == "NEW_STATE2");
}

TEST_CASE("a newline in a job's name is part of the name") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto records = parse_records(recording(release + "/job.one.n_nl.out"));
    REQUIRE(records.size() == 1);
    CHECK(records[0].name == "new\nline");
    CHECK(records[0].state == "RUNNING");
  }
}

TEST_CASE("recorded accounting: array, het job, hostile names, cancelled and held") {
  const auto rows = parse_accounting(recording("22.05.8-more/sacct.out"));
  REQUIRE(rows.size() == 13);
  const auto row_of = [&](std::uint32_t id) {
    return *std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.id == JobId{id}; });
  };
  CHECK(row_of(18).name == "a|b|RUNNING|0:0");
  CHECK(row_of(18).state == "FAILED");
  CHECK(row_of(18).exit_status == 3);
  CHECK(row_of(19).name == "new\n7|7|1|1|1|line");
  CHECK(row_of(19).exit_signal == 9);
  CHECK(row_of(20).state == "PENDING");
  CHECK(row_of(20).node_list.empty());
  CHECK(!row_of(20).start);
  CHECK(row_of(21).state == "CANCELLED");
  CHECK(row_of(21).end);
  CHECK(row_of(6).state == "PENDING");
}

TEST_CASE("an ID is believed only with exit 0, and found behind a site's greeting") {
  CHECK(submission(0, "Welcome to the cluster\n42\n", "").id == JobId{42});
  const auto odd = submission(1, "42\n", "sbatch: error: something\n");
  CHECK(odd.outcome == Submission::Outcome::unknown);
  CHECK(odd.id == JobId{});
}

TEST_CASE("a refusal names the limit, and a plugin's chatter is not the reason") {
  const auto refused = submission(1, "",
                                  "sbatch: Charging account lab\nsbatch: error: QOSMaxCpuPerJobLimit\n"
                                  "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy\n");
  CHECK(refused.message == "QOSMaxCpuPerJobLimit: Job violates accounting/QOS policy");
  CHECK(first_complaint("hello\nsacctmgr: error: Sending PersistInit msg\n") == "Sending PersistInit msg");
  CHECK(first_complaint("\nhello\n") == "hello");
  for (const std::string release : releases) {
    CHECK(first_complaint(recording(release + "/dbddown.qos.err")).find("Connection refused") != std::string::npos);
  }
}

TEST_CASE("a job's accounting rows are its own: not those of another job that had its ID, nor of an earlier start") {
  const auto rows = parse_accounting(
      "7|7|100|110|120|CANCELLED by 0|0:0|n1|x@k3f9x2.1\n"
      "7|7|200|210|220|NODE_FAIL|0:0|n1|x@p3f9x2.1\n"
      "7|7|230|240|250|COMPLETED|0:0|n2|x@p3f9x2.1\n"
      "7|7|300|310|Unknown|RUNNING|0:0|n1|mine\n"
      "8|8_1|300|310|320|FAILED|1:0|n1|x@p3f9x2.1\n");
  const auto cancelled = rows_of(rows, {{7}, "x@k3f9x2.1"});
  REQUIRE(cancelled.size() == 1);
  CHECK(cancelled[0].state == "CANCELLED");
  const auto requeued = rows_of(rows, {{7}, "x@p3f9x2.1"});
  REQUIRE(requeued.size() == 1);
  CHECK(requeued[0].state == "COMPLETED");
  CHECK(requeued[0].restarts == 1);
  CHECK(cancelled[0].restarts == 0);
  CHECK(rows_of(rows, {{7}, "x@none22.1"}).empty());
  CHECK(rows_of(rows, {{8}, "x@p3f9x2.1"}).size() == 1);
}

TEST_CASE("the row of a job's present cluster replaces that of its former one") {
  const std::string left = "7|7|100|None|120|REVOKED|0:0|None assigned|x@p3f9x2.1\n";
  const std::string here = "7|7|100|120|Unknown|RUNNING|0:0|e1|x@p3f9x2.1\n";
  for (const auto& text : {left + here, here + left, left + here + left}) {
    const auto rows = rows_of(parse_accounting(text), {{7}, "x@p3f9x2.1"});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].state == "RUNNING");
    CHECK(rows[0].restarts == 0);
  }
  const auto rows = rows_of(parse_accounting(left), {{7}, "x@p3f9x2.1"});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].state == "REVOKED");
}

TEST_CASE("each element of an array keeps its own row") {
  const auto rows = parse_accounting("7|7_1|100|110|120|COMPLETED|0:0|n1|x\n8|7_2|100|110|120|FAILED|1:0|n1|x\n");
  CHECK(rows_of(rows, {{7}, "x"}).size() == 2);
}

TEST_CASE("only the steps of srun are listed, with their whole names") {
  const auto steps =
      parse_steps("101.0 one@k3f9x2.1\n101.batch batch\n101.extern extern\n102.12 my step\nslurm says hello\n");
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].id == "101.0");
  CHECK(steps[0].job == JobId{101});
  CHECK(steps[0].name == "one@k3f9x2.1");
  CHECK(steps[1].name == "my step");
}

TEST_CASE("scancel about a job that is over, or has another name, is not an error") {
  const auto answer = [](int code, const char* err) {
    return trouble_of_cancel({.exit_code = code, .timed_out = false, .out = "", .err = err, .wall = {}});
  };
  CHECK(answer(0, "").empty());
  CHECK(answer(1, "scancel: error: Kill job error on job id 7: Invalid job id specified\n").empty());
  CHECK(answer(0, "scancel: error: Kill job error on job id 2: Job name bb != filter name aa: Cannot signal job\n")
            .empty());
  CHECK(answer(1, "scancel: error: Kill job error on job id 7: Job/step already completing or completed\n").empty());
  CHECK(answer(1,
               "scancel: error: Kill job error on job id 7: Invalid job id specified\n"
               "scancel: error: slurm_kill_job2() failed Unable to contact slurm controller (connect failure)\n")
            .find("Unable to contact") != std::string::npos);
  CHECK(answer(1, "").find("exit code 1") != std::string::npos);
}
