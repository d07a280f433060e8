#include "base/failures/xid.h"

#include <doctest/doctest.h>

#include <string>

#include "base/failures/message.h"

namespace rv::failures {
namespace {

XidAction action_of(int code, const std::string& text = "pid=7, name=python") {
  const auto fault = device_fault_in("NVRM: Xid (PCI:0000:3b:00): " + std::to_string(code) + ", " + text);
  return fault ? fault->action : XidAction::unknown;
}

std::string cause_of(const std::string& line) {
  const auto match = cause_in(line);
  return match ? std::string(text_of(match->cause).name) : "nothing";
}

}  // namespace

TEST_CASE("Xids have the action of NVIDIA's catalogue") {
  for (const int code : {13, 31, 68, 94}) CHECK(action_of(code) == XidAction::restart_app);
  for (const int code : {43, 45, 63, 92, 137, 147, 148}) CHECK(action_of(code) == XidAction::ignore);
  for (const int code : {46, 48, 62, 64, 74, 95, 109, 110, 119, 120, 136, 140, 143, 150, 155, 158, 166, 167, 168}) {
    CHECK(action_of(code) == XidAction::reset_gpu);
  }
  CHECK(action_of(79) == XidAction::reboot);
  CHECK(action_of(54) == XidAction::service);
  CHECK(action_of(999) == XidAction::unknown);
}

TEST_CASE("Xid 154 names the action, the NVLink Xids whether they are fatal") {
  CHECK(action_of(154, "GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)") ==
        XidAction::reset_gpu);
  CHECK(action_of(154, "GPU recovery action changed from 0x1 (GPU Reset Required) to 0x2 (Node Reboot Required)") ==
        XidAction::reboot);
  CHECK(action_of(154, "GPU recovery action changed from 0x0 (None) to 0x2 (OS Reboot)") == XidAction::reboot);
  CHECK(action_of(154, "GPU recovery action changed from 0x2 (Node Reboot Required) to 0x0 (None)") ==
        XidAction::ignore);
  CHECK(action_of(149, "NETIR_LINK_EVT  Fatal   XC0 i0 Link 08 (0x004505c6 0x00000000)") == XidAction::reset_gpu);
  CHECK(action_of(145, "RLW_CTRL        Nonfatal XC0 i0 Link -1 (0x00000062 0x80000000)") == XidAction::ignore);
}

TEST_CASE("an SXid is not an Xid") {
  const std::string corrected =
      "nvidia-nvswitch3: SXid (PCI:0000:c6:00.0): 19049, Non-fatal, Link 18 NCISOC single-bit limit";
  const auto fault = device_fault_in(corrected).value();
  CHECK(fault.nvswitch);
  CHECK(fault.code == 19049);
  CHECK(fault.action == XidAction::ignore);
  CHECK(cause_of(corrected) == "nothing");
  CHECK(cause_of("nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20034, Fatal, Link 30 LTSSM Fault Up") == "gpu_hardware");
  // The number of an Xid that needs a reset, as that of an SXid that does not exist.
  CHECK(cause_of("nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 79, x") == "nothing");
}

TEST_CASE("an Xid blames the node only where the GPU needs a repair") {
  const auto cause = [](int code) { return cause_of("NVRM: Xid (PCI:0000:3b:00): " + std::to_string(code) + ", x"); };
  CHECK(cause(79) == "gpu_hardware");
  CHECK(cause(109) == "gpu_hardware");
  CHECK(cause(68) == "cuda_error");
  CHECK(cause(94) == "gpu_contained");
  CHECK(!text_of(Cause::gpu_contained).blames_node);
  CHECK(cause(63) == "nothing");
  CHECK(cause(92) == "nothing");
}

TEST_CASE("a line cut off within its Xid is passed over") {
  CHECK(!device_fault_in("NVRM: Xid (PCI:0000:3b:00"));
  CHECK(!device_fault_in("NVRM: Xid (PCI:0000:3b:00): "));
  CHECK(!device_fault_in("Xid: none since boot"));
}

}  // namespace rv::failures
