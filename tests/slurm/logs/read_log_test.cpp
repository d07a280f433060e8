#include "slurm/logs/read_log.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace rv;
using namespace rv::slurm;
using rv::planner::JobLog;
using std::chrono::seconds;

namespace {

JobLog read(std::string_view text) {
  return read_log(text, "jobs.txt");
}

std::string refusal(std::string_view text) {
  try {
    read(text);
  } catch (const Error& fault) {
    CHECK(!fault.advice().empty());
    CHECK(fault.code() == ExitCode::usage);
    return fault.what();
  }
  return "none";
}

std::size_t flaws(const JobLog& log, const std::string& what) {
  const auto found = log.flaws.find(what);
  return found == log.flaws.end() ? 0 : found->second;
}

std::int64_t at(planner::TimePoint moment) {
  return moment.time_since_epoch().count();
}

constexpr const char* sacct =
    "JobIDRaw|User|Account|Partition|State|Submit|Eligible|Start|End|Timelimit|NNodes|AllocTRES|JobName\n"
    "1|ann|lab|gpu|COMPLETED|1700000000|1700000000|1700000060|1700003660|02:00:00|2|cpu=8,gres/"
    "gpu:a100=8,node=2|train\n"
    "1.batch|||||1700000000|1700000000|1700000060|1700003660||1|cpu=8|batch\n"
    "2|bob|lab|gpu|CANCELLED by 5|1700000100|1700000100|Unknown|1700000200|1-00:00:00|1||x\n"
    "3|bob|lab|gpu|RUNNING|1700000200|1700000900|1700001000|Unknown|UNLIMITED|1|gres/gpu=1,node=1|y|with|bars\n"
    "4|bob|lab|cpu|COMPLETED|1700000300|1700000300|1700000300|1700000400|01:00|1|cpu=8,node=1|no gpus\n";

}  // namespace

TEST_CASE("a table of sacct is read by the names of its columns, and what has no job is counted") {
  const JobLog log = read(sacct);
  CHECK(log.format == "sacct");
  CHECK(log.rows == 5);
  CHECK(log.has_gpus);
  CHECK(log.has_limits);
  REQUIRE(log.jobs.size() == 2);
  const auto& first = log.jobs[0];
  CHECK(first.user == planner::DatabaseName("ann"));
  CHECK(at(first.submitted) == 1700000000);
  CHECK(at(first.start) == 1700000060);
  CHECK(first.limit == seconds(7200));
  CHECK(first.gpus == 8);
  CHECK(first.nodes == 2);
  CHECK(first.gpu_type == "a100");
  CHECK(flaws(log, "steps of jobs") == 1);
  CHECK(flaws(log, "jobs that never started, or wait") == 1);
  CHECK(flaws(log, "jobs without GPUs") == 1);
  CHECK(flaws(log, "jobs that still run") == 1);
}

TEST_CASE("the wait of a held job begins when it is eligible") {
  const JobLog log = read(sacct);
  CHECK(at(log.jobs[1].submitted) == 1700000900);
  CHECK(flaws(log, "jobs counted from the time that they were eligible") == 1);
}

TEST_CASE("a job that still runs ends after all that the log knows") {
  const JobLog log = read(sacct);
  CHECK(at(log.jobs[1].end) == 1700003661);
}

TEST_CASE("SWF is read with its comments, and with other separators") {
  const JobLog log = read(
      "; UnixStartTime: 1700000000\n; MaxNodes: 128\n"
      "1 0 10 100 4 -1 -1 4 3600 -1 1 7 3 -1 2 -1 -1 -1\n"
      "2;50.0;-1;100;4;-1;-1;4;3600;-1;1;7;3;-1;2;-1;-1;-1\n"
      "3;60.0;5.0;100.0;4;-1.0;-1.0;8;-1;-1;1;7;3;-1;2;-1;-1;-1\n"
      "4 70 5 0 4 -1 -1 8 60 -1 5 7 3 -1 2 -1 -1 -1\n");
  CHECK(log.format == "SWF");
  CHECK(log.nodes == 128);
  CHECK(!log.has_gpus);
  REQUIRE(log.jobs.size() == 2);
  CHECK(at(log.jobs[0].submitted) == 1700000000);
  CHECK(at(log.jobs[0].start) == 1700000010);
  CHECK(at(log.jobs[0].end) == 1700000110);
  CHECK(log.jobs[0].partition == "2");
  CHECK(log.jobs[0].limit == seconds(3600));
  CHECK(log.jobs[1].nodes == 8);
  CHECK(log.jobs[1].limit == seconds(0));
  CHECK(flaws(log, "jobs that never started, or wait") == 2);
}

