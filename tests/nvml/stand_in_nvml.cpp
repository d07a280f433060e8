// The part of NVML that rv's workers call, for $STAND_IN_GPUS GPUs of 80 GiB (one where $STAND_IN_GPU is there).
// $STAND_IN_GPU is a file with what each of them reads: percent busy, percent of the memory's time, MiB used, °C, W,
// MHz of SM and memory, throttle bits. While there is no such file the driver is gone; without the variable it reports
// 500 MiB used and nothing else. $STAND_IN_PROCESSES is a file with a line "GPU PID MIB" for each process on one; for a
// MIB of - the driver reports no value. With $STAND_IN_MIG the first GPU is in MIG mode, with two slices of 10 GiB.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr int success = 0, not_supported = 3, not_found = 6, gone = 15;
constexpr int most = 16, slices = 2;

struct Readings {
  unsigned busy, memory_busy, used_mib, celsius, watts, sm_mhz, memory_mhz, bits;
};

/// A GPU's number; a slice's is `most` and its own.
struct Stand {
  int number = 0;
};

Stand* stand(int number) {
  static Stand all[most + slices];
  all[number].number = number;
  return &all[number];
}

int gpus() {
  const char* const count = std::getenv("STAND_IN_GPUS");
  if (count != nullptr) return std::atoi(count);
  return std::getenv("STAND_IN_GPU") == nullptr ? 0 : 1;
}

bool has_slices() {
  return std::getenv("STAND_IN_MIG") != nullptr;
}

int number_of(void* gpu) {
  return static_cast<Stand*>(gpu)->number;
}

std::string uuid_of(int number) {
  return number < most ? "GPU-stand-in-" + std::to_string(number) : "MIG-stand-in-" + std::to_string(number - most);
}

int say(char* text, unsigned size, const std::string& words) {
  std::snprintf(text, size, "%s", words.c_str());
  return success;
}

int read(Readings& now) {
  const char* const path = std::getenv("STAND_IN_GPU");
  if (path == nullptr) return not_supported;
  std::FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return gone;
  const int fields = std::fscanf(file, "%u %u %u %u %u %u %u %u", &now.busy, &now.memory_busy, &now.used_mib,
                                 &now.celsius, &now.watts, &now.sm_mhz, &now.memory_mhz, &now.bits);
  std::fclose(file);
  return fields == 8 ? success : gone;
}

int one(unsigned* value, unsigned Readings::*field) {
  Readings now{};
  const int status = read(now);
  *value = now.*field;
  return status;
}

struct Process {
  unsigned pid;
  unsigned long long used;
  unsigned gpu_instance, compute_instance;
};

struct Pci {
  char legacy[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

// What the driver keeps for itself is apart, as of release 510 of the real one.
struct Memory2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};

}  // namespace

extern "C" {
int nvmlInit_v2() {
  return success;
}
int nvmlShutdown() {
  return success;
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return say(text, size, "0.0");
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(gpus());
  return success;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** gpu) {
  *gpu = stand(static_cast<int>(index));
  return success;
}
int nvmlDeviceGetHandleByUUID(const char* uuid, void** gpu) {
  for (int i = 0; i < most + slices; ++i) {
    if (uuid_of(i) != uuid) continue;
    *gpu = stand(i);
    return success;
  }
  return not_found;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** gpu) {
  *gpu = stand(std::atoi(bus));
  return success;
}
int nvmlDeviceGetUUID(void* gpu, char* text, unsigned size) {
  return say(text, size, uuid_of(number_of(gpu)));
}
int nvmlDeviceGetName(void* gpu, char* text, unsigned size) {
  return say(text, size, number_of(gpu) < most ? "Stand-in 80GB" : "Stand-in 80GB MIG 1g.10gb");
}
int nvmlDeviceGetPciInfo_v3(void* gpu, Pci* pci) {
  return say(pci->bus_id, sizeof pci->bus_id, std::to_string(number_of(gpu)));
}
int nvmlDeviceGetMemoryInfo_v2(void* gpu, Memory2* info) {
  if (info->version != (sizeof(Memory2) | 2U << 24U)) return 25;  // NVML_ERROR_ARGUMENT_VERSION_MISMATCH
  unsigned used = 0;
  const int status = one(&used, &Readings::used_mib);
  if (status == not_supported) used = 500;
  info->total = (number_of(gpu) < most ? 80ULL : 10ULL) << 30U;
  info->reserved = 600ULL << 20U;
  info->used = static_cast<unsigned long long>(used) << 20U;
  info->free = info->total - info->reserved - info->used;
  return status == not_supported ? success : status;
}
int nvmlDeviceGetMemoryInfo(void* gpu, unsigned long long* info) {
  Memory2 apart{sizeof(Memory2) | 2U << 24U, 0, 0, 0, 0};
  const int status = nvmlDeviceGetMemoryInfo_v2(gpu, &apart);
  info[0] = apart.total;
  info[1] = apart.free;
  info[2] = apart.used + apart.reserved;
  return status;
}
int nvmlDeviceGetUtilizationRates(void*, unsigned* rates) {
  one(rates + 1, &Readings::memory_busy);
  return one(rates, &Readings::busy);
}
int nvmlDeviceGetTemperature(void*, int, unsigned* value) {
  return one(value, &Readings::celsius);
}
int nvmlDeviceGetPowerUsage(void*, unsigned* value) {
  const int status = one(value, &Readings::watts);
  *value *= 1000;
  return status;
}
int nvmlDeviceGetClockInfo(void*, int which, unsigned* value) {
  return one(value, which == 1 ? &Readings::sm_mhz : &Readings::memory_mhz);
}
int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* bits) {
  unsigned value = 0;
  const int status = one(&value, &Readings::bits);
  *bits = value;
  return status;
}
int nvmlDeviceGetMigMode(void* gpu, unsigned* now, unsigned* next) {
  *now = *next = has_slices() && number_of(gpu) == 0 ? 1 : 0;
  return success;
}
int nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* count) {
  *count = 7;
  return success;
}
int nvmlDeviceGetMigDeviceHandleByIndex(void*, unsigned index, void** slice) {
  if (index >= slices) return not_found;
  *slice = stand(most + static_cast<int>(index));
  return success;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* gpu, unsigned* count, Process* processes) {
  const unsigned room = *count;
  *count = 0;
  const char* const path = std::getenv("STAND_IN_PROCESSES");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "re");
  if (file == nullptr) return success;
  int number = 0;
  unsigned pid = 0;
  char mib[16];
  while (*count < room && std::fscanf(file, "%d %u %15s", &number, &pid, mib) == 3) {
    const auto used = std::strcmp(mib, "-") == 0 ? ~0ULL : std::strtoull(mib, nullptr, 10) << 20U;
    if (number == number_of(gpu)) processes[(*count)++] = {pid, used, 0, 0};
  }
  std::fclose(file);
  return success;
}
}
