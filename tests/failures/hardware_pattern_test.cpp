#include "base/failures/hardware_pattern.h"

#include <doctest/doctest.h>

#include <regex>
#include <string>

namespace rv::failures {
namespace {

bool matches(const std::string& line) {
  static const std::regex pattern(hardware_pattern(), std::regex::extended);
  return std::regex_search(line, pattern);
}

}  // namespace

TEST_CASE("the pattern for scripts matches what needs a repair of the node") {
  CHECK(matches("NVRM: Xid (PCI:0000:17:00): 79, GPU has fallen off the bus."));
  CHECK(matches("[ 12.3] NVRM: Xid (PCI:0000:17:00): 48, pid=7, Double Bit ECC Error"));
  CHECK(matches("Xid (PCI:0000:3b:00): 95, Uncontained error"));
  CHECK(matches(
      "NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)"));
  CHECK(matches("RuntimeError: CUDA error: uncorrectable ECC error encountered"));
}

TEST_CASE("the pattern for scripts does not match what a program causes or survives") {
  CHECK_FALSE(matches("NVRM: Xid (PCI:0000:17:00): 13, Graphics Exception"));
  CHECK_FALSE(matches("NVRM: Xid (PCI:0000:17:00): 31, pid=7, MMU Fault"));
  CHECK_FALSE(matches("NVRM: Xid (PCI:0000:17:00): 63, Row remapper: New row marked for remapping"));
  CHECK_FALSE(matches("NVRM: Xid (PCI:0000:17:00): 94, Contained ECC error"));
  CHECK_FALSE(matches("NVRM: Xid (PCI:0000:17:00): 790, none"));
  CHECK_FALSE(matches(
      "NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x2 (Node Reboot Required) to 0x0 (None)"));
  CHECK_FALSE(matches("epoch 79 of 100"));
}

}  // namespace rv::failures
