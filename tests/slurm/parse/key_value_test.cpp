#include "slurm/parse/key_value.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "slurm/parse/record_keys.h"
#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;

TEST_CASE("key=value lines keep blanks in values, and a key that was there before is text") {
  const KeyValues values(
      "NodeName=n1 Gres=(null) OS=Linux 6.1 #1 SMP State=IDLE Partitions=gpu Reason=bad fan State=DOWN [root@x]");
  CHECK(values["OS"] == "Linux 6.1 #1 SMP");
  CHECK(values["State"] == "IDLE");
  CHECK(values["Reason"] == "bad fan State=DOWN [root@x]");
  CHECK(values["Nothing"].empty());
}

TEST_CASE("a word before an equals sign in a text is not a key, nor is a key that Slurm prints later") {
  const KeyValues values(
      "NodeName=n1 State=IDLE+DRAIN Reason=Kill task failed, a=b | x Comment=y Extra=1 [root@1795740746] Comment=why "
      "not");
  CHECK(values["Reason"] == "Kill task failed, a=b | x Comment=y Extra=1 [root@1795740746]");
  CHECK(values["Comment"] == "why not");
}

TEST_CASE("a job's texts and paths are whole") {
  const KeyValues values(
      "JobId=7 JobName=sweep lr=0.1 JobState=FAILED UserId=root(0) UserId=ann(1001) GroupId=lab(7) MCS_label=N/A "
      "Priority=1 JobState=RUNNING Reason=None Features=a=1&b ExitCode=0:0 StartTime=5 Command=/home/ann/my job=1/t.sh "
      "WorkDir=/home/ann/a dir StdOut=/x/lr=0.1 Comment=x ExitCode=9:0 y=z StdErr=/home/ann/err 1 StdIn=/dev/null "
      "StdOut=/home/ann/out of job");
  CHECK(values["JobName"] == "sweep lr=0.1 JobState=FAILED UserId=root(0)");
  CHECK(values["UserId"] == "ann(1001)");
  CHECK(values["JobState"] == "RUNNING");
  CHECK(values["ExitCode"] == "0:0");
  CHECK(values["Command"] == "/home/ann/my job=1/t.sh");
  CHECK(values["WorkDir"] == "/home/ann/a dir StdOut=/x/lr=0.1");
  CHECK(values["Comment"] == "x ExitCode=9:0 y=z");
  CHECK(values["StdErr"] == "/home/ann/err 1");
  CHECK(values["StdOut"] == "/home/ann/out of job");
}

TEST_CASE("keys that a later release adds, or prints in another order, are found behind a word") {
  const KeyValues values("PartitionName=gpu State=UP NewKey=1 TotalCPUs=8 Other=x TotalNodes=2");
  CHECK(values["State"] == "UP");
  CHECK(values["TotalCPUs"] == "8");
  CHECK(values["TotalNodes"] == "2");
  CHECK(values["NewKey"] == "1");
  CHECK(KeyValues("PartitionName=gpu State=UP GraceTime=90 TotalNodes=2")["GraceTime"] == "90");
}

TEST_CASE("records are cut at the next one, not at a newline in a value") {
  std::string_view text = "warning\nJobId=1 JobName=a\nb c=d UserId=ann(1)\nJobId=2 JobName=e UserId=bob(2)\n";
  const KeyValues first(next_record(text, "JobId="));
  CHECK(first["JobName"] == "a\nb c=d");
  CHECK(first["UserId"] == "ann(1)");
  CHECK(KeyValues(next_record(text, "JobId="))["JobName"] == "e");
  CHECK(next_record(text, "JobId=").empty());
}

TEST_CASE("Slurm's order of keys is the one of every release") {
  for (const std::string release : releases) {
    for (const char* file : {"/node.epoch.out", "/partition.epoch.out", "/reservation.epoch.out", "/job.one.ok.out"}) {
      CAPTURE(release + file);
      const std::string text = recording(release + file);
      std::string_view rest = text;
      const auto record = next_record(rest, std::string_view(text).substr(0, text.find('=') + 1));
      std::size_t last = 0;
      for (const auto& key : record_keys(record)) {
        const auto at = (" " + std::string(record)).find(" " + std::string(key.name) + "=");
        if (at == std::string::npos) continue;
        CAPTURE(key.name);
        CHECK(at >= last);
        last = at;
      }
      CHECK(last > 0);
    }
  }
}
