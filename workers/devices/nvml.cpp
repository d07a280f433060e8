#include "workers/devices/nvml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "workers/devices/dynamic_library.h"

namespace rv::workers {
namespace {

// The part of NVML's binary interface that is used here: names, argument order and numbers are the library's.
using Handle = void*;
using Result = int;
constexpr Result success = 0, insufficient_size = 7;

struct MemoryInfo {
  unsigned long long total, free, used;
};
struct MemoryInfo2 {
  unsigned version = 40 | 2U << 24U;  // nvmlMemory_v2: its size and its version
  unsigned long long total = 0, reserved = 0, free = 0, used = 0;
};
struct ProcessInfo {
  unsigned pid;
  unsigned long long used;
  unsigned gpu_instance, compute_instance;
};
struct Utilization {
  unsigned gpu, memory;
};
struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

struct FieldValue {
  unsigned field, scope;
  long long timestamp, latency;
  int type;
  Result result;
  union {
    double real;
    unsigned number;
    unsigned long long large;
    unsigned short small;
  } value;
};
struct RowRemapperHistogram {
  unsigned max, high, partial, low, none;  // banks
};
struct FabricInfo2 {
  unsigned version = 36 | 2U << 24U;  // nvmlGpuFabricInfo_v2: its size and its number
  unsigned char cluster[16] = {};
  Result status = 0;
  unsigned clique = 0;
  unsigned char state = 0;
  unsigned health_mask = 0;
};
static_assert(sizeof(FieldValue) == 40 && sizeof(FabricInfo2) == 36);

constexpr unsigned field_common_link_speed = 90, field_link_speed = 164, field_recovery_action = 230;
constexpr int type_unsigned = 1, type_unsigned_long = 2, type_unsigned_long_long = 3, type_unsigned_short = 6;
constexpr int ecc_corrected = 0, ecc_uncorrected = 1, counter_volatile = 0, counter_aggregate = 1;
constexpr int clock_sm = 1, clock_memory = 2;
constexpr unsigned long long not_available = ~0ULL;
constexpr unsigned most_links = 18;
constexpr int link_replay = 0, link_recovery = 1, link_crc_flit = 2, link_crc_data = 3;

class LoadedNvml : public Nvml {
 public:
  LoadedNvml() : library_("libnvidia-ml.so.1", "read a GPU's state") {
    Result (*init)() = nullptr;
    library_.find(init, "nvmlInit_v2");
    library_.find_if_there(error_string_, "nvmlErrorString");
    if (const auto status = init(); status != success) {
      throw std::runtime_error(
          fmt::format("NVML does not start: {}", error_string_ != nullptr ? error_string_(status) : "?"));
    }
  }
  ~LoadedNvml() override {
    Result (*shutdown)() = nullptr;
    library_.find_if_there(shutdown, "nvmlShutdown");
    if (shutdown != nullptr) shutdown();
  }
  LoadedNvml(const LoadedNvml&) = delete;
  LoadedNvml& operator=(const LoadedNvml&) = delete;

  std::string driver_version() override { return text("nvmlSystemGetDriverVersion", nullptr); }

  std::vector<GpuReadings> read_all() override {
    unsigned count = 0;
    std::vector<GpuReadings> all;
    if (!call("nvmlDeviceGetCount_v2", &count)) return all;
    for (unsigned i = 0; i < count; ++i) {
      Handle gpu = nullptr;
      if (!call("nvmlDeviceGetHandleByIndex_v2", i, &gpu)) continue;
      all.push_back(read(gpu));
    }
    return all;
  }

  std::vector<GpuReadings> read_slices(const std::string& pci_bus_id) override {
    std::vector<GpuReadings> slices;
    Handle gpu = nullptr;
    unsigned most = 0;
    if (!find(pci_bus_id, gpu) || !call("nvmlDeviceGetMaxMigDeviceCount", gpu, &most)) return slices;
    for (unsigned i = 0; i < most; ++i) {
      Handle slice = nullptr;
      if (!call("nvmlDeviceGetMigDeviceHandleByIndex", gpu, i, &slice)) continue;
      auto& readings = slices.emplace_back();
      readings.uuid = text("nvmlDeviceGetUUID", slice);
      readings.model = text("nvmlDeviceGetName", slice);
      memory(slice, readings);
    }
    return slices;
  }

  GpuReadings read_load(const std::string& name) override {
    GpuReadings readings;
    Handle gpu = nullptr;
    if (find(name, gpu)) load(gpu, readings);
    return readings;
  }

