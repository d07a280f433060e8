#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"
#include "workers/health/xid.h"
#include "workers/report/report.h"

namespace rv::workers {

/// What one GPU's readings say, a measurement each: ecc, remapped_rows, nvlink, pcie, throttling, clocks, temperature,
/// leftovers, modes. Counters fail by what they grew since `before`; without it only what is wrong by itself fails
/// (uncorrected volatile errors, failed remaps, inactive links beside active ones, a slow or narrow PCIe
/// link under no power saving, harmful throttling now). A measurement of which nothing could be read is a skip with
/// the reason not_available, never a pass. `leftovers` is asked when nothing should run: processes or memory in use
/// then fail.
std::vector<Measurement> judge_health(const Device& device, const GpuReadings& now,
                                      const std::optional<GpuReadings>& before, bool expect_empty);

/// XIDs and SXIDs since the boot: one measurement for the host. Those that NVIDIA's catalogue tells to ignore, or to
/// restart the application for, do not fail (xid_action.h).
Measurement judge_xids(const XidLog& log);

/// Readings as JSON and back, for a later comparison.
nlohmann::ordered_json to_json(const GpuReadings& readings);
GpuReadings readings_from_json(const nlohmann::ordered_json& json);

}  // namespace rv::workers
