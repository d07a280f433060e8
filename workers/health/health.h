#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"
#include "workers/health/xid.h"
#include "workers/report/report.h"

namespace rv::workers {

/// Judges the readings of one GPU, as one measurement each for ecc, remapped_rows, nvlink, pcie, throttling, clocks,
/// temperature, leftovers and modes. A counter fails if it has grown since `before`. Without `before` only states that
/// are wrong by themselves fail: uncorrected volatile errors, failed remaps, inactive links beside active ones, a slow
/// or narrow PCIe link without power saving, harmful throttling now. A measurement without any readings is a skip with
/// the reason not_available, never a pass. With `expect_empty`, processes or memory in use fail as `leftovers`.
std::vector<Measurement> judge_health(const Device& device, const GpuReadings& now,
                                      const std::optional<GpuReadings>& before, bool expect_empty);

/// Judges the Xids and SXids since the boot, as one measurement of the host. Those for which NVIDIA's catalogue says
/// "ignore" or "restart the application" do not fail (xid_action.h).
Measurement judge_xids(const XidLog& log);

/// Readings as JSON and back, for a later comparison.
nlohmann::ordered_json to_json(const GpuReadings& readings);
GpuReadings readings_from_json(const nlohmann::ordered_json& json);

}  // namespace rv::workers
