#include "workers/health/health.h"

#include <doctest/doctest.h>

#include "workers/health/gpu_sampler.h"

using namespace rv;
using namespace rv::workers;

namespace {

GpuReadings healthy() {
  GpuReadings r;
  r.uuid = "GPU-1";
  r.model = "NVIDIA H200";
  r.numbers = {{"ecc_enabled", 1},
               {"ecc_pending_change", 0},
               {"ecc_corrected_volatile", 3},
               {"ecc_uncorrected_volatile", 0},
               {"ecc_corrected_aggregate", 9},
               {"ecc_uncorrected_aggregate", 1},
               {"remapped_rows_corrected", 0},
               {"remapped_rows_uncorrected", 1},
               {"remap_pending", 0},
               {"remap_failed", 0},
               {"remap_banks_max", 640},
               {"remap_banks_none", 0},
               {"recovery_action", 0},
               {"fabric_state", 3},
               {"fabric_status", 0},
               {"fabric_health_mask", 0xaa},
               {"nvlink_speed_mbps", 26562},
               {"nvlinks_active", 18},
               {"nvlinks_inactive", 0},
               {"nvlink_replays", 5},
               {"pcie_generation", 5},
               {"pcie_width", 16},
               {"pcie_width_most", 16},
               {"pcie_replays", 2},
               {"throttle_bits", 0x1},
               {"clock_sm_mhz", 345},
               {"temperature_c", 31},
               {"compute_processes", 0},
               {"memory_used_bytes", 500 << 20},
               {"persistence", 1},
               {"mig", 0},
               {"mig_pending_change", 0}};
  return r;
}

/// The verdict and reason of one finding.
std::pair<Verdict, std::string> verdict_of(const char* name, const GpuReadings& now,
                                           const std::optional<GpuReadings>& before = {}, bool empty = false) {
  for (const auto& m : judge_health({}, now, before, empty)) {
    if (m.name == name) return {m.verdict, m.reason};
  }
  return {Verdict::error, "no such measurement"};
}

LoadSample sample(double seconds, std::uint64_t bits, std::uint64_t clock) {
  LoadSample s;
  s.seconds = seconds;
  s.readings.numbers = {{"throttle_bits", bits}, {"clock_sm_mhz", clock}, {"power_mw", 700000}};
  return s;
}

}  // namespace

TEST_CASE("a healthy GPU passes everything, old counters and idling too") {
  for (const auto& m : judge_health({}, healthy(), healthy(), true)) {
    CHECK_MESSAGE(m.verdict == Verdict::pass, m.name << ": " << m.reason);
  }
}

TEST_CASE("what cannot be read is not available, never a pass") {
  for (const auto& m : judge_health({}, {}, healthy(), true)) {
    CHECK(m.verdict == Verdict::skip);
    CHECK(m.reason == "not_available");
  }
  auto one = healthy();
  one.numbers.erase("ecc_corrected_aggregate");
  const auto ecc = judge_health({}, one, {}, false).front();
  CHECK(ecc.verdict == Verdict::pass);
  CHECK(ecc.params["ecc_corrected_aggregate"] == "not available");
}

TEST_CASE("each single finding fails") {
  const auto with = [](const char* reading, std::uint64_t value) {
    auto readings = healthy();
    readings.numbers[reading] = value;
    return readings;
  };
  CHECK(verdict_of("ecc", with("ecc_uncorrected_volatile", 2)).first == Verdict::fail);
  CHECK(verdict_of("remapped_rows", with("retirement_pending", 1)).first == Verdict::fail);
  CHECK(verdict_of("remapped_rows", with("remap_failed", 1)).first == Verdict::fail);
  CHECK(verdict_of("remapped_rows", with("remap_banks_none", 1)).second ==
        "1 memory bank has no spare row left: replace the GPU");
  CHECK(verdict_of("recovery_action", with("recovery_action", 1)).second == "the driver asks to reset the GPU");
  CHECK(verdict_of("recovery_action", with("recovery_action", 9)).first == Verdict::fail);
  CHECK(verdict_of("nvlink", with("nvlinks_inactive", 2)).second == "2 NVLinks are down");
  CHECK(verdict_of("nvlink", with("nvlink_speed_mbps", 13281)).second ==
        "NVLinks at 13281 MB/s, but this model has 26562 MB/s");
  CHECK(verdict_of("fabric", with("fabric_state", 2)).first == Verdict::fail);
  CHECK(verdict_of("pcie", with("pcie_width", 8)).second == "x8, but x16 is possible");
  CHECK(verdict_of("throttling", with("throttle_bits", 0x44)).second == "hardware_thermal");
  CHECK(verdict_of("throttling", with("throttle_bits", 0x5)).first == Verdict::pass);
  CHECK(verdict_of("temperature", with("temperature_c", 90)).second == "90 °C");
  CHECK(verdict_of("modes", with("mig_pending_change", 1)).first == Verdict::fail);
  CHECK(verdict_of("leftovers", with("compute_processes", 1)).first == Verdict::pass);
  CHECK(verdict_of("leftovers", with("compute_processes", 1), {}, true).second == "processes on the GPU: 1");
  CHECK(verdict_of("leftovers", with("memory_used_bytes", std::uint64_t{5} << 30), {}, true).first == Verdict::fail);
}

