#include "monitor/diagnosis/recorded_end.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

TEST_CASE("without a record the exit code is -1, and the view's overrides the ledger's") {
  RunEvidence evidence;
  CHECK(exit_code_in(evidence) == -1);
  evidence.facts.exit = ExitRecord{};
  evidence.facts.exit->code = 7;
  CHECK(exit_code_in(evidence) == 7);
  evidence.view.exit_code = 0;
  CHECK(exit_code_in(evidence) == 0);
}

TEST_CASE("the controller's record of the signal comes before accounting's") {
  RunEvidence evidence;
  CHECK(batch_signal_in(evidence) == 0);
  evidence.accounting.emplace().exit_signal = 9;
  CHECK(batch_signal_in(evidence) == 9);
  evidence.record.emplace().exit_signal = 53;
  CHECK(batch_signal_in(evidence) == 53);
}

TEST_CASE("a command that ended by itself was not preempted, whatever Slurm recorded") {
  RunEvidence evidence;
  evidence.record.emplace().preempted = true;
  CHECK(was_preempted(evidence));  // no exit code on record
  evidence.view.exit_code = 1;
  CHECK_FALSE(was_preempted(evidence));
  evidence.view.exit_code = 143;
  CHECK(was_preempted(evidence));
  evidence.record.reset();
  CHECK_FALSE(was_preempted(evidence));
  evidence.accounting.emplace().state = "PREEMPTED";
  CHECK(was_preempted(evidence));
  CHECK(slurm_recorded(evidence, Ending::preempted));
  CHECK_FALSE(slurm_recorded(evidence, Ending::timeout));
}

TEST_CASE("a signal without a name of its own is named by its number") {
  CHECK(signal_name(9) == "SIGKILL");
  CHECK(signal_name(63) == "signal 63");
}