  GpuReadings read_use(const std::string& name) override {
    GpuReadings readings;
    Handle gpu = nullptr;
    if (!find(name, gpu)) return readings;
    load(gpu, readings);
    memory(gpu, readings);
    unsigned value = 0;
    if (call("nvmlDeviceGetClockInfo", gpu, clock_memory, &value)) readings.numbers["clock_memory_mhz"] = value;
    Utilization use{};
    if (call("nvmlDeviceGetUtilizationRates", gpu, &use)) {
      readings.numbers["utilization_gpu_pct"] = use.gpu;
      readings.numbers["utilization_memory_pct"] = use.memory;
    }
    return readings;
  }

  std::optional<std::map<unsigned, std::uint64_t>> read_process_memory(const std::string& name) override {
    Handle gpu = nullptr;
    if (!find(name, gpu)) return std::nullopt;
    std::array<ProcessInfo, 256> infos{};
    const auto count = running_processes(gpu, infos);
    if (!count) return std::nullopt;
    std::map<unsigned, std::uint64_t> bytes;
    for (unsigned i = 0; i < std::min<unsigned>(*count, infos.size()); ++i) {
      if (infos[i].used != not_available) bytes[infos[i].pid] += infos[i].used;
    }
    return bytes;
  }

  std::optional<std::set<unsigned>> read_processes(const std::string& name) override {
    Handle gpu = nullptr;
    if (!find(name, gpu)) return std::nullopt;
    std::array<ProcessInfo, 256> infos{};
    const auto count = running_processes(gpu, infos);
    if (!count) return std::nullopt;
    std::set<unsigned> pids;
    for (unsigned i = 0; i < std::min<unsigned>(*count, infos.size()); ++i) pids.insert(infos[i].pid);
    return pids;
  }

 private:
  /// Calls a function; false if it is missing or fails.
  template <class... Arguments>
  bool call(const char* symbol, Arguments... arguments) {
    Result (*function)(Arguments...) = nullptr;
    library_.find_if_there(function, symbol);
    return function != nullptr && function(arguments...) == success;
  }

  bool find(const std::string& name, Handle& gpu) {
    const bool is_uuid = name.starts_with("GPU-") || name.starts_with("MIG-");
    return call(is_uuid ? "nvmlDeviceGetHandleByUUID" : "nvmlDeviceGetHandleByPciBusId_v2", name.c_str(), &gpu);
  }

  std::string text(const char* symbol, Handle gpu) {
    std::array<char, 128> buffer{};
    const auto size = static_cast<unsigned>(buffer.size());
    const bool known = gpu == nullptr ? call(symbol, buffer.data(), size) : call(symbol, gpu, buffer.data(), size);
    return known ? buffer.data() : "";
  }

  void number(GpuReadings& readings, const char* name, const char* symbol, Handle gpu) {
    unsigned value = 0;
    if (call(symbol, gpu, &value)) readings.numbers[name] = value;
  }

  void two_flags(GpuReadings& readings, const char* first, const char* pending, const char* symbol, Handle gpu) {
    unsigned now = 0, next = 0;
    if (!call(symbol, gpu, &now, &next)) return;
    readings.numbers[first] = now;
    readings.numbers[pending] = now != next ? 1 : 0;
  }

  /// One of the values that NVML numbers (NVML_FI_*), if it is a whole number. `scope` is the number of a link.
  std::optional<std::uint64_t> field(Handle gpu, unsigned id, unsigned scope = 0) {
    FieldValue value{};
    value.field = id;
    value.scope = scope;
    if (!call("nvmlDeviceGetFieldValues", gpu, 1, &value) || value.result != success) return std::nullopt;
    if (value.type == type_unsigned) return value.value.number;
    if (value.type == type_unsigned_short) return value.value.small;
    if (value.type == type_unsigned_long || value.type == type_unsigned_long_long) return value.value.large;
    return std::nullopt;
  }

  void remember_text(GpuReadings& readings, const char* name, const char* symbol, Handle gpu) {
    if (auto value = text(symbol, gpu); !value.empty()) readings.texts[name] = std::move(value);
  }