TEST_CASE("a remapped row that waits for a reset is a warning: work may continue") {
  auto readings = healthy();
  readings.numbers["remap_pending"] = 1;
  const auto all = judge_health({}, readings, {}, false);
  const auto rows = std::find_if(all.begin(), all.end(), [](const auto& m) { return m.name == "remapped_rows"; });
  REQUIRE(rows != all.end());
  CHECK(rows->verdict == Verdict::pass);
  CHECK(rows->params["warning"] == "a row is remapped at the next reset of the GPU");

  readings.numbers["remap_banks_low"] = 3;
  const auto both = judge_health({}, readings, {}, false);
  const auto two = std::find_if(both.begin(), both.end(), [](const auto& m) { return m.name == "remapped_rows"; });
  REQUIRE(two != both.end());
  CHECK(two->verdict == Verdict::pass);
  CHECK(two->params["warning"] ==
        "3 memory banks have few spare rows left; a row is remapped at the next reset of the GPU");
}

TEST_CASE("counters are judged by what they grew, and a restart is not growth") {
  auto later = healthy();
  later.numbers["nvlink_replays"] = 8;
  CHECK(verdict_of("nvlink", later).first == Verdict::pass);
  CHECK(verdict_of("nvlink", later, healthy()).second == "3 replays more than before");
  later.numbers["nvlink_replays"] = 0;
  CHECK(verdict_of("nvlink", later, healthy()).first == Verdict::pass);
}

TEST_CASE("readings survive the way through JSON") {
  auto readings = healthy();
  readings.texts["vbios"] = "96.00.BC.00.01";
  const auto back = readings_from_json(to_json(readings));
  CHECK(back.uuid == "GPU-1");
  CHECK(back.texts == readings.texts);
  CHECK(back.numbers == healthy().numbers);
}

TEST_CASE("throttling counts in seconds, by bit, and the benign ones do not fail") {
  const std::vector<LoadSample> samples = {sample(1, 0x4, 1500), sample(1, 0x44, 1400), sample(2, 0x20, 1300)};
  const auto json = summarize_load(samples);
  CHECK(json["throttled_seconds"] ==
        nlohmann::ordered_json{{"software_power_cap", 2.0}, {"software_thermal", 2.0}, {"hardware_thermal", 1.0}});
  CHECK(json["clock_sm_mhz"]["median"] == 1400);
  CHECK(json["power_w"]["most"] == 700);
  CHECK(json["temperature_c"].is_null());
  CHECK(harmful_throttling(samples) == "the GPU was throttled for 2.0 of 4.0 s: software_thermal");
  CHECK(harmful_throttling({sample(1, 0x5, 1500)}) == "");
  CHECK(summarize_load({})["throttled_seconds"].is_null());
}

TEST_CASE("XIDs are read from the kernel's log, the application's own do not fail") {
  const auto xids = parse_xids(
      "6,1,2,-;NVRM: Xid (PCI:0000:4e:00): 79, pid=123, GPU has fallen off the bus.\n4,2,3,-;usb 1-1: new device\n"
      "6,3,4,-;NVRM: Xid (PCI:0000:4f:00): 31, pid=9, name=x\n6,3,4,-;NVRM: Xid (PCI:broken\n");
  REQUIRE(xids.size() == 2);
  CHECK(xids[0].code == 79);
  CHECK(xids[0].pci_bus_id == "0000:4e:00");
  CHECK(judge_xids({true, "", xids}).reason == "XID 79 on 0000:4e:00: GPU has fallen off the bus; restart the node");
  CHECK(judge_xids({true, "", {xids[1]}}).verdict == Verdict::pass);
  CHECK(judge_xids({false, "/dev/kmsg: denied", {}}).reason == "not_available");
}

TEST_CASE("XIDs fail by the action of NVIDIA's catalogue, SXIDs of an NVSwitch too") {
  const auto verdict = [](const std::string& line) {
    const auto xids = parse_xids(line);
    REQUIRE(xids.size() == 1);
    return judge_xids({true, "", xids});
  };
  for (const auto* const code : {"13", "31", "43", "45", "63", "68", "92", "94"}) {
    CAPTURE(code);
    CHECK(verdict("NVRM: Xid (PCI:0000:4f:00): " + std::string(code) + ", x").verdict == Verdict::pass);
  }
  for (const auto* const code : {"48", "54", "64", "74", "79", "95", "109", "119", "136", "143", "999"}) {
    CAPTURE(code);
    CHECK(verdict("NVRM: Xid (PCI:0000:4f:00): " + std::string(code) + ", x").verdict == Verdict::fail);
  }
  CHECK(verdict("NVRM: Xid (PCI:0:4f:0): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)")
            .verdict == Verdict::fail);
  CHECK(verdict("NVRM: Xid (PCI:0:4f:0): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)")
            .verdict == Verdict::pass);
  CHECK(verdict("nvidia-nvswitch3: SXid (PCI:0000:c6:00.0): 19049, Non-fatal, Link 18").verdict == Verdict::pass);
  CHECK(verdict("nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20034, Fatal, Link 30").reason ==
        "SXID 20034 on 0000:c3:00.0: a link went down (LTSSM fault); reset the GPU");
}
