#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rv::workers {

/// The NVML readings of one GPU. A missing value could not be read: it is "not available", neither good nor bad.
struct GpuReadings {
  std::string uuid, model, pci_bus_id;
  std::map<std::string, std::uint64_t> numbers;  ///< by their names, listed below
  std::map<std::string, std::string> texts;      ///< vbios, inforom, serial, fabric_cluster (a UUID)

  std::optional<std::uint64_t> operator[](const std::string& name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  }
};

/// Names of readings, with units. Counters only grow:
///   ecc_corrected_volatile, ecc_uncorrected_volatile, ecc_corrected_aggregate, ecc_uncorrected_aggregate,
///   remapped_rows_corrected, remapped_rows_uncorrected, pcie_replays, nvlink_replays, nvlink_recoveries,
///   nvlink_crc_errors
/// Yes or no: ecc_enabled, ecc_pending_change, remap_pending, remap_failed, retirement_pending, persistence, mig,
///   mig_pending_change
/// Now: nvlinks_active, nvlinks_inactive, pcie_generation, pcie_generation_most, pcie_width, pcie_width_most,
///   clock_sm_mhz, clock_sm_most_mhz, clock_memory_mhz, power_mw, power_limit_mw, temperature_c, throttle_bits,
///   memory_used_bytes, memory_total_bytes, utilization_gpu_pct, utilization_memory_pct, compute_processes,
///   nvlink_speed_mbps (of the slowest active link, one way, MB/s)
/// Memory banks by how many spare rows they have left: remap_banks_max, remap_banks_high, remap_banks_partial,
///   remap_banks_low, remap_banks_none
/// Values of NVML's enumerations: recovery_action (nvmlDeviceGpuRecoveryAction_t), fabric_state
/// (NVML_GPU_FABRIC_STATE_*),
///   fabric_status (nvmlReturn_t), fabric_clique, fabric_health_mask (NVML_GPU_FABRIC_HEALTH_MASK_*)

/// NVML, the driver's management library, loaded at run time. Create one object at a time, and call it from one thread
/// at a time.
class Nvml {
 public:
  /// Loads the library; null if there is no driver or it returns an error: `reason` is then a sentence that says why.
  static std::unique_ptr<Nvml> open(std::string& reason);
  virtual ~Nvml() = default;
  virtual std::string driver_version() = 0;
  /// The physical GPUs that this process may see, in the driver's order.
  virtual std::vector<GpuReadings> read_all() = 0;
  /// The MIG slices of a GPU, each with uuid, model, memory_used_bytes and memory_total_bytes.
  virtual std::vector<GpuReadings> read_slices(const std::string& pci_bus_id) = 0;
  // Below, `name` is the bus ID or the UUID of a GPU, or the UUID of a slice.
  /// The four readings that depend on the load: clock_sm_mhz, power_mw, temperature_c, throttle_bits.
  virtual GpuReadings read_load(const std::string& name) = 0;
  /// The four of read_load, and clock_memory_mhz, utilization_gpu_pct, utilization_memory_pct, memory_used_bytes and
  /// memory_total_bytes.
  virtual GpuReadings read_use(const std::string& name) = 0;
  /// Bytes of GPU memory by PID; nothing if the driver does not report them.
  virtual std::optional<std::map<unsigned, std::uint64_t>> read_process_memory(const std::string& name) = 0;
  /// PIDs of the processes with a context on the GPU, including those whose memory the driver does not report.
  virtual std::optional<std::set<unsigned>> read_processes(const std::string& name) = 0;
};

/// A bit of throttle_bits. A benign bit also occurs on a healthy GPU: idle, or at its power limit.
struct ThrottleReason {
  std::uint64_t bit;
  const char* name;
  bool benign;
};
const std::vector<ThrottleReason>& throttle_reasons();

}  // namespace rv::workers