  void fabric(Handle gpu, GpuReadings& readings) {
    FabricInfo2 info;
    if (!call("nvmlDeviceGetGpuFabricInfoV", gpu, &info)) return;
    readings.numbers["fabric_state"] = info.state;
    readings.numbers["fabric_status"] = static_cast<std::uint64_t>(info.status);
    readings.numbers["fabric_clique"] = info.clique;
    readings.numbers["fabric_health_mask"] = info.health_mask;
    readings.texts["fabric_cluster"] = fmt::format("{:02x}", fmt::join(info.cluster, ""));
  }

  void load(Handle gpu, GpuReadings& readings) {
    unsigned value = 0;
    unsigned long long bits = 0;
    if (call("nvmlDeviceGetClockInfo", gpu, clock_sm, &value)) readings.numbers["clock_sm_mhz"] = value;
    number(readings, "power_mw", "nvmlDeviceGetPowerUsage", gpu);
    if (call("nvmlDeviceGetTemperature", gpu, 0, &value)) readings.numbers["temperature_c"] = value;
    if (call("nvmlDeviceGetCurrentClocksEventReasons", gpu, &bits) ||
        call("nvmlDeviceGetCurrentClocksThrottleReasons", gpu, &bits)) {
      readings.numbers["throttle_bits"] = bits;
    }
  }

  void errors(Handle gpu, GpuReadings& readings) {
    two_flags(readings, "ecc_enabled", "ecc_pending_change", "nvmlDeviceGetEccMode", gpu);
    for (const auto& [name, kind, counter] : {std::tuple{"ecc_corrected_volatile", ecc_corrected, counter_volatile},
                                              {"ecc_uncorrected_volatile", ecc_uncorrected, counter_volatile},
                                              {"ecc_corrected_aggregate", ecc_corrected, counter_aggregate},
                                              {"ecc_uncorrected_aggregate", ecc_uncorrected, counter_aggregate}}) {
      unsigned long long count = 0;
      if (call("nvmlDeviceGetTotalEccErrors", gpu, kind, counter, &count)) readings.numbers[name] = count;
    }
    unsigned corrected = 0, uncorrected = 0, pending = 0, failed = 0;
    if (call("nvmlDeviceGetRemappedRows", gpu, &corrected, &uncorrected, &pending, &failed)) {
      readings.numbers["remapped_rows_corrected"] = corrected;
      readings.numbers["remapped_rows_uncorrected"] = uncorrected;
      readings.numbers["remap_pending"] = pending;
      readings.numbers["remap_failed"] = failed;
    }
    RowRemapperHistogram banks{};
    if (call("nvmlDeviceGetRowRemapperHistogram", gpu, &banks)) {
      readings.numbers["remap_banks_max"] = banks.max;
      readings.numbers["remap_banks_high"] = banks.high;
      readings.numbers["remap_banks_partial"] = banks.partial;
      readings.numbers["remap_banks_low"] = banks.low;
      readings.numbers["remap_banks_none"] = banks.none;
    }
    if (const auto action = field(gpu, field_recovery_action)) readings.numbers["recovery_action"] = *action;
    number(readings, "retirement_pending", "nvmlDeviceGetRetiredPagesPendingStatus", gpu);
    number(readings, "pcie_replays", "nvmlDeviceGetPcieReplayCounter", gpu);
  }

  void links(Handle gpu, GpuReadings& readings) {
    unsigned active = 0, inactive = 0;
    // Since Hopper the driver reports the speed of each link; before, one speed of all (an H100 has only the former).
    std::optional<std::uint64_t> slowest;
    for (unsigned link = 0; link < most_links; ++link) {
      unsigned state = 0;
      if (!call("nvmlDeviceGetNvLinkState", gpu, link, &state)) continue;
      ++(state != 0 ? active : inactive);
      if (state == 0) continue;
      if (const auto speed = field(gpu, field_link_speed, link)) slowest = std::min(slowest.value_or(*speed), *speed);
      for (const auto& [name, counter] : {std::pair{"nvlink_replays", link_replay},
                                          {"nvlink_recoveries", link_recovery},
                                          {"nvlink_crc_errors", link_crc_flit},
                                          {"nvlink_crc_errors", link_crc_data}}) {
        unsigned long long count = 0;
        if (call("nvmlDeviceGetNvLinkErrorCounter", gpu, link, counter, &count)) readings.numbers[name] += count;
      }
    }
    if (active + inactive > 0) {
      readings.numbers["nvlinks_active"] = active;
      readings.numbers["nvlinks_inactive"] = inactive;
    }
    if (!slowest && active > 0) slowest = field(gpu, field_common_link_speed);
    if (slowest) readings.numbers["nvlink_speed_mbps"] = *slowest;
    number(readings, "pcie_generation", "nvmlDeviceGetCurrPcieLinkGeneration", gpu);
    number(readings, "pcie_generation_most", "nvmlDeviceGetMaxPcieLinkGeneration", gpu);
    number(readings, "pcie_width", "nvmlDeviceGetCurrPcieLinkWidth", gpu);
    number(readings, "pcie_width_most", "nvmlDeviceGetMaxPcieLinkWidth", gpu);
  }