TEST_CASE("processors become whole nodes where the header states both") {
  const JobLog log = read("; MaxNodes: 10\n; MaxProcs: 40\n1 5 10 100 6 -1 -1 6 3600 -1 1 7 3 -1 2 -1 -1 -1\n");
  CHECK(log.jobs.at(0).nodes == 2);
}

TEST_CASE("CSV takes dates, quotes, spans of time, and waits instead of starts") {
  const JobLog log = read(
      "Submit Time,wait,Run_Time,limit_hours,GPUs,user,queue\r\n"
      "2024-08-15T10:00:00Z,60,100,2,4,\"a, b\",gpu\r\n"
      "1723716000000,0:10:00,100,2 fortnights,4,c,gpu\r\n");
  CHECK(log.format == "CSV");
  REQUIRE(log.jobs.size() == 2);
  CHECK(log.jobs[0].start - log.jobs[0].submitted == seconds(60));
  CHECK(log.jobs[0].limit == seconds(7200));
  CHECK(log.jobs[0].user == planner::DatabaseName("a, b"));
  CHECK(at(log.jobs[1].submitted) == 1723716000);
  CHECK(log.jobs[1].start - log.jobs[1].submitted == seconds(600));
  CHECK(flaws(log, "limits in an unknown unit, ignored") == 1);
}

TEST_CASE("times that can't be are counted by what is wrong with them") {
  const JobLog log = read(
      "submit,start,end,nodes,limit\n"
      "1700000000,1700000100,1700000200,1,50000000000\n"
      "1700000500,1700000400,1700000600,1,100\n"
      "1700000500,1700000600,1700000550,1,100\n"
      "1700000400,1700000600,1700009000,1,60\n"
      "soon,1700000600,1700000700,1,100\n"
      "1700000500,1700000600,1700000700,0,100\n"
      "1700000500,1700000600,1700000700,-9999999999999999999,100\n"
      "1700000500,1700000600\n"
      "1700400000,1700400000,1700400000,1,100\n"
      "1700300000,1700300000,1999999999,1,100\n");
  CHECK(log.jobs.size() == 3);
  CHECK(flaws(log, "jobs that start before their submission") == 1);
  CHECK(flaws(log, "jobs that end before their start") == 1);
  CHECK(flaws(log, "rows without a submission time") == 1);
  CHECK(flaws(log, "rows with an impossible number of nodes") == 1);
  CHECK(flaws(log, "rows without a number of nodes") == 1);
  CHECK(flaws(log, "rows with too few columns") == 1);
  CHECK(flaws(log, "jobs longer than a year") == 1);
  CHECK(flaws(log, "gaps of over a day without a submission") == 1);
  CHECK(flaws(log, "jobs that ran longer than their limit") == 1);
}

TEST_CASE("a clock that was set back is counted, and the jobs are sorted") {
  const JobLog log =
      read("submit,start,end,nodes\n1700000900,1700000900,1700000910,1\n1700000100,1700000100,1700000110,1\n");
  CHECK(flaws(log, "rows out of order of submission, or the clock was set back") == 1);
  CHECK(log.jobs[0].submitted < log.jobs[1].submitted);
}

TEST_CASE("rv's own format of sacct needs no header") {
  const JobLog log = read(
      "77|ann|lab|gpu|normal|COMPLETED|1700000000|1700000000|1700000060|1700004660|3-00:00:00|gres/gpu=4,node=2|a|b\n");
  CHECK(log.jobs.at(0).gpus == 4);
  CHECK(log.jobs[0].name_key != 0);
}

TEST_CASE("a file that is not a log is refused with a way out") {
  CHECK(refusal("") == "--from \"jobs.txt\": the file is empty");
  CHECK(refusal(" \n\r\n") == "--from \"jobs.txt\": the file is empty");
  CHECK(refusal(std::string_view("ab\0c", 4)) == "--from \"jobs.txt\": the file is not text");
  CHECK(refusal("\x1f\x8b\x08 and more") == "--from \"jobs.txt\": the file is compressed");
  CHECK(refusal("; only a comment\n") == "--from \"jobs.txt\": the file has only comments");
  CHECK(refusal("submit,start,end\n1,2,3\n").starts_with("--from \"jobs.txt\": no column for the size"));
  CHECK(refusal("submit,nodes\n1,2\n").starts_with("--from \"jobs.txt\": no column for the start"));
  CHECK(refusal("start,end,nodes\n1,2,3\n").starts_with("--from \"jobs.txt\": no column for the submission"));
  CHECK(refusal("submit,start,end,nodes\n") == "--from \"jobs.txt\": no row has a job that started (0 rows)");
  CHECK(refusal("submit,start,end,nodes\nx,1,2,3\n") ==
        "--from \"jobs.txt\": no row has a job that started (1 row; 1 rows without a submission time)");
}
