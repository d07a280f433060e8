// The part of NVML that rv-sample calls, for one GPU whose readings are the numbers in the file $STAND_IN_GPU: percent
// busy, percent of the memory's time, MiB used, °C, W, MHz of SM and memory, throttle bits. Without the file the driver
// is gone.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Readings {
  unsigned busy, memory_busy, used_mib, celsius, watts, sm_mhz, memory_mhz, bits;
};

constexpr int success = 0, gone = 15;

int read(Readings& now) {
  const char* const path = std::getenv("STAND_IN_GPU");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "re");
  if (file == nullptr) return gone;
  const int fields = std::fscanf(file, "%u %u %u %u %u %u %u %u", &now.busy, &now.memory_busy, &now.used_mib,
                                 &now.celsius, &now.watts, &now.sm_mhz, &now.memory_mhz, &now.bits);
  std::fclose(file);
  return fields == 8 ? success : gone;
}

int say(char* text, unsigned size, const char* words) {
  std::snprintf(text, size, "%s", words);
  return success;
}

int one(void* gpu, unsigned* value, unsigned Readings::*field) {
  Readings now{};
  const int status = gpu == nullptr ? gone : read(now);
  *value = now.*field;
  return status;
}

int the_gpu = 0;

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
  *count = 1;
  return success;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned, void** gpu) {
  *gpu = &the_gpu;
  return success;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** gpu) {
  *gpu = &the_gpu;
  return success;
}
int nvmlDeviceGetUUID(void*, char* text, unsigned size) {
  return say(text, size, "GPU-stand-in");
}
int nvmlDeviceGetName(void*, char* text, unsigned size) {
  return say(text, size, "Stand-in 80GB");
}
// What the driver keeps for itself is apart, as of release 510 of the real one.
struct Memory2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
int nvmlDeviceGetMemoryInfo_v2(void* gpu, Memory2* info) {
  if (info->version != (sizeof(Memory2) | 2U << 24U)) return 25;  // NVML_ERROR_ARGUMENT_VERSION_MISMATCH
  unsigned used = 0;
  const int status = one(gpu, &used, &Readings::used_mib);
  info->total = 80ULL << 30U;
  info->reserved = 600ULL << 20U;
  info->used = static_cast<unsigned long long>(used) << 20U;
  info->free = info->total - info->reserved - info->used;
  return status;
}
int nvmlDeviceGetMemoryInfo(void* gpu, unsigned long long* info) {
  Memory2 apart{sizeof(Memory2) | 2U << 24U, 0, 0, 0, 0};
  const int status = nvmlDeviceGetMemoryInfo_v2(gpu, &apart);
  info[0] = apart.total;
  info[1] = apart.free;
  info[2] = apart.used + apart.reserved;
  return status;
}
int nvmlDeviceGetUtilizationRates(void* gpu, unsigned* rates) {
  one(gpu, rates + 1, &Readings::memory_busy);
  return one(gpu, rates, &Readings::busy);
}
int nvmlDeviceGetTemperature(void* gpu, int, unsigned* value) {
  return one(gpu, value, &Readings::celsius);
}
int nvmlDeviceGetPowerUsage(void* gpu, unsigned* value) {
  const int status = one(gpu, value, &Readings::watts);
  *value *= 1000;
  return status;
}
int nvmlDeviceGetClockInfo(void* gpu, int which, unsigned* value) {
  return one(gpu, value, which == 1 ? &Readings::sm_mhz : &Readings::memory_mhz);
}
int nvmlDeviceGetCurrentClocksEventReasons(void* gpu, unsigned long long* bits) {
  unsigned value = 0;
  const int status = one(gpu, &value, &Readings::bits);
  *bits = value;
  return status;
}
}