  void memory(Handle gpu, GpuReadings& readings) {
    // As in nvidia-smi, memory that the driver reserves is not "used". The older call includes it.
    MemoryInfo2 apart;
    MemoryInfo together{};
    if (call("nvmlDeviceGetMemoryInfo_v2", gpu, &apart)) {
      readings.numbers["memory_used_bytes"] = apart.used;
      readings.numbers["memory_total_bytes"] = apart.total;
    } else if (call("nvmlDeviceGetMemoryInfo", gpu, &together)) {
      readings.numbers["memory_used_bytes"] = together.used;
      readings.numbers["memory_total_bytes"] = together.total;
    }
  }

  /// The number of processes, which may exceed the array; nothing if the driver does not report them.
  std::optional<unsigned> running_processes(Handle gpu, std::array<ProcessInfo, 256>& infos) {
    Result (*processes)(Handle, unsigned*, ProcessInfo*) = nullptr;
    library_.find_if_there(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
    if (processes == nullptr) return std::nullopt;
    auto count = static_cast<unsigned>(infos.size());
    const auto status = processes(gpu, &count, infos.data());
    return status == success || status == insufficient_size ? std::optional(count) : std::nullopt;
  }

  void occupancy(Handle gpu, GpuReadings& readings) {
    memory(gpu, readings);
    std::array<ProcessInfo, 256> infos{};
    if (const auto count = running_processes(gpu, infos)) readings.numbers["compute_processes"] = *count;
  }

  GpuReadings read(Handle gpu) {
    GpuReadings readings;
    readings.uuid = text("nvmlDeviceGetUUID", gpu);
    readings.model = text("nvmlDeviceGetName", gpu);
    PciInfo pci{};
    if (call("nvmlDeviceGetPciInfo_v3", gpu, &pci)) readings.pci_bus_id = pci.bus_id;
    remember_text(readings, "vbios", "nvmlDeviceGetVbiosVersion", gpu);
    remember_text(readings, "inforom", "nvmlDeviceGetInforomImageVersion", gpu);
    remember_text(readings, "serial", "nvmlDeviceGetSerial", gpu);
    errors(gpu, readings);
    links(gpu, readings);
    fabric(gpu, readings);
    load(gpu, readings);
    unsigned value = 0;
    if (call("nvmlDeviceGetMaxClockInfo", gpu, clock_sm, &value)) readings.numbers["clock_sm_most_mhz"] = value;
    if (call("nvmlDeviceGetClockInfo", gpu, clock_memory, &value)) readings.numbers["clock_memory_mhz"] = value;
    number(readings, "power_limit_mw", "nvmlDeviceGetEnforcedPowerLimit", gpu);
    number(readings, "persistence", "nvmlDeviceGetPersistenceMode", gpu);
    two_flags(readings, "mig", "mig_pending_change", "nvmlDeviceGetMigMode", gpu);
    occupancy(gpu, readings);
    return readings;
  }

  DynamicLibrary library_;
  const char* (*error_string_)(Result) = nullptr;
};

}  // namespace

std::unique_ptr<Nvml> Nvml::open(std::string& reason) {
  try {
    return std::make_unique<LoadedNvml>();
  } catch (const std::exception& error) {
    reason = error.what();
    return nullptr;
  }
}

const std::vector<ThrottleReason>& throttle_reasons() {
  static const std::vector<ThrottleReason> reasons = {{0x1, "idle", true},
                                                      {0x2, "applications_clocks", true},
                                                      {0x4, "software_power_cap", true},
                                                      {0x8, "hardware_slowdown", false},
                                                      {0x10, "sync_boost", true},
                                                      {0x20, "software_thermal", false},
                                                      {0x40, "hardware_thermal", false},
                                                      {0x80, "hardware_power_brake", false},
                                                      {0x100, "display_clocks", true}};
  return reasons;
}

}  // namespace rv::workers
